import { postInvoice, sendAction, sendTreasuryRequest } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import { partyFor, performAction } from '../../helpers/invoices/acting-party.ts';
import { hasLeftState, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import {
  createInvoice,
  createInvoiceInState,
  recordInvoiceState,
  resolveCreatedInvoice,
} from '../../helpers/invoices/invoices.ts';
import { centsByPlace, MAX_BALANCE_LAG_MS, waitForLoweredAmount } from '../../helpers/treasury/balances/balance.ts';
import { repeatExclusively } from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import { endWithUnseenWithdrawal } from '../../helpers/treasury/withdrawals/unseen-withdrawal.ts';

export const withoutRequestIdChecks: readonly Check[] = [
  check('IDEM-08.submit-no-request-id', ['connection', 'submit'], async (lab) => {
    const invoice = await createInvoiceInState(lab, 'DRAFT');
    const first = await performAction(lab, 'submit', invoice.id);
    if (!isSuccess(first)) notApplicable('submit is refused; LIFE-01 judges that');
    const { held } = await waitForInvoice(lab, invoice.id, hasLeftState('DRAFT'));
    if (!held) notApplicable('one submission alone does not take an invoice out of DRAFT here');
    recordInvoiceState(lab, { id: invoice.id, state: 'SUBMITTED' });
    const again = await sendAction(lab, 'submit', invoice.id, { as: lab.credentials(partyFor(lab, 'submit')) });
    expectThat(
      lab,
      !isSuccess(again),
      again,
      'a refusal: the invoice is SUBMITTED already',
      'accepted, as if it were a replay',
    );
  }),

  check('IDEM-08.withdraw-no-request-id', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (lab) =>
    repeatExclusively(lab, async (tries) => {
      const { cents, text } = withdrawalAmountFor(lab, 'twice', tries);
      const untouched = await sendTreasuryRequest(lab, 'treasuryBalance');
      const before = centsByPlace(untouched);
      const answers = [
        await sendTreasuryRequest(lab, 'treasuryWithdraw', {}, text),
        await sendTreasuryRequest(lab, 'treasuryWithdraw', {}, text),
      ];
      if (!answers.every(isSuccess)) notApplicable(`not both withdrawals of ${text} are accepted`);
      const patience = Math.max(MAX_BALANCE_LAG_MS, lab.target.limits.settleWithinMs);
      if (await waitForLoweredAmount(lab, before, cents, patience, { least: 2, most: 2 })) return;
      const once = await waitForLoweredAmount(lab, before, cents, 0);
      if (!once)
        return await endWithUnseenWithdrawal(lab, {
          before: untouched,
          withdrawal: answers[0] as ApiResponse,
          amount: text,
        });
      const because = `both were accepted, and ${once.place} fell by ${text} once`;
      throw breach(lab, once.response, `a balance lowered by ${text} twice`, because, answers);
    }),
  ),

  check('IDEM-08.no-request-id', ['connection'], async (lab) => {
    const first = await createInvoice(lab);
    const answer = await postInvoice(lab, first.body);
    await expectCreated(lab, answer, 'a second creation without requestId, equal to the first');
    const second = await resolveCreatedInvoice(lab, first.body, answer);
    expectThat(lab, second.id !== first.id, answer, 'a second invoice', `it is invoice ${first.id} again`);
  }),
];
