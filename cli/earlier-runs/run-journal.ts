import { dirname, join } from 'node:path';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { JournalError } from '../../reporting/journal/read-journal.ts';
import { statsOf } from './path-kind.ts';

/** The journal in the folder of a run. Throws a ConfigurationError that begins with `argument` if there is none. */
export function runJournal(folder: string, argument: string): string {
  const reject = (found: string) => new ConfigurationError(`${argument}: ${folder} ${found}`);
  const kind = statsOf(folder);
  if (kind === null) throw reject('does not exist; name the folder of a run');
  if (!kind.isDirectory()) throw reject(`is a file; name the folder of a run, such as ${dirname(folder)}`);
  const journal = join(folder, JOURNAL_FILE);
  if (!statsOf(journal)?.isFile()) throw reject(`contains no ${JOURNAL_FILE}; name the folder of a run`);
  return journal;
}

/** Rejects with a ConfigurationError that begins with `argument` if reading the journal shows that it is not readable. */
export async function readingJournal<Read>(journal: string, argument: string, reading: Promise<Read>): Promise<Read> {
  return await reading.catch((error: unknown) => {
    if (error instanceof JournalError)
      throw new ConfigurationError(`${argument}: ${unreadableText(error.message, journal)}`);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new ConfigurationError(`${argument}: cannot read ${journal} (${code}); write the folder of a readable run`);
  });
}

/** The message of a JournalError with the file name, unless it already starts with it. */
export function withFileName(message: string, journal: string): string {
  return message.startsWith(journal) ? message : `${journal}: ${message}`;
}

/** What is wrong with a journal, and what to do. Some messages already say both. */
function unreadableText(message: string, journal: string): string {
  const found = withFileName(message, journal);
  return found.includes('; ') ? found : `${found}; write the folder of another run`;
}
