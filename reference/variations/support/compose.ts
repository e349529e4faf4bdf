import type { ServerOverrides } from '../../overrides/server-overrides.ts';

/** One server with all of these variations. Later ones see the replacements of earlier ones. */
export function composeOverrides(deviations: readonly ServerOverrides[]): ServerOverrides {
  return {
    rules: (base) => deviations.reduce((rules, { rules: replace }) => replace?.(rules) ?? rules, { ...base }),
    routes: (base) => deviations.reduce((routes, { routes: replace }) => replace?.(routes) ?? routes, base),
    rewrite: async (request, response) => {
      let answer = response;
      for (const { rewrite } of deviations) answer = (await rewrite?.(request, answer)) ?? answer;
      return answer;
    },
    target: (given) => deviations.reduce((target, { target: adapt }) => adapt?.(target) ?? target, given),
  };
}
