import type { Rules } from '../service/rules.ts';

/** Creates the rules of a server from the original ones. */
export type RuleChange = (base: Readonly<Rules>) => Rules;

/** The rules with some of them replaced. The replacements may call the original ones. */
export function overrideRules(replace: (base: Readonly<Rules>) => Partial<Rules>): RuleChange {
  return (base) => ({ ...base, ...replace(base) });
}
