import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { JOURNAL_FILE, Journal } from '../../engine/evidence/journal.ts';
import { Redactor } from '../../engine/evidence/redactor.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { consoleSummary } from '../../reporting/formats/console.ts';
import { formats } from '../../reporting/formats/formats.ts';
import { JournalError, readJournal } from '../../reporting/journal/read-journal.ts';
import { type MergedShard, mergedStart, mergeJournals } from '../../reporting/merge/merge-journals.ts';
import { shardProblems } from '../../reporting/merge/shard-problems.ts';
import { readRunVerdicts } from '../earlier-runs/run-verdicts.ts';
import { type GateOptions, loadGate, withGateOptions } from '../options/gate-options.ts';
import { nonEmptyParser } from '../options/option-values.ts';
import { type OutputOptions, withOutputOptions } from '../options/output-options.ts';
import { formatsFor, githubLines } from '../output/ci-service.ts';
import { openOutputFolder } from '../output/output-folder.ts';
import { loadPreviousRun } from '../output/previous-run.ts';
import { buildRunReport, writeReports } from '../output/report-files.ts';
import { hasColors } from '../output/terminal.ts';
import { anyTargetCommandLine } from '../processes/invocation.ts';

type MergeOptions = GateOptions & OutputOptions;

export const mergeCommand = withOutputOptions(
  withGateOptions(
    new Command('merge').description(
      'join the runs of all shards into one report, as if one run had judged everything',
    ),
  ),
)
  .argument('<dir...>', 'folders of the runs with --shard', (dir: string, before: string[] = []) => [
    ...before,
    nonEmptyParser('name the folder of a run')(dir),
  ])
  .addHelpText(
    'after',
    `
Examples:
  $ conformance run --target staging.yaml --shard 1/2 --seed 7 --out shard-1
  $ conformance run --target staging.yaml --shard 2/2 --seed 7 --out shard-2
  $ conformance merge shard-1 shard-2 --out reports/staging`,
  )
  .action(async (folders: string[], options: MergeOptions) => {
    assertOtherFolder(options.out, folders);
    const gate = await loadGate(options);
    const shards = await Promise.all(folders.map(openShard));
    const problems = shardProblems(shards);
    const [first] = shards;
    if (problems.length > 0 || first === undefined) throw new ConfigurationError(...problems);
    const wanted = formatsFor(options.format);
    const output = await openOutputFolder(options.out, wanted);
    const id = randomUUID();
    const previous = await loadPreviousRun(
      output,
      first.header.target,
      mergedStart(shards.map(({ header }) => header)),
    );
    const journal = Journal.create(output.path, new Redactor());
    try {
      for await (const record of mergeJournals(shards, { id, gate, previous })) journal.write(record);
    } catch (error) {
      journal.discard();
      output.restore();
      if (error instanceof JournalError) throw new ConfigurationError(error.message);
      throw error;
    }
    journal.close();
    const report = await buildRunReport(id, join(output.path, JOURNAL_FILE));
    await writeReports(output.path, report, wanted, { areBlockedErrors: options.junitBlocked === 'errors' });
    output.release();
    process.stdout.write(
      consoleSummary(report, {
        color: hasColors(process.stdout),
        width: process.stdout.columns ?? 120,
        toCommand: anyTargetCommandLine,
        reportPath: join(output.path, wanted.includes('html') ? formats.html.file : formats.json.file),
      }),
    );
    for (const line of githubLines(report)) console.log(line);
    process.exitCode = report.exitCode;
  });

/** Throws a ConfigurationError if the merged run would replace one of its shards. */
function assertOtherFolder(out: string | undefined, folders: readonly string[]): void {
  const shard = folders.find((folder) => out !== undefined && resolve(folder) === resolve(out));
  if (shard === undefined) return;
  throw new ConfigurationError(`--out: ${out} is the folder of a shard; name another folder for the merged run`);
}

interface OpenShard extends MergedShard {
  readonly folder: string;
}

/** Rejects with a ConfigurationError if the folder contains no readable run. */
async function openShard(folder: string): Promise<OpenShard> {
  const { header } = await readRunVerdicts(folder, '<dir>', 'name the folder of a run with --shard');
  return { folder, header, source: () => readJournal(join(folder, JOURNAL_FILE)) };
}
