import type { InvoiceAction } from '../../specs/lifecycle.ts';
import type { ActorName } from '../../specs/target.ts';
import { sandboxHeader } from '../api/environment-header.ts';
import { sendAction } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { breach, expectRejected } from '../assert/expect.ts';
import { blockIfForbidden } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { nonexistentId } from '../invoices/nonexistent-id.ts';
import { skipUnlessDeployed } from './production.ts';

/** 404 with INV001; or 403, where the key gets it for an id that never existed, too: it may not use the operation, and is told nothing. */
export async function expectNotFound(
  lab: CheckContext,
  action: InvoiceAction,
  id: string,
  actor: ActorName,
): Promise<ApiResponse> {
  const as = lab.credentials(actor);
  const answer = await sendAction(lab, action, id, { as });
  if (actor === 'production') skipUnlessDeployed(answer);
  if (answer.status !== 403) {
    expectRejected(lab, answer, [404], 'INV001');
    return answer;
  }
  const never = await sendAction(lab, action, await nonexistentId(lab), { as });
  if (never.status === 403) return answer;
  lab.run.permissions.grant(never);
  const because = 'the id of another organization is told from one that never existed';
  throw breach(lab, answer, '404 INV001', because, [never]);
}

/** 404 with INV001, whatever else the request carries. Throws Blocked where the key may not use the operation. */
export async function expectNoAccess(
  lab: CheckContext,
  action: InvoiceAction,
  id: string,
  actor: ActorName,
): Promise<ApiResponse> {
  const answer = await expectNotFound(lab, action, id, actor);
  blockIfForbidden(answer);
  const more = { headers: sandboxHeader, ...(action === 'submit' && { requestId: lab.createRequestId() }) };
  expectRejected(lab, await sendAction(lab, action, id, { as: lab.credentials(actor), ...more }), [404], 'INV001');
  return answer;
}
