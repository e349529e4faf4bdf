import { type Command, Option } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { checkCatalogue } from '../../specs/catalogue/catalogue.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { readRunVerdicts } from '../earlier-runs/run-verdicts.ts';

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
  const failed = await readFailedChecks(folder);
  if (failed.only.length === 0)
    throw new ConfigurationError(
      `--last-failed: no check failed or was blocked in ${folder}; remove the option to judge the whole profile`,
    );
  return failed;
}

const SETTLED_VERDICTS: ReadonlySet<string | undefined> = new Set(['pass', 'not-applicable']);

/** Checks without a verdict were not executed. */
async function readFailedChecks(folder: string): Promise<EarlierFailures> {
  const { header, verdicts } = await readRunVerdicts(folder, '--last-failed');
  const failed = new Set(header.selected.filter((id) => !SETTLED_VERDICTS.has(verdicts.get(id))));
  return { profile: header.run.profile, only: [...checkCatalogue.keys()].filter((id) => failed.has(id)) };
}
