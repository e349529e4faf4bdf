import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { JournalError, readOwnSlimRecords } from '../../reporting/journal/read-journal.ts';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { CheckRecord } from '../../specs/journal.ts';

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

/**
 * The checks that failed, had a warning or were not judged in the earlier run that the options name; undefined without the option.
 * Rejects with a ConfigurationError if there is no such run, or no such check in it.
 */
export async function lastFailedChecks({
  lastFailed,
  out,
}: LastFailedOptions & { out?: string }): Promise<CheckId[] | undefined> {
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
  if (failed.length === 0)
    throw new ConfigurationError(
      `--last-failed: no check failed or was blocked in ${folder}; remove the option to judge the whole profile`,
    );
  return failed;
}

/** Checks without a result were not executed. Checks that the target file blocks would be blocked again. */
async function readFailedChecks(journal: string): Promise<CheckId[]> {
  let selected: readonly string[] = [];
  const settled = new Set<string>();
  const open = new Set<string>();
  for await (const records of readOwnSlimRecords(journal)) {
    for (const record of records) {
      if (record.kind === 'header') selected = record.selected;
      if (record.kind === 'check') (isOpen(record) ? open : settled).add(record.id);
    }
  }
  const failed = new Set(selected.filter((id) => open.has(id) || !settled.has(id)));
  return [...checkCatalogue.keys()].filter((id) => failed.has(id));
}

function isOpen({ verdict, blockedBy }: CheckRecord): boolean {
  if (verdict === 'blocked') return blockedBy === null || blockedBy === 'target' || !blockedBy.includes(' ');
  return verdict === 'fail' || verdict === 'warn' || verdict === 'error';
}
