import type { HeaderRecord } from '../formats/journal.ts';
import { isExchangeRule } from './check-order.ts';

export type RunScope = Pick<HeaderRecord['run'], 'profile' | 'filtered' | 'budget' | 'shard'>;

const WIDE_PROFILES: ReadonlySet<string> = new Set(['core', 'full']);

/**
 * Whether a pass of this check shows that its defect is gone. An exchange rule judges the responses that other checks receive, and a
 * run of some checks may not see the one that breaks the rule.
 */
export function isPassConclusive(
  id: string,
  { profile, filtered, budget, shard }: RunScope,
  isWhole: boolean,
): boolean {
  if (!isExchangeRule(id)) return true;
  const isPart = filtered.length > 0 || budget !== undefined || shard !== undefined;
  return isWhole && !isPart && WIDE_PROFILES.has(profile);
}
