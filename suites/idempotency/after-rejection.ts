import { canHaveRequestId, postInvoice, sendAction, sendTreasuryRequest } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { runCreationControl } from '../../helpers/controls/controls.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import { partyFor, performAction } from '../../helpers/invoices/acting-party.ts';
import { findInvoice } from '../../helpers/invoices/find-invoice.ts';
import {
  createInvoiceInState,
  moveToState,
  recordInvoiceState,
  resolveCreatedInvoice,
} from '../../helpers/invoices/invoices.ts';
import { EXCESSIVE_AMOUNT, largeWithdrawal } from '../../helpers/treasury/withdrawals/large-withdrawal.ts';

/** Only what succeeded is remembered: what is right now, and was wrong the first time, is carried out. */
function expectAcceptedAfterRejection(
  lab: CheckContext,
  refusal: ApiResponse,
  answer: ApiResponse,
  what: string,
): void {
  const because = `its requestId was refused with ${refusal.status} before, for another reason, and is refused with ${answer.status} now`;
  expectThat(lab, isSuccess(answer), answer, `${what} accepted`, because);
}

export const afterRejectionChecks: readonly Check[] = [
  check('IDEM-12.unconnected', ['connection', 'unconnected'], async (lab) => {
    await runCreationControl(lab);
    const body = { ...validBody(lab), requestId: lab.createRequestId() };
    const refusal = await postInvoice(lab, { ...body, buyerId: lab.target.counterparties.unconnected });
    if (isSuccess(refusal)) notApplicable('it is accepted without a connection; CONN-01 judges that');
    const answer = await postInvoice(lab, body);
    const what = `a valid creation with requestId ${body.requestId}, first refused with ${refusal.status}`;
    await expectCreated(lab, answer, what);
    await resolveCreatedInvoice(lab, body, answer);
  }),

  check('IDEM-12.submission', ['connection', 'submit'], async (lab) => {
    const invoice = await moveToState(lab, await createInvoiceInState(lab, 'DRAFT'), 'SUBMITTED');
    const extra = { as: lab.credentials(partyFor(lab, 'submit')), requestId: lab.createRequestId() };
    const refusal = await sendAction(lab, 'submit', invoice.id, extra);
    if (isSuccess(refusal)) notApplicable('a second submission is accepted; LIFE-02 judges that');
    const control = await performAction(lab, 'submit', (await createInvoiceInState(lab, 'DRAFT')).id);
    if (!isSuccess(control)) notApplicable('submit is refused; LIFE-01 judges that');
    const other = await createInvoiceInState(lab, 'DRAFT');
    const answer = await sendAction(lab, 'submit', other.id, extra);
    const moved = !isSuccess(answer) && (await findInvoice(lab, other.id)).record?.status !== 'DRAFT';
    if (moved) notApplicable('the draft has moved on by itself meanwhile');
    expectAcceptedAfterRejection(lab, refusal, answer, 'the submission of a DRAFT');
    recordInvoiceState(lab, { id: other.id, state: 'SUBMITTED' });
  }),

  checkInPhase('late', 'IDEM-12.withdrawal', ['seller', 'treasuryWithdraw'], async (lab) => {
    if (!canHaveRequestId(lab, 'treasuryWithdraw')) notApplicable('the withdrawal is a GET here, without a requestId');
    if (await largeWithdrawal(lab)) return;
    const requestId = lab.createRequestId();
    const refusal = await sendTreasuryRequest(
      lab,
      'treasuryWithdraw',
      { requestId, exceedsFunds: true },
      EXCESSIVE_AMOUNT,
    );
    if (isSuccess(refusal)) notApplicable('it is accepted; TREAS-01 judges that');
    const answer = await sendTreasuryRequest(
      lab,
      'treasuryWithdraw',
      { requestId },
      withdrawalAmountFor(lab, 'after a refusal').text,
    );
    if (isSuccess(answer)) return;
    // The control: what is withdrawn cannot be taken back, so only where it tells something.
    const controlSum = withdrawalAmountFor(lab, 'after a refusal, control').text;
    const control = await sendTreasuryRequest(
      lab,
      'treasuryWithdraw',
      { requestId: lab.createRequestId() },
      controlSum,
    );
    if (!isSuccess(control)) notApplicable(`no withdrawal is accepted: one of a small sum gets ${control.status}`);
    expectAcceptedAfterRejection(lab, refusal, answer, 'a withdrawal that is covered');
  }),

  check('IDEM-12.after-rejection', ['connection'], async (lab) => {
    const refused = { ...validBody(lab), amount: 'twelve', requestId: lab.createRequestId() };
    const first = await postInvoice(lab, refused);
    if (isSuccess(first)) notApplicable('the invalid original was accepted; CREATE-03 judges that');
    const corrected = { ...refused, amount: validBody(lab).amount };
    const answer = await postInvoice(lab, corrected);
    lab.observe('replay-after-refusal', answer.status);
    await expectCreated(
      lab,
      answer,
      `a valid creation with requestId ${refused.requestId}, first refused with ${first.status}`,
    );
    await resolveCreatedInvoice(lab, corrected, answer);
  }),
];
