import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { prepareRun } from '../../engine/run/prepare-run.ts';
import type { RunPlan } from '../../engine/run/run-plan.ts';
import { consoleSummary } from '../../reporting/formats/console.ts';
import { formats } from '../../reporting/formats/formats.ts';
import { changeLine } from '../../reporting/history/change-text.ts';
import { lastJudged } from '../../reporting/history/nights.ts';
import { escapeForLog } from '../../reporting/text/escape-control-characters.ts';
import type { Report } from '../../specs/report.ts';
import { parseTarget } from '../../specs/target.ts';
import { allChecks } from '../../suites/all.ts';
import { EXIT } from '../exit-codes.ts';
import { HistoryFolder } from '../history/history-folder.ts';
import { checksForBudget } from '../options/budget-option.ts';
import type { OutputFormat } from '../options/formats-option.ts';
import { type GateOptions, loadGate, withGateOptions } from '../options/gate-options.ts';
import { type HistoryOptions, withHistoryOption } from '../options/history-option.ts';
import { type LastFailedOptions, lastFailedChecks, withLastFailedOption } from '../options/last-failed.ts';
import { type LimitOptions, withLimitOptions, withLimits } from '../options/limit-options.ts';
import { type OutputOptions, withOutputOptions } from '../options/output-options.ts';
import { type SelectionOptions, selectedChecks, withSelectionOptions } from '../options/selection-options.ts';
import {
  checksForShard,
  checksWithoutShard,
  type ShardOptions,
  targetOfShard,
  withShardOption,
} from '../options/shard-option.ts';
import {
  hasTarget,
  resolveTarget,
  type TargetOptions,
  targetArguments,
  withTargetOptions,
} from '../options/target-options.ts';
import { formatsFor, githubLines } from '../output/ci-service.ts';
import { openOutputFolder } from '../output/output-folder.ts';
import { loadPreviousRun } from '../output/previous-run.ts';
import { Progress, type ProgressDetail } from '../output/progress.ts';
import { buildRunReport, writeReports } from '../output/report-files.ts';
import { runWarnings } from '../output/run-warnings.ts';
import { hasColors } from '../output/terminal.ts';
import { GracefulShutdown } from '../processes/graceful-shutdown.ts';
import { commandLine } from '../processes/invocation.ts';
import { launchVitest } from '../processes/launch-vitest.ts';
import { assertTemporaryFolder } from '../processes/temporary-folder.ts';

interface RunOptions
  extends TargetOptions,
    SelectionOptions,
    LastFailedOptions,
    GateOptions,
    LimitOptions,
    ShardOptions,
    HistoryOptions,
    OutputOptions {
  strict: boolean;
  seed?: number;
  quiet: boolean;
  verbose: boolean;
}

const ADD_OPTIONS = [
  withTargetOptions,
  withSelectionOptions,
  withLastFailedOption,
  withGateOptions,
  withLimitOptions,
  withShardOption,
  withHistoryOption,
  withOutputOptions,
];

