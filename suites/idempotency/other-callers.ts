import { isDeepStrictEqual } from 'node:util';
import { postInvoice } from '../../helpers/api/operations.ts';
import { canHaveRequestId } from '../../helpers/api/requests.ts';
import { type ApiResponse, invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { sendTreasuryRequest, treasuryActor } from '../../helpers/api/treasury-requests.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { replayedSubmission } from '../../helpers/authentication/rejected-replays.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { mentionsId } from '../../helpers/data/id-mention.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { withdrawalAmountFor } from '../../helpers/data/withdrawal-amounts.ts';
import { createOriginal, expectOriginalResponse } from '../../helpers/idempotency/replay.ts';
import {
  skipUnlessAmountShown,
  withdrawalWithSimilarIds,
} from '../../helpers/treasury/withdrawals/repeated-withdrawal.ts';

export const otherCallersChecks: readonly Check[] = [
  check('IDEM-07.submission', ['connection', 'submit', 'outsider'], async (ctx) => {
    const { first, replay: again } = await replayedSubmission(ctx);
    const theirs = await again(ctx, { as: ctx.credentials('outsider') });
    const because = 'another organization receives the original response';
    if (isSuccess(theirs))
      throw breach(ctx, theirs, "no response about another organization's invoice", because, [first]);
  }),

  check('IDEM-07.balance', ['connection', 'seller', 'buyer', 'treasuryBalance'], async (ctx) => {
    if (!canHaveRequestId(ctx, 'treasuryBalance')) {
      notApplicable('the target file binds treasuryBalance to GET, which has no body and no requestId');
    }
    const requestId = ctx.createRequestId();
    const as = ctx.credentials(treasuryActor(ctx, 'treasuryBalance') === 'buyer' ? 'seller' : 'buyer');
    const first = await sendTreasuryRequest(ctx, 'treasuryBalance', { requestId });
    const own = await sendTreasuryRequest(ctx, 'treasuryBalance', { as });
    if (!isSuccess(first) || !isSuccess(own)) notApplicable('the balance is not accepted for both organizations');
    if (isDeepStrictEqual(first.json, own.json)) notApplicable('both organizations have equal balances');
    const theirs = await sendTreasuryRequest(ctx, 'treasuryBalance', { as, requestId });
    const because = "the response is the other organization's original response";
    if (!isDeepStrictEqual(theirs.json, first.json)) return;
    const differentFrom = { original: first.exchange, control: own.exchange };
    throw breach(ctx, theirs, "the caller's own balance", because, [first, own], { differentFrom });
  }),

  check('IDEM-07.withdrawal', ['connection', 'seller', 'buyer', 'treasuryWithdraw'], async (ctx) => {
    const own = treasuryActor(ctx, 'treasuryWithdraw');
    const { requestId, first, sum } = await withdrawalWithSimilarIds(ctx);
    const otherSum = withdrawalAmountFor(ctx, 'of another').text;
    skipUnlessAmountShown(first, sum);
    const names = ctx.availableActors('seller', 'buyer', 'outsider').filter((name) => name !== own);
    const responses: ApiResponse[] = [];
    for (const name of names) {
      const theirs = await sendTreasuryRequest(
        ctx,
        'treasuryWithdraw',
        { as: ctx.credentials(name), requestId },
        otherSum,
      );
      responses.push(theirs);
      const same = isSuccess(theirs) && theirs.text.includes(sum) && !theirs.text.includes(otherSum);
      const because = `the ${name} receives the original response of another organization`;
      if (same) throw breach(ctx, theirs, "a response about the caller's own withdrawal", because, [first]);
    }
    if (!responses.some(isSuccess)) notApplicable('the server rejects the withdrawal of every other organization');
  }),

  check('IDEM-07.other-organization', ['connection', 'outsider'], async (ctx) => {
    const { body, invoice, response } = await createOriginal(ctx);
    const own = { ...validBody(ctx), sellerId: ctx.organizationId('outsider'), requestId: body.requestId };
    for (const theirs of [body, own]) {
      const seen = await postInvoice(ctx, theirs, { as: ctx.credentials('outsider') });
      const leaked = invoiceIn(seen)?.id === invoice.id || mentionsId(seen.text, invoice.id);
      if (leaked)
        throw breach(
          ctx,
          seen,
          "a response about the outsider's own request",
          `the response is the seller's original response with invoice ${invoice.id}`,
          [response],
        );
    }
    expectOriginalResponse(ctx, response, await postInvoice(ctx, body));
  }),
];
