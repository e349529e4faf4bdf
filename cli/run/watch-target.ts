import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { acceptedFailures } from '../../reporting/report/gate.ts';
import { isUndecided } from '../../reporting/report/judged.ts';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import { capitalize, joinNames, pluralize } from '../../reporting/text/wording.ts';
import { isCheckId } from '../../specs/catalogue/catalogue.ts';
import type { CheckReport, Report } from '../../specs/formats/report.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { withLimits } from '../options/limit-options.ts';
import { resolveTarget, targetArguments } from '../options/target-options.ts';
import { STOP_SIGNALS } from '../processes/graceful-shutdown.ts';
import { commandLine } from '../processes/invocation.ts';
import { waitForBuild } from './build-watch.ts';
import { executeRun, type FinishedRun } from './execute-run.ts';
import type { RunRequest } from './run-request.ts';
import { printRunSummary } from './run-summary.ts';

/** The time that a new build has to start, in milliseconds. */
const START_WITHIN_MS = 60_000;

/**
 * Judges the target, and judges what failed again with each new build until it passes or the user presses Ctrl-C.
 * Returns the last run.
 */
export async function watchTarget(request: RunRequest): Promise<FinishedRun> {
  let finished = await executeRun(request);
  printRunSummary(finished, request);
  const wasOpen = isOpen(finished.report);
  let silentRuns = 0;
  while (isOpen(finished.report) && finished.report.run.interrupted === null) {
    const checks = checksToRepeat(finished.report);
    silentRuns = finished.report.checks.some(isWithoutServer) ? silentRuns + 1 : 0;
    // A server that stops responding in every run would be judged again and again.
    const sign = await nextBuild(request, checks, silentRuns === 1);
    if (sign === null) return finished;
    console.error(capitalize(sign));
    finished = await judgeAgain(request, { finished, checks });
  }
  if (wasOpen && finished.report.run.interrupted === null && !finished.report.checks.some(isUndecided)) {
    const whole = commandLine(['run', ...targetArguments(request.options), '--profile', request.profile]);
    console.error(`\nEvery check that failed passes now. Judge the whole profile before a release: ${whole}`);
  }
  return finished;
}

/** Returns the earlier run if this one cannot start, for example because the new build does not answer. */
async function judgeAgain(
  request: RunRequest,
  { finished, checks }: { finished: FinishedRun; checks: readonly CheckId[] },
): Promise<FinishedRun> {
  const { options } = request;
  try {
    // A new build of a sandbox may have new keys, and the user may have corrected the file.
    const target = withLimits(await resolveTarget(options), options);
    const startWithinMs = Math.max(target.limits.startWithinMs, START_WITHIN_MS);
    const again: RunRequest = {
      ...request,
      options: { ...options, out: finished.folder },
      target: { ...target, limits: { ...target.limits, startWithinMs } },
      checks,
      filter: checks,
    };
    const run = await executeRun(again);
    printRunSummary(run, again);
    return run;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const problem of error.problems) console.error(`conformance: ${escapeForLog(problem)}`);
    return finished;
  }
}

function isAccepted({ gate }: Report): (id: string) => boolean {
  const accepted = gate === null ? new Set<string>() : acceptedFailures(gate);
  return (id) => accepted.has(id);
}

/** Whether a check failed, or the server stopped responding before it could be judged. */
function isOpen(report: Report): boolean {
  const isKnown = isAccepted(report);
  return report.checks.some((check) => !isKnown(check.id) && (check.verdict === 'fail' || isWithoutServer(check)));
}

/** The checks that failed or had a warning, and those that another check or a silent server blocked. */
function checksToRepeat(report: Report): CheckId[] {
  const isKnown = isAccepted(report);
  const repeated = report.checks.filter((check) => {
    const { id, verdict, blockedBy } = check;
    if (isKnown(id)) return false;
    const isBlockedByCheck = verdict === 'blocked' && isCheckId(blockedBy);
    return (
      verdict === 'fail' || verdict === 'warn' || verdict === 'error' || isBlockedByCheck || isWithoutServer(check)
    );
  });
  return repeated.map(({ id }) => id as CheckId);
}

function isWithoutServer({ verdict, blockedBy }: CheckReport): boolean {
  return verdict === 'blocked' && blockedBy === 'target';
}

/** Waits for the next build or the Enter key. Returns the reason to judge again; null after a signal to stop. */
async function nextBuild({ target }: RunRequest, checks: readonly CheckId[], wasDown: boolean): Promise<string | null> {
  const waiting = new AbortController();
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    waiting.abort();
  };
  const { stdin } = process;
  const enter = () => waiting.abort();
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  if (stdin.isTTY) stdin.once('data', enter);
  console.error(
    `\nWatching ${target.baseUrl} for another build, to judge ${pluralize(checks.length, 'check')} again (${joinNames(checks)}). Press Enter to judge now, Ctrl-C to end.`,
  );
  try {
    const onDown = () => console.error('The server does not respond. Waiting until it does.');
    const sign = await waitForBuild(target, { signal: waiting.signal, wasDown, onDown });
    if (isStopped) return null;
    return sign === null ? 'judging again' : `the server ${sign}: judging again`;
  } finally {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, stop);
    stdin.removeListener('data', enter);
    if (stdin.isTTY) stdin.pause();
  }
}
