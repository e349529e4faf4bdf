import type { Rules } from '../rules.ts';

/** The rules with some of them replaced; the replacements may still ask the honest ones. */
export function replaced(replace: (honest: Readonly<Rules>) => Partial<Rules>): (honest: Readonly<Rules>) => Rules {
  return (honest) => ({ ...honest, ...replace(honest) });
}
