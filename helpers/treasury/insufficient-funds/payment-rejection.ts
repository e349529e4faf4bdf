import { type ApiResponse, bodyMember, describeResponse, isBusinessRule, isSuccess } from '../../api/responses.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { INSUFFICIENT_FUNDS } from './overdraft.ts';

/**
 * Expects TREAS007 for a payment beyond the funds. Ends the check as not applicable if a covered payment gets the same
 * rejection, because a server may check other payment rules before the funds.
 */
export async function expectInsufficientFundsCode(
  ctx: CheckContext,
  rejection: ApiResponse,
  covered: () => Promise<ApiResponse | null>,
): Promise<void> {
  const code = bodyMember(rejection, 'code');
  if (code === 'TREAS007') return;
  const control = isBusinessRule(rejection) ? await covered() : null;
  if (control) skipIfCoveredRejected(rejection, control);
  throw breach(ctx, rejection, INSUFFICIENT_FUNDS, `the code is ${JSON.stringify(code)}`, control ? [control] : []);
}

function skipIfCoveredRejected(rejection: ApiResponse, control: ApiResponse): void {
  if (isSameRejection(control, rejection))
    notApplicable(`the server rejects a payment that the balance covers in the same way: ${describeResponse(control)}`);
}

/** Whether two payments were rejected with the same status and code. */
export function isSameRejection(one: ApiResponse, other: ApiResponse): boolean {
  return one.status === other.status && bodyMember(one, 'code') === bodyMember(other, 'code');
}

/** Throws a Breach if a payment beyond the funds returns 500 twice, while a covered payment is accepted. */
export async function expectNoInternalError(
  ctx: CheckContext,
  response: ApiResponse,
  again: () => Promise<ApiResponse>,
  covered: () => Promise<ApiResponse | null>,
): Promise<void> {
  if (response.status !== 500) return;
  const second = await again();
  const control = second.status === 500 ? await covered() : null;
  if (!control || !isSuccess(control)) return;
  const because = 'the server returned 500 twice, although a covered payment is accepted';
  throw breach(ctx, response, INSUFFICIENT_FUNDS, because, [second, control]);
}
