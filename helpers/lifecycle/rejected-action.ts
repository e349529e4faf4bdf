import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import { sandboxHeader } from '../api/environment-header.ts';
import { sendAction } from '../api/operations.ts';
import { isSuccess, skipIfInsufficientFunds } from '../api/responses.ts';
import { expectRejected } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { skipUnlessUnchangedUntil } from '../controls/spontaneous-change.ts';
import { otherPartyCredentials, type Party, partyFor, retryWhileLocked } from '../invoices/acting-party.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import { type Invoice, rejectedCheckId } from '../invoices/invoices.ts';

export interface RejectionOptions {
  /** Whether 409 is an allowed rejection. */
  conflict: boolean;
  /** Whether the server accepts the action in a state that offers it. */
  worksElsewhere: boolean;
}

/**
 * Throws a Breach unless the server rejects an action that the state does not offer with 412 INV004, or with 409 if
 * `conflict` allows it. The other party and other request options must get the same result.
 */
export async function expectStateRejection(
  ctx: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  trial: RejectionOptions,
): Promise<void> {
  if (!(await expectSingleStateRejection(ctx, action, invoice, trial))) return;
  const statuses = rejectionStatuses(trial);
  const party = partyFor(ctx, action);
  // A server may check the state for one party only, so the other party tries as well.
  const other = otherPartyCredentials(ctx, party);
  const byOther = other && (await sendAction(ctx, action, invoice.id, { as: other }));
  if (byOther && isSuccess(byOther)) {
    await skipIfStateChanged(ctx, invoice, byOther);
    expectRejected(ctx, byOther, statuses);
  }
  // A server may process a request with an environment or a requestId on another code path.
  const more = { headers: sandboxHeader, ...(action === 'submit' && { requestId: ctx.createRequestId() }) };
  const again = await sendUnlocked(statuses, () =>
    sendAction(ctx, action, invoice.id, { as: ctx.credentials(party), ...more }),
  );
  await skipIfStateChanged(ctx, invoice, again);
  expectRejected(ctx, again, statuses, again.status === 412 ? 'INV004' : undefined);
}

/** A server may lock an invoice after a change, and check the lock before the state. */
function sendUnlocked(statuses: readonly number[], request: () => Promise<ApiResponse>): Promise<ApiResponse> {
  return retryWhileLocked(
    request,
    (response) => response.status === 409 && !statuses.includes(409) && bodyMember(response, 'code') !== 'INV004',
  );
}

const rejectionStatuses = ({ conflict }: RejectionOptions) => (conflict ? [412, 409] : [412]);

/**
 * The same with one request by the permitted party. False if the response was about the party, and the other party was
 * rejected.
 */
export async function expectSingleStateRejection(
  ctx: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  trial: RejectionOptions,
): Promise<boolean> {
  const { worksElsewhere } = trial;
  const statuses = rejectionStatuses(trial);
  const party = partyFor(ctx, action);
  const response = await sendUnlocked(statuses, () =>
    sendAction(ctx, action, invoice.id, { as: ctx.credentials(party) }),
  );
  const byState = (one: ApiResponse) => one.status === 412 || one.status === 409;
  if (!byState(response) && !isSuccess(response)) {
    if (!worksElsewhere) skipForUnreachableState(response);
    if (await expectOtherPartyRejected(ctx, action, invoice, party, response, statuses)) return false;
  }
  await skipIfStateChanged(ctx, invoice, response);
  // Where the server accepts no settlement, it may check the funds before the state.
  if (action === 'settle' && !worksElsewhere) skipIfInsufficientFunds(response);
  expectRejected(ctx, response, statuses, response.status === 412 ? 'INV004' : undefined);
  observeRejection(ctx, action, invoice, String(response.status));
  return true;
}

function skipForUnreachableState({ request, status }: ApiResponse): never {
  return notApplicable(
    `no invoice reaches a state that offers ${request.operation}, and the server returned ${status}`,
  );
}

/** Only the check of this table cell observes, because results in other checks depend on their order. */
function observeRejection(ctx: CheckContext, action: InvoiceAction, { state }: Invoice, statuses: string): void {
  if (ctx.execution.id === rejectedCheckId(state, action))
    ctx.observe('rejection-status', `${action} in ${state}: ${statuses}`);
}

/** Throws NotApplicable if a spontaneous change may have preceded the accepted action. */
async function skipIfStateChanged(ctx: CheckContext, invoice: Invoice, response: ApiResponse): Promise<void> {
  if (isSuccess(response)) await skipUnlessUnchangedUntil(ctx, invoice, response.sentAt, response);
}

/**
 * A 403 or 404 may be about the party. Then the server must reject the other party because of the state, or hide the invoice
 * from the first one, for example a draft from its buyer.
 */
async function expectOtherPartyRejected(
  ctx: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  party: Party,
  first: ApiResponse,
  statuses: readonly number[],
): Promise<boolean> {
  const other = otherPartyCredentials(ctx, party);
  if ((first.status !== 403 && first.status !== 404) || !other) return false;
  const hidden = first.status === 404 && (await findInvoice(ctx, invoice.id, party)).record === null;
  const second = await sendAction(ctx, action, invoice.id, { as: other });
  // The invoice may be hidden from the permitted party, and the other party rejected because of its role.
  const byRole = [403, 404, 409, 412].includes(second.status) && bodyMember(second, 'code') !== 'INV004';
  if (hidden && byRole) return true;
  const isRejectedByState = second.status === 412 || second.status === 409;
  if (!isRejectedByState && !isSuccess(second)) return false;
  if (first.status === 404 && !hidden && !isSuccess(second)) return false;
  await skipIfStateChanged(ctx, invoice, second);
  expectRejected(ctx, second, statuses, second.status === 412 ? 'INV004' : undefined);
  observeRejection(ctx, action, invoice, `${first.status} to the ${party}, ${second.status} to the other`);
  return true;
}
