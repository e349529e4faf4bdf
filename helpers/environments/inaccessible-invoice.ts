import type { InvoiceAction } from '../../specs/lifecycle.ts';
import type { ActorName } from '../../specs/target.ts';
import { ownEnvironment } from '../api/environment-header.ts';
import { act } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { breach, expectRefused } from '../assert/expect.ts';
import { expectPermitted } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { absentId } from '../invoices/nonexistent-id.ts';
import { expectDeployed } from './production.ts';

/** 404 with INV001; or 403, where the key gets it for an id that never existed, too: it may not use the operation, and is told nothing. */
export async function expectNotFound(
  lab: Lab,
  action: InvoiceAction,
  id: string,
  actor: ActorName,
): Promise<ApiResponse> {
  const as = lab.who(actor);
  const answer = await act(lab, action, id, { as });
  if (actor === 'production') expectDeployed(answer);
  if (answer.status !== 403) {
    expectRefused(lab, answer, [404], 'INV001');
    return answer;
  }
  const never = await act(lab, action, await absentId(lab), { as });
  if (never.status === 403) return answer;
  lab.run.permissions.grant(never);
  const because = 'the id of another organization is told from one that never existed';
  throw breach(lab, answer, '404 INV001', because, [never]);
}

/** 404 with INV001, whatever else the request carries. Throws Blocked where the key may not use the operation. */
export async function expectNoAccess(
  lab: Lab,
  action: InvoiceAction,
  id: string,
  actor: ActorName,
): Promise<ApiResponse> {
  const answer = await expectNotFound(lab, action, id, actor);
  expectPermitted(answer);
  const more = { headers: ownEnvironment, ...(action === 'submit' && { requestId: lab.requestId() }) };
  expectRefused(lab, await act(lab, action, id, { as: lab.who(actor), ...more }), [404], 'INV001');
  return answer;
}
