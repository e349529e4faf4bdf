import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { prepareRun } from '../../engine/run/prepare-run.ts';
import { breachChannelName, type RuleBreach, type RunPlan } from '../../engine/run/run-plan.ts';
import { lastJudged } from '../../reporting/history/nights.ts';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import { pluralize } from '../../reporting/text/wording.ts';
import { EXIT } from '../../specs/exit-codes.ts';
import type { Changes } from '../../specs/formats/changes.ts';
import { countCustomChecks } from '../../specs/formats/custom-area.ts';
import type { Report } from '../../specs/formats/report.ts';
import { readAttempts } from '../certification/attempts.ts';
import { checkNeeds } from '../options/check-needs.ts';
import { historyOf } from '../options/history-option.ts';
import { requestLimitOf } from '../options/limit-options.ts';
import { formatsFor } from '../output/ci-service.ts';
import { HistoryFolder } from '../output/history-folder.ts';
import { type OutputFolder, openOutputFolder } from '../output/output-folder.ts';
import { loadPreviousRun } from '../output/previous-run.ts';
import { Progress, type ProgressDetail } from '../output/progress.ts';
import { buildRunReport, writeReports } from '../output/report-files.ts';
import { ACCEPTED_REVOKED_KEY, runWarnings } from '../output/run-warnings.ts';
import { GracefulShutdown } from '../processes/graceful-shutdown.ts';
import { launchVitest } from '../processes/launch-vitest.ts';
import { assertOpenFiles } from '../processes/open-files.ts';
import { assertTemporaryFolder } from '../processes/temporary-folder.ts';
import { rateNotice } from './rate-notice.ts';
import type { RunRequest } from './run-request.ts';

/** A finished run, whose reports are written. */
export interface FinishedRun {
  readonly report: Report;
  readonly folder: string;
  /** What changed since the last run of the history, with the page of the history; null without `--history`. */
  readonly history: { readonly page: string; readonly changes: Changes } | null;
  /** Internal errors of the kit; usually none. */
  readonly problems: readonly string[];
  readonly exitCode: number;
}

/** Judges the target once and writes the reports. Rejects with a ConfigurationError if the run cannot start. */
export async function executeRun(request: RunRequest): Promise<FinishedRun> {
  const { options, target } = request;
  assertTemporaryFolder();
  assertOpenFiles();
  const stopping = new GracefulShutdown();
  const wanted = formatsFor(options.format);
  const named = historyOf(options);
  const history = named && (await HistoryFolder.open(named.folder, named.keep, target));
  const output = await openOutputFolder(options.out, wanted).catch((error: unknown) => {
    history?.release();
    throw error;
  });
  for (const warning of runWarnings(request)) console.error(warning);
  const plan = await planRun(request, { output, history, stopping });
  stopping.forwardTo(plan.runId);
  const problems = await executePlan(plan, request);
  const report = await buildRunReport(plan.runId, join(output.path, JOURNAL_FILE));
  await writeReports(output.path, report, wanted, { areBlockedErrors: options.junitBlocked === 'errors' });
  const changes = history?.append(report, output.path);
  history?.release();
  output.release();
  stopping.release();
  return {
    report,
    folder: output.path,
    history: history && changes ? { page: history.page, changes } : null,
    problems,
    exitCode: problems.length > 0 && report.exitCode !== EXIT.failed ? EXIT.broken : report.exitCode,
  };
}

interface RunResources {
  readonly output: OutputFolder;
  readonly history: HistoryFolder | null;
  readonly stopping: GracefulShutdown;
}

/** Restores the folders if the run cannot start. */
async function planRun(request: RunRequest, { output, history, stopping }: RunResources): Promise<RunPlan> {
  const { options, target, checks, profile, filter, custom, gate, certification } = request;
  const slow = rateNotice(target, profile);
  if (slow !== null && progressDetail(options) !== 'quiet') console.error(slow);
  try {
    const { plan, found } = await prepareRun({
      target,
      checks,
      definitions: checkNeeds,
      profile,
      filtered: filter,
      budget: options.budget,
      requestLimit: requestLimitOf(options),
      shard: options.shard,
      withoutShard: request.withoutShard,
      previous: history ? lastJudged(history.nights) : await loadPreviousRun(output, target),
      gate,
      ...(custom && { custom: custom.areas, customNeeds: custom.needs }),
      certification: certification && { ...certification, attempts: await readAttempts(output.path, target) },
      seed: options.seed ?? Math.floor(Math.random() * 1_000_000),
      strict: options.strict,
      folder: output.path,
      signal: stopping.signal,
    });
    if (plan.acceptedActors?.includes('revoked')) console.error(ACCEPTED_REVOKED_KEY);
    for (const notice of found.notices) console.error(escapeForLog(notice));
    return plan;
  } catch (error) {
    output.restore();
    history?.release();
    stopping.release();
    throw error;
  }
}

/** How much a run says while it goes on. */
export function progressDetail({ quiet, verbose }: Pick<RunRequest['options'], 'quiet' | 'verbose'>): ProgressDetail {
  return quiet ? 'quiet' : verbose ? 'verbose' : 'normal';
}

/** Runs the plan. Returns the internal errors that vitest reports; usually none. */
async function executePlan(
  plan: RunPlan,
  { options, target, profile, custom, isEmbedded }: RunRequest,
): Promise<string[]> {
  const detail = progressDetail(options);
  const called = target.name === undefined ? '' : `${target.name} at `;
  const customCount = custom === null ? 0 : countCustomChecks(custom.areas);
  const added = customCount === 0 ? '' : ` and ${pluralize(customCount, 'custom check')}`;
  const count = `${pluralize(plan.selected.length, 'check')}${added}`;
  const whose = isEmbedded
    ? ' (the reference service of the kit, because neither --target nor --base-url names a server)'
    : '';
  if (detail !== 'quiet') console.error(`Judging ${called}${target.baseUrl}: ${count}, profile ${profile}${whose}`);
  const progress = await Progress.create(process.stderr, plan.selected.length + customCount, detail);
  const breaches = new BroadcastChannel(breachChannelName(plan.runId));
  breaches.onmessage = (message) => progress.announceBreach((message as { data: RuleBreach }).data);
  try {
    await launchVitest({ plan, customFiles: custom?.files ?? [], reporters: [progress] });
  } finally {
    breaches.close();
  }
  return progress.problems;
}
