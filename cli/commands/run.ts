import { Command, Option } from 'commander';
import { withCustomChecksOption } from '../options/custom-checks-option.ts';
import { withGateOptions } from '../options/gate-options.ts';
import { withHistoryOption } from '../options/history-option.ts';
import { withLastFailedOption } from '../options/last-failed.ts';
import { withLimitOptions } from '../options/limit-options.ts';
import { parseSeed } from '../options/option-values.ts';
import { withOutputOptions } from '../options/output-options.ts';
import { withSelectionOptions } from '../options/selection-options.ts';
import { withShardOption } from '../options/shard-option.ts';
import { withTargetOptions } from '../options/target-options.ts';
import { executeRun } from '../run/execute-run.ts';
import type { RunOptions } from '../run/run-options.ts';
import { resolveRunRequest } from '../run/run-request.ts';
import { printRunSummary } from '../run/run-summary.ts';
import { watchTarget } from '../run/watch-target.ts';

const ADD_OPTIONS = [
  withTargetOptions,
  withSelectionOptions,
  withLastFailedOption,
  withCustomChecksOption,
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
  .option('--seed <n>', 'seed of the generated data; the same seed generates the same data', parseSeed)
  .addOption(new Option('--quiet', 'print only the verdict and the causes').default(false).conflicts('verbose'))
  .option('--verbose', 'print each check when it ends', false)
  .addOption(
    new Option('--watch', 'after each new build of the server, run the failed checks again until they pass')
      .default(false)
      .conflicts(['shard', 'budget', 'history']),
  )
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
  $ conformance run --target local.yaml --only LIFE --watch
  $ conformance run --target staging.yaml --baseline baseline.yaml
  $ conformance run --target staging.yaml --custom-checks checks/portal.ts
  $ conformance run --target staging.yaml --history history --fail-on new
  $ conformance run --target staging.yaml --deadline 5m --max-requests 2000
  $ CONFORMANCE_SELLER_KEY=… CONFORMANCE_SELLER_SECRET=… conformance run --base-url https://staging.example.com`,
  )
  .action(async (options: RunOptions, command: Command) => {
    const request = await resolveRunRequest(options, command.getOptionValueSource('profile') !== 'default');
    const finished = await (options.watch ? watchTarget(request) : executeRun(request));
    await request.close();
    if (!options.watch) printRunSummary(finished, request);
    process.exitCode = finished.exitCode;
  });
