import type { Variation } from '../../reference/overrides/server-overrides.ts';
import { defaultRules } from '../../reference/rules/default-rules.ts';
import type { Rules } from '../../reference/service/rules.ts';
import { allVariations } from '../../reference/variations/all.ts';
import { contradictions, standaloneVariations } from '../../reference/variations/support/contradictions.ts';

type RuleName = keyof Rules;

/** The rules that a variation replaces, and whether the replacement still calls the replaced rule. */
function replacedRules({ rules }: Variation): ReadonlyMap<RuleName, { asks: boolean }> {
  const made = rules?.(defaultRules);
  if (!made) return new Map();
  const names = (Object.keys(defaultRules) as RuleName[]).filter((name) => made[name] !== defaultRules[name]);
  // Every variation names the rules that it replaces `base`, so its source text shows whether it calls them.
  const asks = (name: RuleName) => new RegExp(`base\\s*\\.\\s*${name}\\(`).test(String(made[name]));
  return new Map(names.map((name) => [name, { asks: asks(name) }]));
}

const rulesByVariation = new Map(allVariations.map((variation) => [variation.id, replacedRules(variation)]));
const variationOrder = new Map(allVariations.map(({ id }, at) => [id, at]));

/**
 * Whether one server can have both variations: they belong to different open points, do not contradict each other, and neither
 * is standalone. If both replace a rule, the later one must call the earlier one.
 */
export function areCompatible(one: Variation, other: Variation): boolean {
  if (one.openPoint === other.openPoint || standaloneVariations.has(one.id) || standaloneVariations.has(other.id))
    return false;
  if (contradictions[one.id]?.includes(other.id) || contradictions[other.id]?.includes(one.id)) return false;
  const [first, second] =
    (variationOrder.get(one.id) ?? 0) < (variationOrder.get(other.id) ?? 0) ? [one, other] : [other, one];
  const earlier = rulesByVariation.get(first.id);
  return [...(rulesByVariation.get(second.id) ?? [])].every(([name, { asks }]) => asks || !earlier?.has(name));
}
