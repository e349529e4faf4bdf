import { type Command, Option } from 'commander';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import type { GateSettings } from '../../specs/formats/journal.ts';
import { nonEmptyParser } from './option-values.ts';

export interface GateOptions {
  baseline?: string;
  failOn: GateSettings['failOn'];
}

/** Adds the options that decide the exit code of a run with failures. */
export function withGateOptions(command: Command): Command {
  return command
    .option(
      '--baseline <file>',
      'file of known failures, which do not fail the run; conformance baseline writes it',
      nonEmptyParser('name a baseline file'),
    )
    .addOption(
      new Option(
        '--fail-on <which>',
        'failures that fail the run: any, or only those that are new since the previous run',
      )
        .choices(['any', 'new'])
        .default('any'),
    );
}

/** The options that name a folder in which an earlier run may be. */
interface FolderOptions {
  out?: string;
  history?: string;
}

/**
 * The gate that the options describe; null if the verdict alone decides. Rejects with a ConfigurationError for an invalid baseline, and if
 * no option names a folder of earlier runs to compare with.
 */
export async function loadGate(options: GateOptions & FolderOptions): Promise<GateSettings | null> {
  const { baseline, failOn, out, history } = options;
  if (failOn === 'new' && out === undefined && history === undefined)
    throw new ConfigurationError(
      '--fail-on: new compares with an earlier run, and no folder is named; add --history DIR, or the --out DIR of the earlier run',
    );
  if (baseline === undefined) return failOn === 'any' ? null : { failOn, baseline: null, knownFailures: [] };
  // Loaded on demand: the YAML parser slows down the start.
  const { readBaseline } = await import('../earlier-runs/read-baseline.ts');
  return { failOn, baseline, knownFailures: readBaseline(baseline, '--baseline') };
}
