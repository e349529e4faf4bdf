import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import type { Certification } from '../../specs/certification/certification.ts';
import type { GateSettings } from '../../specs/formats/journal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { parseTarget, type Target } from '../../specs/target-file/target.ts';
import { checksForBudget } from '../options/budget-option.ts';
import { loadGate } from '../options/gate-options.ts';
import { lastFailedChecks } from '../options/last-failed.ts';
import { withLimits } from '../options/limit-options.ts';
import { selectedChecks } from '../options/selection-options.ts';
import { checksForShard, checksWithoutShard, targetOfShard } from '../options/shard-option.ts';
import { hasTarget, resolveTarget } from '../options/target-options.ts';
import { type CustomChecks, loadCustomChecks } from './load-custom-checks.ts';
import type { RunOptions } from './run-options.ts';

/** What a run judges: the options, checked and resolved. */
export interface RunRequest {
  readonly options: RunOptions;
  readonly target: Target;
  readonly profile: string;
  readonly checks: readonly CheckId[];
  /** The filter of the run; empty for the whole profile. */
  readonly filter: readonly string[];
  /** Checks that the target file allows, but no shard may run. */
  readonly withoutShard: readonly CheckId[];
  readonly custom: CustomChecks | null;
  /** Null if the verdict alone decides the exit code. */
  readonly gate: GateSettings | null;
  /** Of a run that certifies, without the earlier attempts in its folder. */
  readonly certification?: Omit<Certification, 'attempts'>;
  /** Whether the target is the reference service in this process. */
  readonly isEmbedded: boolean;
  /** Ends the reference service in this process. */
  close(): Promise<void>;
}

/**
 * Resolves the options of a run, and rejects with a ConfigurationError. `isProfileChosen`: whether the command line
 * names a profile.
 */
export async function resolveRunRequest(options: RunOptions, isProfileChosen: boolean): Promise<RunRequest> {
  const earlier = await lastFailedChecks(options);
  const profile = earlier && !isProfileChosen ? earlier.profile : options.profile;
  const only = earlier?.only ?? options.only;
  const chosen = selectedChecks({ profile, ...(only && { only }) }, earlier ? '--last-failed' : '--only');
  const gate = await loadGate(options);
  const custom = options.customChecks ? await loadCustomChecks(options.customChecks) : null;
  const isEmbedded = !hasTarget(options);
  if (isEmbedded && options.watch)
    throw new ConfigurationError('--watch: needs a server; name one with --target or --base-url');
  const reference = isEmbedded ? await startEmbeddedReference() : null;
  const loaded = reference ? parseTarget(reference.target) : await resolveTarget(options);
  const { shard, budget, seed } = options;
  const limited = withLimits(loaded, options);
  const target = targetOfShard(limited, shard);
  return {
    options,
    target,
    profile,
    checks: checksForShard(checksForBudget(chosen, budget, target), shard, seed),
    filter: only ?? [],
    withoutShard: checksWithoutShard(chosen, limited, shard),
    custom,
    gate,
    isEmbedded,
    close: async () => {
      await reference?.close();
    },
  };
}

/** Loads the reference service on demand, only for runs without a target. */
async function startEmbeddedReference() {
  const { startReference } = await import('../../reference/service/start.ts');
  return await startReference();
}
