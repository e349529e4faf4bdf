import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import { sandboxHeader } from '../api/environment-header.ts';
import { sendAction } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { breach, expectRejected } from '../assert/expect.ts';
import { blockIfForbidden } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { nonexistentId } from '../invoices/nonexistent-id.ts';
import { skipUnlessDeployed } from './production.ts';

/**
 * Throws a Breach unless the response is 404 INV001, or 403 for this id and for a nonexistent one: such a key has no permission
 * and learns nothing.
 */
export async function expectNotFound(
  ctx: CheckContext,
  action: InvoiceAction,
  id: string,
  actor: ActorName,
): Promise<ApiResponse> {
  const as = ctx.credentials(actor);
  const response = await sendAction(ctx, action, id, { as });
  if (actor === 'production') skipUnlessDeployed(response);
  if (response.status !== 403) {
    expectRejected(ctx, response, [404], 'INV001');
    return response;
  }
  const never = await sendAction(ctx, action, await nonexistentId(ctx), { as });
  if (never.status === 403) return response;
  ctx.run.permissions.grant(never);
  const because =
    'the key gets 403 for the id of another organization, but another status for an id that never existed';
  throw breach(ctx, response, '404 INV001', because, [never]);
}

/**
 * Throws a Breach unless the response is 404 INV001, also with other headers. Throws Blocked if the key has no permission
 * for the operation.
 */
export async function expectNoAccess(
  ctx: CheckContext,
  action: InvoiceAction,
  id: string,
  actor: ActorName,
): Promise<ApiResponse> {
  const response = await expectNotFound(ctx, action, id, actor);
  blockIfForbidden(response);
  const more = { headers: sandboxHeader, ...(action === 'submit' && { requestId: ctx.createRequestId() }) };
  expectRejected(ctx, await sendAction(ctx, action, id, { as: ctx.credentials(actor), ...more }), [404], 'INV001');
  return response;
}
