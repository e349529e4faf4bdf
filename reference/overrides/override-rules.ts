import type { Rules } from '../service/rules.ts';

/** Makes a server's rules of the honest ones. */
export type RuleChange = (base: Readonly<Rules>) => Rules;

/** The rules with some of them replaced; the replacements may still ask the honest ones. */
export function overrideRules(replace: (base: Readonly<Rules>) => Partial<Rules>): RuleChange {
  return (base) => ({ ...base, ...replace(base) });
}
