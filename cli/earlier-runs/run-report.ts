import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { readJournal } from '../../reporting/journal/read-journal.ts';
import { buildReport } from '../../reporting/report/build-report.ts';
import type { Report } from '../../specs/formats/report.ts';
import { isNightFolder, nightFolders } from './night-file.ts';
import { readingJournal, runJournal } from './run-journal.ts';

/** The report of the run in a folder. Rejects with a ConfigurationError that begins with `argument` if there is no readable run. */
export async function readRunReport(folder: string, argument: string): Promise<Report> {
  assertNoHistory(folder, argument);
  const journal = runJournal(folder, argument);
  return await readingJournal(
    journal,
    argument,
    buildReport(() => readJournal(journal)),
  );
}

/** Throws a ConfigurationError that begins with `argument` if the folder is a history, or a run of one. */
export function assertNoHistory(folder: string, argument: string): void {
  if (!isNightFolder(folder) && nightFolders(folder).length === 0) return;
  throw new ConfigurationError(
    `${argument}: ${folder} belongs to a history, which keeps no ${JOURNAL_FILE}; write the folder of --out`,
  );
}
