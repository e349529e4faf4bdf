import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { JournalError, readJournal } from '../../reporting/journal/read-journal.ts';
import { buildReport } from '../../reporting/report/build-report.ts';
import type { Report } from '../../specs/formats/report.ts';
import { isNightFolder, nightFolders } from './night-file.ts';

/** The report of the run in a folder. Rejects with a ConfigurationError that begins with `argument` if there is no readable run. */
export async function readRunReport(folder: string, argument: string): Promise<Report> {
  const reject = (found: string) => new ConfigurationError(`${argument}: ${found}`);
  const journal = join(folder, JOURNAL_FILE);
  const kind = statSync(folder, { throwIfNoEntry: false });
  if (kind === undefined) throw reject(`${folder} does not exist; name the folder of a run`);
  if (!kind.isDirectory()) throw reject(`${folder} is a file; name the folder of a run, such as ${dirname(folder)}`);
  if (isNightFolder(folder) || nightFolders(folder).length > 0)
    throw reject(`${folder} belongs to a history, which keeps no ${JOURNAL_FILE}; write the folder of --out`);
  if (!statSync(journal, { throwIfNoEntry: false })?.isFile())
    throw reject(`${folder} contains no ${JOURNAL_FILE}; name the folder of a run`);
  return await buildReport(() => readJournal(journal)).catch((error: unknown) => {
    if (error instanceof JournalError) throw reject(unreadableText(error, journal));
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw reject(`cannot read ${journal} (${code}); write the folder of a readable run`);
  });
}

/** The message of a JournalError with the file name, unless it already starts with it. */
export function withFileName(message: string, journal: string): string {
  return message.startsWith(journal) ? message : `${journal}: ${message}`;
}

/** What is wrong with a journal, and what to do. Some messages already say both. */
export function unreadableText({ message }: JournalError, journal: string): string {
  const found = withFileName(message, journal);
  return found.includes('; ') ? found : `${found}; write the folder of another run`;
}
