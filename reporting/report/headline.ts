import { LEFT_OUT_BY_SHARD } from '../../specs/catalogue/selection.ts';
import type { HeaderRecord, Shard } from '../../specs/formats/journal.ts';
import type { RunVerdict } from '../../specs/verdicts.ts';
import { joinNames, pluralize } from '../text/wording.ts';

export interface VerdictScope {
  readonly profile: string;
  /** The patterns of --only; empty without a filter. */
  readonly filtered: readonly string[];
  /** The number of requests for which the checks were chosen; absent without `--budget`. */
  readonly budget?: number | undefined;
  /** The part of the checks that the run judges; absent if it judges all of them. */
  readonly shard?: Shard | undefined;
  readonly exceptions: readonly string[];
  readonly notes: readonly string[];
}

/** Exceptions of the verdict: opt-in checks that were left out, and operations declared `not-offered` or simulated. */
export function exceptionsOf({ excluded, target }: Pick<HeaderRecord, 'excluded' | 'target'>): string[] {
  const reasons = new Map(excluded.map(({ allowance, reason }) => [allowance, reason]));
  return [
    ...[...reasons].map(
      ([name, reason]) => `${name} (${reason === LEFT_OUT_BY_SHARD ? 'not in shards' : 'not allowed'})`,
    ),
    ...target.notOffered.map((name) => `${name} (not offered)`),
    ...(target.simulatesWithdrawals ? ['treasuryWithdraw (simulated)'] : []),
  ];
}

/** Further facts about the run that the headline states. */
export function notesOf({ target }: Pick<HeaderRecord, 'target'>): string[] {
  return target.allow.productionWrites ? ['production writes were allowed'] : [];
}

/**
 * The verdict with its scope and exceptions, identical in every report format. `overBudget` is the number of checks that the
 * request budget did not suffice for.
 */
export function headlineOf(verdict: RunVerdict, scope: VerdictScope, overBudget = 0): string {
  const { profile, filtered, budget, shard, exceptions, notes } = scope;
  const stated = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  const within = budget === undefined ? '' : `, within ${pluralize(budget, 'request')}`;
  const part = shard === undefined ? '' : `shard ${shard.index} of ${shard.of} of `;
  const name = `${filtered.length === 0 ? '' : `${joinNames(filtered)} of `}${part}profile ${profile}${within}${stated}`;
  const listed = joinNames(exceptions, exceptions.length);
  const except = listed === '' ? '' : `, except ${listed}`;
  const unjudged = listed === '' ? '' : `; not judged: ${listed}`;
  return {
    conformant: `conformant for ${name}${except}`,
    passed: `passed: ${passedScope(name, scope, overBudget)}${except}; the other checks were not judged`,
    'non-conformant': `non-conformant for ${name}${unjudged}`,
    inconclusive: `inconclusive for ${name}${unjudged}`,
  }[verdict];
}

function passedScope(name: string, { filtered, budget }: VerdictScope, overBudget: number): string {
  if (budget !== undefined) return `only the checks with the most known defects per request were judged, for ${name}`;
  if (overBudget > 0) return `the request budget did not suffice for ${pluralize(overBudget, 'check')} of ${name}`;
  return `only ${name} ${filtered.length > 1 ? 'were' : 'was'} judged`;
}
