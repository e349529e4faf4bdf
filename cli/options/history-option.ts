import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { nonEmptyParser, wholeNumberParser } from './option-values.ts';

export interface HistoryOptions {
  history?: string;
  keep?: number;
}

const DEFAULT_KEPT_RUNS = 90;
const MAX_KEPT_RUNS = 999_999;
const parseCount = wholeNumberParser(`write a whole number from 1 to ${MAX_KEPT_RUNS}`, {
  least: 1,
  most: MAX_KEPT_RUNS,
});

/** Adds the options for a job that runs every night. */
export function withHistoryOption(command: Command): Command {
  return command
    .option(
      '--history <dir>',
      'folder of earlier runs: the run is compared with them and added to them',
      nonEmptyParser('name a folder'),
    )
    .option('--keep <n>', `number of runs that the history keeps (default: ${DEFAULT_KEPT_RUNS})`, parseCount);
}

/**
 * The history of a run; null without one. Throws a ConfigurationError if an option needs a history that is not named, or if the history is
 * the folder of the run.
 */
export function historyOf({
  history,
  keep,
  out,
}: HistoryOptions & { out?: string }): { folder: string; keep: number } | null {
  if (history !== undefined && out !== undefined && resolve(history) === resolve(out))
    throw new ConfigurationError(`--history: ${history} is the folder of --out as well; name another folder`);
  if (history !== undefined) return { folder: history, keep: keep ?? DEFAULT_KEPT_RUNS };
  if (keep === undefined) return null;
  throw new ConfigurationError('--keep: needs a history; add --history DIR, or remove --keep');
}
