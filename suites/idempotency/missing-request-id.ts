import { postInvoice, sendAction } from '../../helpers/api/operations.ts';
import { type ApiResponse, isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest } from '../../helpers/api/treasury-requests.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { idIsNot } from '../../helpers/assert/expectations.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import { expectCreated } from '../../helpers/fixtures/created-invoice.ts';
import { partyFor, performAction } from '../../helpers/invoices/acting-party.ts';
import { waitUntilLeft } from '../../helpers/invoices/find-invoice.ts';
import {
  createInvoice,
  createInvoiceInState,
  recordInvoiceState,
  resolveCreatedInvoice,
} from '../../helpers/invoices/invoices.ts';
import {
  balanceLagMs,
  centsByPlace,
  readQuietBalance,
  waitForLoweredAmount,
} from '../../helpers/treasury/balances/balance.ts';
import { repeatExclusively } from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import { endWithUnseenWithdrawal } from '../../helpers/treasury/withdrawals/unseen-withdrawal.ts';

export const withoutRequestIdChecks: readonly Check[] = [
  check('IDEM-08.submit-no-request-id', ['connection', 'submit'], async (ctx) => {
    const invoice = await createInvoiceInState(ctx, 'DRAFT');
    const first = await performAction(ctx, 'submit', invoice.id);
    if (!isSuccess(first)) notApplicable('the server rejects the submit action', { judgedBy: 'LIFE-01.draft-submit' });
    const { isMet } = await waitUntilLeft(ctx, invoice.id, { from: 'DRAFT', by: 'submit' });
    if (!isMet) notApplicable('a single submission leaves the invoice in DRAFT on this server');
    recordInvoiceState(ctx, { id: invoice.id, state: 'SUBMITTED' });
    const again = await sendAction(ctx, 'submit', invoice.id, { as: ctx.credentials(partyFor(ctx, 'submit')) });
    expectThat(
      ctx,
      !isSuccess(again),
      again,
      'a rejection: the invoice is already SUBMITTED',
      'the server accepted the second submission like a replay, although neither request had a requestId',
      { status: 'rejection' },
    );
  }),

  check('IDEM-08.withdraw-no-request-id', ['seller', 'treasuryWithdraw', 'treasuryBalance'], (ctx) =>
    repeatExclusively(ctx, async (tries) => {
      const { cents, text } = withdrawalAmountFor(ctx, 'twice', tries);
      const untouched = await readQuietBalance(ctx);
      const before = centsByPlace(untouched);
      const responses = [
        await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, text),
        await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, text),
      ];
      if (!responses.every(isSuccess)) notApplicable(`the server does not accept both withdrawals of ${text}`);
      const patience = balanceLagMs(ctx);
      if (await waitForLoweredAmount(ctx, before, cents, patience, { least: 2, most: 2 })) return;
      const once = await waitForLoweredAmount(ctx, before, cents, 0);
      if (!once)
        return await endWithUnseenWithdrawal(ctx, {
          before: untouched,
          withdrawal: responses[0] as ApiResponse,
          amount: text,
        });
      const because = `both withdrawals were accepted, but ${once.place} fell by ${text} only once`;
      throw breach(ctx, once.response, `a balance lowered by ${text} twice`, because, responses);
    }),
  ),

  check('IDEM-08.no-request-id', ['connection'], async (ctx) => {
    const first = await createInvoice(ctx);
    const response = await postInvoice(ctx, first.body);
    await expectCreated(ctx, response, 'a second creation without a requestId, identical to the first');
    const second = await resolveCreatedInvoice(ctx, first.body, response);
    expectThat(
      ctx,
      second.id !== first.id,
      response,
      'a second invoice',
      `the response shows invoice ${first.id} again`,
      idIsNot(response, first.id),
    );
  }),
];
