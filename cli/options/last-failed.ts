import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { JournalError, readOwnSlimRecords } from '../../reporting/journal/read-journal.ts';
import { readVerdicts } from '../../reporting/report/previous-run.ts';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

export interface LastFailedOptions {
  /** The folder of the earlier run; true for the folder of `--out`. */
  lastFailed?: string | true;
}

export function withLastFailedOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--last-failed [dir]',
      'only the checks that failed or were blocked in the earlier run in this folder (default: the folder of --out)',
    ).conflicts('only'),
  );
}

/** What an earlier run has left to do. */
export interface EarlierFailures {
  /** The profile of that run, which may not be allowed to change the server. */
  readonly profile: string;
  readonly only: CheckId[];
}

/**
 * The checks that failed, had a warning or were not judged in the earlier run that the options name; undefined without the option.
 * Rejects with a ConfigurationError if there is no such run, or no such check in it.
 */
export async function lastFailedChecks({
  lastFailed,
  out,
}: LastFailedOptions & { out?: string }): Promise<EarlierFailures | undefined> {
  if (lastFailed === undefined) return undefined;
  const folder = lastFailed === true ? out : lastFailed;
  if (folder === undefined)
    throw new ConfigurationError(
      '--last-failed: names no folder; write the folder of the earlier run, such as --last-failed reports/staging',
    );
  const journal = join(folder, JOURNAL_FILE);
  if (!existsSync(journal))
    throw new ConfigurationError(
      `--last-failed: ${folder} contains no ${JOURNAL_FILE}; write the folder of an earlier run`,
    );
  const failed = await readFailedChecks(journal).catch((error: unknown) => {
    if (error instanceof JournalError) throw new ConfigurationError(`--last-failed: ${journal}: ${error.message}`);
    throw error;
  });
  if (failed.only.length === 0)
    throw new ConfigurationError(
      `--last-failed: no check failed or was blocked in ${folder}; remove the option to judge the whole profile`,
    );
  return failed;
}

const SETTLED_VERDICTS: ReadonlySet<string | undefined> = new Set(['pass', 'not-applicable']);

/** Checks without a verdict were not executed. */
async function readFailedChecks(journal: string): Promise<EarlierFailures> {
  const { header, verdicts } = await readVerdicts(readOwnSlimRecords(journal));
  const failed = new Set(header.selected.filter((id) => !SETTLED_VERDICTS.has(verdicts.get(id))));
  return { profile: header.run.profile, only: [...checkCatalogue.keys()].filter((id) => failed.has(id)) };
}
