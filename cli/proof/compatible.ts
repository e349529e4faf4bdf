import type { Variation } from '../../reference/overrides/server-overrides.ts';
import { defaultRules } from '../../reference/rules/default-rules.ts';
import type { Rules } from '../../reference/service/rules.ts';
import { allVariations } from '../../reference/variations/all.ts';
import { contradictions, loners } from '../../reference/variations/support/contradictions.ts';

type RuleName = keyof Rules;

/** The rules that a variation replaces, and whether the replacement still asks the one that was there. */
function replacements({ rules }: Variation): ReadonlyMap<RuleName, { asks: boolean }> {
  const made = rules?.(defaultRules);
  if (!made) return new Map();
  const names = (Object.keys(defaultRules) as RuleName[]).filter((name) => made[name] !== defaultRules[name]);
  // Every variation calls the rules that it finds `base`: its own text tells whether it passes a call on.
  const asks = (name: RuleName) => new RegExp(`base\\s*\\.\\s*${name}\\(`).test(String(made[name]));
  return new Map(names.map((name) => [name, { asks: asks(name) }]));
}

const known = new Map(allVariations.map((variation) => [variation.id, replacements(variation)]));
const order = new Map(allVariations.map(({ id }, at) => [id, at]));

/**
 * Whether two variations can be one server: they are about different open points, neither contradicts the other or needs to be
 * alone, and where both replace one rule the later one asks the earlier.
 */
export function compatible(one: Variation, other: Variation): boolean {
  if (one.openPoint === other.openPoint || loners.has(one.id) || loners.has(other.id)) return false;
  if (contradictions[one.id]?.includes(other.id) || contradictions[other.id]?.includes(one.id)) return false;
  const [first, second] = (order.get(one.id) ?? 0) < (order.get(other.id) ?? 0) ? [one, other] : [other, one];
  const earlier = known.get(first.id);
  return [...(known.get(second.id) ?? [])].every(([name, { asks }]) => asks || !earlier?.has(name));
}
