import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { consoleSummary } from '../../reporting/formats/console.ts';
import { formats } from '../../reporting/formats/formats.ts';
import { JournalError, readJournal } from '../../reporting/journal/read-journal.ts';
import { buildReport } from '../../reporting/report/build-report.ts';
import { isNightFolder } from '../earlier-runs/night-file.ts';
import { withFileName } from '../earlier-runs/run-journal.ts';
import {
  defaultFormats,
  type JunitBlocked,
  junitBlockedOption,
  type OutputFormat,
  parseFormats,
} from '../options/formats-option.ts';
import { nonEmptyParser } from '../options/option-values.ts';
import { assertNoForeignFiles } from '../output/output-folder.ts';
import { writeReports } from '../output/report-files.ts';
import { outputFiles } from '../output/run-files.ts';
import { NotWritableError, RunLock } from '../output/run-lock.ts';
import { hasColors } from '../output/terminal.ts';
import { anyTargetCommandLine } from '../processes/invocation.ts';

export const reportCommand = new Command('report')
  .description('write the reports of a run again from its evidence.jsonl, even if the run was interrupted')
  .argument('<dir>', 'folder of the run', nonEmptyParser('name the folder of a run'))
  .option('-f, --format <names>', 'reports to write in addition to report.json', parseFormats, [...defaultFormats])
  .addOption(junitBlockedOption())
  .addHelpText(
    'after',
    '\nExamples:\n  $ conformance report reports/staging\n  $ conformance report reports/staging --format html',
  )
  .action(async (folder: string, { format, junitBlocked }: { format: OutputFormat[]; junitBlocked: JunitBlocked }) => {
    assertRunFolder(folder);
    if (isNightFolder(folder))
      throw new ConfigurationError(
        `${folder}: is a run of a history, whose report is ${join(folder, formats.html.file)}; name the folder of --out to write reports again`,
      );
    const journal = join(folder, JOURNAL_FILE);
    if (!existsSync(journal) || !statSync(journal).isFile())
      throw new ConfigurationError(`${folder}: contains no ${JOURNAL_FILE}; name the folder of a run`);
    const lock = await RunLock.acquire(folder).catch((error: unknown) => {
      throw error instanceof NotWritableError ? readOnlyError(folder, error) : error;
    });
    assertNoForeignFiles(
      folder,
      outputFiles(format).filter((file) => file !== JOURNAL_FILE),
    );
    const report = await buildReport(() => readJournal(journal)).catch((error: unknown) => {
      if (error instanceof JournalError)
        throw new ConfigurationError(`${withFileName(error.message, journal)}; this run cannot be reported`);
      throw error;
    });
    await writeReports(folder, report, format, { areBlockedErrors: junitBlocked === 'errors' });
    lock.release();
    const width = process.stdout.columns ?? 120;
    process.stdout.write(
      consoleSummary(report, {
        color: hasColors(process.stdout),
        width,
        toCommand: anyTargetCommandLine,
        reportPath: join(folder, format.includes('html') ? formats.html.file : formats.json.file),
      }),
    );
    process.exitCode = report.exitCode;
  });

/** The reports belong to this run, so another folder is no remedy. */
function readOnlyError(folder: string, { found }: NotWritableError): ConfigurationError {
  return new ConfigurationError(
    `<dir>: ${found}; grant write access to ${folder}, or copy it and name the copy, because the reports are written into the folder of the run`,
  );
}

/** Throws a ConfigurationError if the path is a file instead of a folder. */
function assertRunFolder(path: string): void {
  if (!existsSync(path) || !statSync(path).isFile()) return;
  const folder = dirname(path);
  throw new ConfigurationError(`${path}: is a file; name its folder: conformance report ${folder}`);
}
