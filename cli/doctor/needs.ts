import { bindingContradiction } from '../../engine/diagnosis/operation-binding.ts';
import { type PreflightResult, REQUIRED_ACTORS } from '../../engine/preflight/preflight.ts';
import { missingField, type Need, type OrganizationIds, usedNeed } from '../../engine/target/capabilities.ts';
import { catalogueCheck } from '../../specs/catalogue/catalogue.ts';
import { excludeForbidden } from '../../specs/catalogue/selection.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { type ActorName, isOperationName, type OperationName, type Target } from '../../specs/target-file/target.ts';
import { allChecks } from '../../suites/all.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Problems of bound operations that show without a request, by operation. */
export function knownBindingProblems(target: Target): Map<OperationName, string> {
  const names = Object.keys(target.operations) as OperationName[];
  return new Map(names.flatMap((name) => bindingProblem(name, target)));
}

function bindingProblem(name: OperationName, target: Target): [OperationName, string][] {
  const why = bindingContradiction(name, target);
  return why === null ? [] : [[name, why]];
}

/**
 * The reason why the checks of an actor cannot run, for each further actor whose key the server rejects. The key of `revoked` must be
 * rejected, and the preflight reports those of the seller and the buyer.
 */
export function rejectedActors(actors: PreflightResult['actors']): Map<ActorName, string> {
  const rejected = actors.filter(
    ({ actor, status }) => !REQUIRED_ACTORS.has(actor) && actor !== 'revoked' && status === 401,
  );
  return new Map(rejected.map(({ actor }) => [actor, 'the server rejects this key and secret (401); correct them']));
}

/** Counts the checks that can run against the target, and the reasons for all others. `wrong`: by operation and actor. */
export function remainingChecks(
  target: Target,
  organizations: OrganizationIds,
  checks: readonly CheckId[],
  wrong: ReadonlyMap<Need, string>,
): Pick<Diagnosis, 'blocked' | 'leftOut' | 'judged'> {
  const { selected, excluded } = excludeForbidden(checks, target.allow);
  const chosen = new Set(selected);
  const blocked = new Map<string, { checks: number; required: number }>();
  const leftOut = new Map<string, number>();
  const count = (reason: string) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  for (const { reason } of excluded) count(reason.replace(' of the target file', ''));
  let judged = selected.length;
  for (const { id, needs } of allChecks) {
    if (!chosen.has(id)) continue;
    const absent = needs.find((need) => (target.notOffered as readonly Need[]).includes(need));
    const field = needs.map((need) => blockingField(need, target, organizations, wrong)).find((each) => each !== null);
    if (absent !== undefined) count(`operations.${absent} is declared not-offered`);
    else if (field) {
      const before = blocked.get(field) ?? { checks: 0, required: 0 };
      const required = catalogueCheck(id).level === 'required' ? 1 : 0;
      blocked.set(field, { checks: before.checks + 1, required: before.required + required });
    } else continue;
    judged -= 1;
  }
  return {
    blocked: [...blocked].map(([field, counts]) => ({ field, ...counts, remedy: remedyFor(field, wrong) })),
    leftOut: [...leftOut].map(([reason, number]) => ({ reason, checks: number })),
    judged: { checks: judged, of: selected.length },
  };
}

function blockingField(
  need: Need,
  target: Target,
  organizations: OrganizationIds,
  wrong: ReadonlyMap<Need, string>,
): string | null {
  const used = usedNeed(need);
  if (wrong.has(used)) return `${isOperationName(used) ? 'operations' : 'actors'}.${used}`;
  return missingField(need, target, organizations)?.replace(' of the target file', '') ?? null;
}

function remedyFor(field: string, wrong: ReadonlyMap<Need, string>): string {
  const why = wrong.get(field.replace(/^(operations|actors)\./, '') as Need);
  if (why !== undefined) return why.startsWith(`${field}: `) ? why.slice(field.length + 2) : why;
  if (field.endsWith('.organizationId')) {
    return 'no listed invoice shows the id of this organization; copy the id from the dashboard, or create an invoice between seller and buyer there';
  }
  if (field.startsWith('operations.')) return 'bind it, or declare it not-offered if the service has no such operation';
  if (field.startsWith('counterparties.'))
    return field.endsWith('.suspended')
      ? 'enter the id of an organization whose connection with the seller is not active'
      : 'enter the id of an organization without a connection with the seller';
  return 'give key and secret';
}
