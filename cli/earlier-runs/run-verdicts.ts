import { dirname } from 'node:path';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { type RecordedVerdicts, readVerdicts } from '../../reporting/compare/previous-run.ts';
import { readOwnSlimRecords } from '../../reporting/journal/read-journal.ts';
import { isNightFolder, nightFolders } from './night-file.ts';
import { readingJournal, runJournal } from './run-journal.ts';

/**
 * The verdicts of the run in a folder that an option names. `remedy`: what to name instead of a run of a history. Rejects with a
 * ConfigurationError if there is no readable run.
 */
export async function readRunVerdicts(
  folder: string,
  option: string,
  remedy = 'name the folder of --out',
): Promise<RecordedVerdicts> {
  if (isNightFolder(folder))
    throw new ConfigurationError(`${option}: ${folder} is a run of the history ${dirname(folder)}; ${remedy}`);
  if (nightFolders(folder).length > 0)
    throw new ConfigurationError(
      `${option}: ${folder} is a history, which keeps no ${JOURNAL_FILE}; name the folder of --out`,
    );
  const journal = runJournal(folder, option);
  return await readingJournal(journal, option, readVerdicts(readOwnSlimRecords(journal)));
}
