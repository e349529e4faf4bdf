import type { Rules } from '../service/rules.ts';

/** Makes a server's rules of the honest ones. */
export type RuleChange = (honest: Readonly<Rules>) => Rules;

/** The rules with some of them replaced; the replacements may still ask the honest ones. */
export function replaced(replace: (honest: Readonly<Rules>) => Partial<Rules>): RuleChange {
  return (honest) => ({ ...honest, ...replace(honest) });
}
