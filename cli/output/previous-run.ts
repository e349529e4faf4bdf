import { readPreviousRun } from '../../reporting/compare/previous-run.ts';
import { JournalError, readChainedSlimRecords } from '../../reporting/journal/read-journal.ts';
import type { PreviousRun } from '../../specs/formats/journal.ts';
import { type Target, targetName } from '../../specs/target-file/target.ts';
import { withFileName } from '../earlier-runs/run-journal.ts';
import type { OutputFolder } from './output-folder.ts';

/**
 * The earlier run of this folder against this target; null without one. `ownStart`: when the run itself began, if it may be in the
 * folder already. Writes a line to stderr if its journal is not readable.
 */
export async function loadPreviousRun(
  { earlierJournal }: Pick<OutputFolder, 'earlierJournal'>,
  target: Pick<Target, 'name' | 'baseUrl'>,
  ownStart?: string,
): Promise<PreviousRun | null> {
  if (earlierJournal === null) return null;
  try {
    const { baseUrl } = target;
    return await readPreviousRun(
      readChainedSlimRecords(earlierJournal),
      { name: targetName(target), baseUrl },
      ownStart,
    );
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    console.error(`This run is not compared with the earlier one: ${withFileName(error.message, earlierJournal)}.`);
    return null;
  }
}
