import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import { NotApplicable } from '../../engine/model/outcomes.ts';
import { type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import { type ListQuery, listInvoices } from '../api/operations.ts';
import { is2xx } from '../api/responses.ts';
import { blockedByRejection } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';

const UNAVAILABLE_CODE = 'GW_ENVIRONMENT_UNAVAILABLE';

/** Whether the response reports that the environment is not deployed at this target. */
export function isUndeployed(response: ApiResponse): boolean {
  return bodyMember(response, 'code') === UNAVAILABLE_CODE;
}

/** Throws NotApplicable if production is not deployed. */
export function skipUnlessDeployed(response: ApiResponse): void {
  if (isUndeployed(response))
    throw new NotApplicable(`production is not deployed at this target (503 ${UNAVAILABLE_CODE})`);
}

/** The production key's list. Throws NotApplicable when production is not deployed. */
export async function listProduction(
  ctx: CheckContext,
  query: ListQuery | string = {},
  headers?: [string, string][],
): Promise<ApiResponse> {
  const response = await listInvoices(ctx, query, { as: ctx.credentials('production'), ...(headers && { headers }) });
  skipUnlessDeployed(response);
  return response;
}

/**
 * The invoices of the newest production page. Throws Blocked when the server rejects the list, NotApplicable when production is
 * not deployed.
 */
export async function listProductionInvoices(ctx: CheckContext): Promise<JsonObject[]> {
  const response = await listProduction(ctx, { page: 0, limit: 100 });
  if (!is2xx(response))
    throw blockedByRejection(ctx, response, 'ORG-02.production-served', 'the server rejects the production list');
  return listItems(response);
}
