import { JournalError, readOwnSlimRecords } from '../../reporting/journal/read-journal.ts';
import { readPreviousRun } from '../../reporting/report/previous-run.ts';
import type { PreviousRun } from '../../specs/journal.ts';
import type { Target } from '../../specs/target.ts';
import type { OutputFolder } from './output-folder.ts';

/** The earlier run of this folder against this target; null without one. Writes a line to stderr if its journal is not readable. */
export async function loadPreviousRun(
  { earlierJournal }: Pick<OutputFolder, 'earlierJournal'>,
  { name, baseUrl }: Pick<Target, 'name' | 'baseUrl'>,
): Promise<PreviousRun | null> {
  if (earlierJournal === null) return null;
  const target = { name: name ?? new URL(baseUrl).host, baseUrl };
  try {
    return await readPreviousRun(readOwnSlimRecords(earlierJournal), target);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    console.error(`${earlierJournal} cannot be read (${error.message}): this run is not compared with it.`);
    return null;
  }
}
