import { type Command, Option } from 'commander';
import type { GateSettings } from '../../specs/journal.ts';
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

/** The gate that the options describe; null if the verdict alone decides. Rejects with a ConfigurationError for an invalid baseline. */
export async function loadGate({ baseline, failOn }: GateOptions): Promise<GateSettings | null> {
  if (baseline === undefined) return failOn === 'any' ? null : { failOn, baseline: null, knownFailures: [] };
  // Loaded on demand: the YAML parser slows down the start.
  const { readBaseline } = await import('../baseline/read-baseline.ts');
  return { failOn, baseline, knownFailures: readBaseline(baseline, '--baseline') };
}
