import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import { NotApplicable } from '../../engine/model/outcomes.ts';
import { type JsonObject, listItems } from '../../engine/records/find-invoice-record.ts';
import { type ListQuery, list } from '../api/operations.ts';
import { isShown } from '../api/responses.ts';
import { blockedByRefusal } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';

const UNAVAILABLE = 'GW_ENVIRONMENT_UNAVAILABLE';

/** Whether the answer says that an environment has no instances at this target. */
export function isUndeployed(answer: ApiResponse): boolean {
  return bodyMember(answer, 'code') === UNAVAILABLE;
}

/** Throws NotApplicable where production is not deployed. */
export function expectDeployed(answer: ApiResponse): void {
  if (isUndeployed(answer)) throw new NotApplicable(`production is not deployed at this target (503 ${UNAVAILABLE})`);
}

/** The production key's list. Throws NotApplicable when production is not deployed. */
export async function listProduction(
  lab: Lab,
  query: ListQuery = {},
  headers?: [string, string][],
): Promise<ApiResponse> {
  const answer = await list(lab, query, { as: lab.who('production'), ...(headers && { headers }) });
  expectDeployed(answer);
  return answer;
}

/** The invoices of the newest production page. Throws Blocked when the list cannot be had, NotApplicable when it is empty. */
export async function productionInvoices(lab: Lab): Promise<JsonObject[]> {
  const answer = await listProduction(lab, { page: 0, limit: 100 });
  if (!isShown(answer))
    throw blockedByRefusal(lab, answer, 'ORG-02.production-served', 'the production list cannot be had');
  return listItems(answer);
}
