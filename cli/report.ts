import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { ConfigurationFault } from '../engine/configuration-fault.ts';
import { JOURNAL_FILE } from '../engine/journal.ts';
import { consoleSummary } from '../reporting/console.ts';
import { foldJournal } from '../reporting/fold.ts';
import { formats } from '../reporting/formats.ts';
import { JournalError, readJournal } from '../reporting/read-journal.ts';
import { defaultFormats, type OutputFormat, parseFormats } from './formats-option.ts';
import { writeReports } from './output-folder.ts';

export const reportCommand = new Command('report')
  .description('write the reports of a run anew from its evidence.jsonl, however the run ended')
  .argument('<dir>', 'folder of the run')
  .option('-f, --format <names>', 'reports to write beside report.json', parseFormats, [...defaultFormats])
  .addHelpText(
    'after',
    '\nExamples:\n  $ conformance report reports/staging\n  $ conformance report reports/staging --format html',
  )
  .action(async (folder: string, { format }: { format: OutputFormat[] }) => {
    const journal = join(folder, JOURNAL_FILE);
    if (!existsSync(journal))
      throw new ConfigurationFault(`${folder}: holds no ${JOURNAL_FILE}; name the folder of a run`);
    const report = await foldJournal(() => readJournal(journal)).catch((error: unknown) => {
      if (error instanceof JournalError)
        throw new ConfigurationFault(`${error.message}; nothing can be told of this run`);
      throw error;
    });
    writeReports(folder, report, format);
    const width = process.stdout.columns ?? 120;
    process.stdout.write(
      consoleSummary(report, {
        color: process.stdout.isTTY === true,
        width,
        reportPath: join(folder, format.includes('html') ? formats.html.file : formats.json.file),
      }),
    );
    process.exitCode = report.exitCode;
  });
