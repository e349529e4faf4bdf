import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import { checksWithinBudget } from '../../specs/catalogue/check-order.ts';
import type { Night } from '../../specs/formats/night.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { CheckVerdict } from '../../specs/verdicts.ts';
import { nightFolders, readNight } from '../earlier-runs/night-file.ts';
import { readRunVerdicts } from '../earlier-runs/run-verdicts.ts';
import { nonEmptyParser } from './option-values.ts';
import { selectedChecks } from './selection-options.ts';

export interface LastFailedOptions {
  /** The folder of the earlier run, or a history; true for the folder of `--out` if it exists, or else that of `--history`. */
  lastFailed?: string | true;
}

export function withLastFailedOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--last-failed [dir]',
      'only the checks that failed or were blocked last time in this folder or history (default: that of --out or --history)',
    )
      .argParser(nonEmptyParser('name the folder of a run or of a history'))
      .conflicts('only'),
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
  history,
}: LastFailedOptions & { out?: string; history?: string }): Promise<EarlierFailures | undefined> {
  if (lastFailed === undefined) return undefined;
  const folder = lastFailed === true ? folderOfLastRun(out, history) : lastFailed;
  if (folder === undefined)
    throw new ConfigurationError(
      '--last-failed: names no folder; write the folder of the earlier run, such as --last-failed reports/staging',
    );
  const failed = await readFailedChecks(folder);
  if (failed.only.length === 0)
    throw new ConfigurationError(
      `--last-failed: no check failed or was blocked in ${folder}; remove the option to judge the whole profile`,
    );
  return failed;
}

/** A nightly job may name a new folder of reports each time. */
function folderOfLastRun(out: string | undefined, history: string | undefined): string | undefined {
  return out !== undefined && (history === undefined || existsSync(out)) ? out : history;
}

const SETTLED_VERDICTS: ReadonlySet<string | undefined> = new Set(['pass', 'not-applicable']);

async function readFailedChecks(folder: string): Promise<EarlierFailures> {
  const nights = nightFolders(folder).map((name) => readNight(join(folder, name), '--last-failed'));
  const last = nights.at(-1);
  if (last === undefined) return await readFailedChecksOfRun(folder);
  // A later run with fewer checks says nothing of the others.
  const verdicts = new Map(nights.flatMap(({ checks }) => Object.entries(checks)));
  const missed = notExecuted(last);
  for (const id of missed) verdicts.delete(id);
  return { profile: last.run.profile, only: unsettledChecks([...verdicts.keys(), ...missed], verdicts) };
}

/** The checks that an interrupted run selected and did not execute. */
function notExecuted({ run: { interrupted, profile, filtered, budget }, checks }: Night): CheckId[] {
  if (interrupted === undefined) return [];
  const chosen = selectedChecks({ profile, ...(filtered.length > 0 && { only: filtered }) }, '--last-failed');
  const selected = budget === undefined ? chosen : checksWithinBudget(chosen, budget);
  return selected.filter((id) => !Object.hasOwn(checks, id));
}

/**
 * Checks without a verdict were not executed. A check that judges the exchanges of others needs them again, or nothing shows that it
 * still fails.
 */
async function readFailedChecksOfRun(folder: string): Promise<EarlierFailures> {
  const { header, verdicts, judgedWith } = await readRunVerdicts(
    folder,
    '--last-failed',
    'name the history, or the folder of --out',
  );
  const unsettled = unsettledChecks(header.selected, verdicts);
  const needed = new Set(unsettled.flatMap((id) => [id, ...(judgedWith.get(id) ?? [])]));
  return { profile: header.run.profile, only: [...checkCatalogue.keys()].filter((id) => needed.has(id)) };
}

function unsettledChecks(selected: Iterable<string>, verdicts: ReadonlyMap<string, CheckVerdict>): CheckId[] {
  const unsettled = new Set([...selected].filter((id) => !SETTLED_VERDICTS.has(verdicts.get(id))));
  return [...checkCatalogue.keys()].filter((id) => unsettled.has(id));
}
