import { postInvoice, sendAction } from '../../helpers/api/operations.ts';
import { canHaveRequestId } from '../../helpers/api/requests.ts';
import { type ApiResponse, isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { runCreationControl } from '../../helpers/controls/positive-controls.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import { partyFor, performAction, retryWhileLocked } from '../../helpers/invoices/acting-party.ts';
import { findInvoice } from '../../helpers/invoices/find-invoice.ts';
import {
  createInvoiceInState,
  moveToState,
  recordInvoiceState,
  resolveCreatedInvoice,
} from '../../helpers/invoices/invoices.ts';
import { EXCESSIVE_AMOUNT, largeWithdrawal } from '../../helpers/treasury/withdrawals/large-withdrawal.ts';

/** Only successful requests are remembered, so a corrected request with the requestId of a rejected one is accepted. */
function expectAcceptedAfterRejection(
  ctx: CheckContext,
  rejection: ApiResponse,
  response: ApiResponse,
  what: string,
): void {
  const because = `the first request with this requestId was rejected with ${rejection.status}; the corrected request is rejected with ${response.status}`;
  expectThat(ctx, isSuccess(response), response, `${what} accepted`, because, { status: 'success' });
}

/** The control of a rejected withdrawal: a small one with another requestId. */
async function skipUnlessWithdrawalAccepted(ctx: CheckContext): Promise<void> {
  const { text } = withdrawalAmountFor(ctx, 'after a rejection, control');
  const extra = { requestId: ctx.createRequestId() };
  const control = await sendTreasuryRequest(ctx, 'treasuryWithdraw', extra, text);
  if (!isSuccess(control)) notApplicable(`the server accepts no withdrawal: a small one returns ${control.status}`);
}

export const afterRejectionChecks: readonly Check[] = [
  check('IDEM-12.unconnected', ['connection', 'unconnected'], async (ctx) => {
    await runCreationControl(ctx);
    const body = { ...validBody(ctx), requestId: ctx.createRequestId() };
    const rejection = await postInvoice(ctx, { ...body, buyerId: ctx.target.counterparties.unconnected });
    if (isSuccess(rejection))
      notApplicable('the server accepts a creation without a connection', { judgedBy: 'CONN-01.unconnected' });
    const response = await postInvoice(ctx, body);
    const what = `a valid creation with requestId ${body.requestId}, first rejected with ${rejection.status}`;
    await expectCreated(ctx, response, what);
    await resolveCreatedInvoice(ctx, body, response);
  }),

  check('IDEM-12.submission', ['connection', 'submit'], async (ctx) => {
    const invoice = await moveToState(ctx, await createInvoiceInState(ctx, 'DRAFT'), 'SUBMITTED');
    const extra = { as: ctx.credentials(partyFor(ctx, 'submit')), requestId: ctx.createRequestId() };
    const rejection = await sendAction(ctx, 'submit', invoice.id, extra);
    if (isSuccess(rejection))
      notApplicable('the server accepts a second submission', { judgedBy: 'LIFE-02.submitted-submit' });
    const control = await performAction(ctx, 'submit', (await createInvoiceInState(ctx, 'DRAFT')).id);
    if (!isSuccess(control))
      notApplicable('the server rejects the submit action', { judgedBy: 'LIFE-01.draft-submit' });
    const other = await createInvoiceInState(ctx, 'DRAFT');
    const response = await retryWhileLocked(() => sendAction(ctx, 'submit', other.id, extra));
    const moved = !isSuccess(response) && (await findInvoice(ctx, other.id)).record?.status !== 'DRAFT';
    if (moved) notApplicable('the state of the draft changed spontaneously');
    expectAcceptedAfterRejection(ctx, rejection, response, 'the submission of a DRAFT');
    recordInvoiceState(ctx, { id: other.id, state: 'SUBMITTED' });
  }),

  checkInPhase('late', 'IDEM-12.withdrawal', ['seller', 'treasuryWithdraw'], async (ctx) => {
    if (!canHaveRequestId(ctx, 'treasuryWithdraw'))
      notApplicable('the target file binds treasuryWithdraw to GET, which has no requestId');
    if (await largeWithdrawal(ctx)) return;
    const requestId = ctx.createRequestId();
    const excessive = { requestId, exceedsFunds: true as const };
    const rejection = await sendTreasuryRequest(ctx, 'treasuryWithdraw', excessive, EXCESSIVE_AMOUNT);
    if (isSuccess(rejection))
      notApplicable('the server accepts a withdrawal beyond the funds', { judgedBy: 'TREAS-01.beyond-funds' });
    const { text } = withdrawalAmountFor(ctx, 'after a rejection');
    const response = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { requestId }, text);
    if (isSuccess(response)) return;
    // The control runs only when needed, because a withdrawal cannot be undone.
    await skipUnlessWithdrawalAccepted(ctx);
    expectAcceptedAfterRejection(ctx, rejection, response, 'a withdrawal within the funds');
  }),

  check('IDEM-12.after-rejection', ['connection'], async (ctx) => {
    const rejected = { ...validBody(ctx), amount: 'twelve', requestId: ctx.createRequestId() };
    const first = await postInvoice(ctx, rejected);
    if (isSuccess(first)) notApplicable('the server accepted the invalid original', { judgedBy: 'CREATE-03.text' });
    const corrected = { ...rejected, amount: validBody(ctx).amount };
    const response = await postInvoice(ctx, corrected);
    ctx.observe('replay-after-rejection', response.status);
    await expectCreated(
      ctx,
      response,
      `a valid creation with requestId ${rejected.requestId}, first rejected with ${first.status}`,
    );
    await resolveCreatedInvoice(ctx, corrected, response);
  }),
];
