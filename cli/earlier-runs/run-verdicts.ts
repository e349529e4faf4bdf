import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { type RecordedVerdicts, readVerdicts } from '../../reporting/compare/previous-run.ts';
import { JournalError, readOwnSlimRecords } from '../../reporting/journal/read-journal.ts';
import { isNightFolder, nightFolders } from './night-file.ts';
import { unreadableText } from './run-report.ts';

/**
 * The verdicts of the run in a folder that an option names. `remedy`: what to name instead of a run of a history. Rejects with a
 * ConfigurationError if there is no readable run.
 */
export async function readRunVerdicts(
  folder: string,
  option: string,
  remedy = 'name the folder of --out',
): Promise<RecordedVerdicts> {
  const journal = join(folder, JOURNAL_FILE);
  if (isNightFolder(folder))
    throw new ConfigurationError(`${option}: ${folder} is a run of the history ${dirname(folder)}; ${remedy}`);
  if (nightFolders(folder).length > 0)
    throw new ConfigurationError(
      `${option}: ${folder} is a history, which keeps no ${JOURNAL_FILE}; name the folder of --out`,
    );
  if (!existsSync(journal))
    throw new ConfigurationError(
      `${option}: ${folder} contains no ${JOURNAL_FILE}; write the folder of an earlier run`,
    );
  return await readVerdicts(readOwnSlimRecords(journal)).catch((error: unknown) => {
    if (error instanceof JournalError) throw new ConfigurationError(`${option}: ${unreadableText(error, journal)}`);
    throw error;
  });
}
