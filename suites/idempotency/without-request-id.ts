import { act, postInvoice, treasury } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
import { ownSum } from '../../helpers/data/withdrawal-amounts.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import { partyFor, perform } from '../../helpers/invoices/acting-party.ts';
import { hasLeft, lookUntil } from '../../helpers/invoices/find-invoice.ts';
import { freshInvoice, invoiceOf, keepTrack, reach } from '../../helpers/invoices/invoices.ts';
import { amountsOf, placeLoweredBy, SHOWS_WITHIN_MS } from '../../helpers/treasury/balances/balance.ts';
import { repeatExclusively } from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import { endUnseen } from '../../helpers/treasury/withdrawals/unseen-withdrawal.ts';

export const withoutRequestIdChecks: readonly Check[] = [
  check('IDEM-08.submit-no-request-id', ['connection', 'submit'], async (lab) => {
    const invoice = await reach(lab, 'DRAFT');
    const first = await perform(lab, 'submit', invoice.id);
    if (!isSuccess(first)) notApplicable('submit is refused; LIFE-01 judges that');
    const { held } = await lookUntil(lab, invoice.id, hasLeft('DRAFT'));
    if (!held) notApplicable('one submission alone does not take an invoice out of DRAFT here');
    keepTrack(lab, { id: invoice.id, state: 'SUBMITTED' });
    const again = await act(lab, 'submit', invoice.id, { as: lab.who(partyFor(lab, 'submit')) });
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
      const { cents, text } = ownSum(lab, 'twice', tries);
      const untouched = await treasury(lab, 'treasuryBalance');
      const before = amountsOf(untouched);
      const answers = [
        await treasury(lab, 'treasuryWithdraw', {}, text),
        await treasury(lab, 'treasuryWithdraw', {}, text),
      ];
      if (!answers.every(isSuccess)) notApplicable(`not both withdrawals of ${text} are accepted`);
      const patience = Math.max(SHOWS_WITHIN_MS, lab.target.limits.settleWithinMs);
      if (await placeLoweredBy(lab, before, cents, patience, { least: 2, most: 2 })) return;
      const once = await placeLoweredBy(lab, before, cents, 0);
      if (!once)
        return await endUnseen(lab, { before: untouched, withdrawal: answers[0] as ApiResponse, amount: text });
      const because = `both were accepted, and ${once.place} fell by ${text} once`;
      throw breach(lab, once.answer, `a balance lowered by ${text} twice`, because, answers);
    }),
  ),

  check('IDEM-08.no-request-id', ['connection'], async (lab) => {
    const first = await freshInvoice(lab);
    const answer = await postInvoice(lab, first.body);
    await expectCreated(lab, answer, 'a second creation without requestId, equal to the first');
    const second = await invoiceOf(lab, first.body, answer);
    expectThat(lab, second.id !== first.id, answer, 'a second invoice', `it is invoice ${first.id} again`);
  }),
];