export const runCommand = ADD_OPTIONS.reduce(
  (command, addOptions) => addOptions(command),
  new Command('run').description('judge a server and write a report (without a target: judge the reference service)'),
)
  .option('--strict', 'a breach of an implied requirement also fails the run', false)
  .option('--seed <n>', 'seed of the generated data; the same seed generates the same data', parseWholeNumber)
  .addOption(new Option('--quiet', 'print only the verdict and the causes').default(false).conflicts('verbose'))
  .option('--verbose', 'print each check when it ends', false)
  .addHelpText(
    'after',
    `
Examples:
  $ conformance run
  $ conformance run --target staging.yaml --out reports/staging
  $ conformance run --target staging.yaml --profile smoke
  $ conformance run --target staging.yaml --budget 1000
  $ conformance run --target staging.yaml --only LIFE,CREATE-03
  $ conformance run --target staging.yaml --last-failed reports/staging
  $ conformance run --target staging.yaml --baseline baseline.yaml
  $ conformance run --target staging.yaml --history history --fail-on new
  $ conformance run --target staging.yaml --deadline 5m --max-requests 2000
  $ CONFORMANCE_SELLER_KEY=… CONFORMANCE_SELLER_SECRET=… conformance run --base-url https://staging.example.com`,
  )
  .action(async (options: RunOptions, command: Command) => {
    const earlier = await lastFailedChecks(options);
    const isProfileChosen = command.getOptionValueSource('profile') !== 'default';
    const profile = earlier && !isProfileChosen ? earlier.profile : options.profile;
    const only = earlier?.only ?? options.only;
    const chosen = selectedChecks({ profile, ...(only && { only }) }, earlier ? '--last-failed' : '--only');
    const gate = await loadGate(options);
    const reference = hasTarget(options) ? null : await startEmbeddedReference();
    const loaded = reference ? parseTarget(reference.target) : await resolveTarget(options);
    const { shard, budget, seed } = options;
    const limited = withLimits(loaded, options);
    const target = targetOfShard(limited, shard);
    const checks = checksForShard(checksForBudget(chosen, budget, target), shard, seed);
    assertTemporaryFolder();
    const stopping = new GracefulShutdown();
    const wanted = formatsFor(options.format);
    const history =
      options.history === undefined ? null : await HistoryFolder.open(options.history, options.keep, target);
    const output = await openOutputFolder(options.out, wanted).catch((error: unknown) => {
      history?.release();
      throw error;
    });
    const folder = output.path;
    const withoutShard = checksWithoutShard(chosen, limited, shard);
    const warnings = runWarnings({ target, profile, checks, withoutShard, isEmbedded: reference !== null });
    for (const warning of warnings) console.error(warning);
    const { plan } = await prepareRun({
      target,
      checks,
      definitions: allChecks,
      profile,
      filtered: only ?? [],
      budget,
      shard,
      previous: history ? lastJudged(history.nights) : await loadPreviousRun(output, target),
      gate,
      seed: seed ?? Math.floor(Math.random() * 1_000_000),
      strict: options.strict,
      folder,
      signal: stopping.signal,
    }).catch((error: unknown) => {
      output.restore();
      history?.release();
      stopping.release();
      throw error;
    });
    stopping.forwardTo(plan.runId);
    const detail = options.quiet ? 'quiet' : options.verbose ? 'verbose' : 'normal';
    const called = target.name === undefined ? '' : `${target.name} at `;
    if (detail !== 'quiet')
      console.error(
        `Judging ${called}${target.baseUrl}: ${plan.selected.length} ${plan.selected.length === 1 ? 'check' : 'checks'}, profile ${profile}`,
      );
    const problems = await executePlan(plan, detail);
    const report = await buildRunReport(plan.runId, join(folder, JOURNAL_FILE));
    await writeReports(folder, report, wanted, { areBlockedErrors: options.junitBlocked === 'errors' });
    const changes = history?.append(report, folder);
    history?.release();
    output.release();
    await reference?.close();
    process.stdout.write(
      runSummary(report, wanted, { folder, detail, targetOptions: reference ? [] : targetArguments(options) }),
    );
    if (changes) console.log(`history page ${history?.page}\nhistory ${escapeForLog(changeLine(changes))}`);
    for (const line of githubLines(report)) console.log(line);
    for (const problem of problems) console.error(`conformance: ${problem}`);
    stopping.release();
    process.exitCode = problems.length > 0 && report.exitCode !== EXIT.failed ? EXIT.broken : report.exitCode;
  });

/** Loads the reference service on demand, only for runs without a target. */
async function startEmbeddedReference() {
  const { startReference } = await import('../../reference/service/start.ts');
  return await startReference();
}

/** Runs the plan. Returns the internal errors that vitest reports; usually none. */
async function executePlan(plan: RunPlan, detail: ProgressDetail): Promise<string[]> {
  const progress = await Progress.create(process.stderr, plan.selected.length, detail);
  await launchVitest({ plan, reporters: [progress] });
  return progress.problems;
}

interface SummaryOptions {
  readonly folder: string;
  readonly detail: ProgressDetail;
  /** The options that name the server. */
  readonly targetOptions: readonly string[];
}

function runSummary(
  report: Report,
  wanted: readonly OutputFormat[],
  { folder, detail, targetOptions }: SummaryOptions,
): string {
  const reportPath = join(folder, wanted.includes('html') ? formats.html.file : formats.json.file);
  return consoleSummary(report, {
    color: hasColors(process.stdout),
    width: process.stdout.columns ?? 120,
    reportPath,
    toCommand: (subcommand, rest) => commandLine([subcommand, ...targetOptions, ...rest]),
    isBrief: detail === 'quiet',
  });
}

function parseWholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) throw new InvalidArgumentError('write a whole number.');
  return number;
}
