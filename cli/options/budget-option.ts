import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { missingField, type Need } from '../../engine/target/capabilities.ts';
import { checksWithinBudget, PLANNED_SHARE, placeOf, requestsOf } from '../../specs/catalogue/check-order.ts';
import { excludeForbidden } from '../../specs/catalogue/selection.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { Target } from '../../specs/target-file/target.ts';
import { needsByCheck } from './check-needs.ts';

/**
 * The checks on which a run with this budget spends its requests: those of the selection that the target file allows to be judged.
 * Without a budget, the selection. Throws a ConfigurationError if the budget suffices for no check.
 */
export function checksForBudget(chosen: readonly CheckId[], budget: number | undefined, target: Target): CheckId[] {
  if (budget === undefined) return [...chosen];
  const allowed = excludeForbidden(chosen, target.allow).selected;
  const possible = allowed.filter((id) => (needsByCheck.get(id) ?? []).every((need) => isMet(need, target)));
  const checks = checksWithinBudget(possible, budget);
  if (checks.some((id) => needsByCheck.has(id))) return checks;
  // The first check of the order needs no other check's exchanges, which the cheapest one may need.
  const [first] = possible.filter((id) => needsByCheck.has(id)).sort((one, other) => placeOf(one) - placeOf(other));
  const least = Math.ceil(requestsOf(first ? [first] : []) / PLANNED_SHARE);
  throw new ConfigurationError(`--budget: found ${budget}, which suffices for no check; write ${least} or more`);
}

function isMet(need: Need, target: Target): boolean {
  if ((target.notOffered as readonly Need[]).includes(need)) return false;
  // The preflight learns the organizations of the parties.
  const { seller, buyer } = target.actors;
  return missingField(need, target, { ...(seller && { seller: '?' }), ...(buyer && { buyer: '?' }) }) === null;
}
