import { isDeepStrictEqual } from 'node:util';
import { canHaveRequestId, postInvoice, sendTreasuryRequest, treasuryActor } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { replayedSubmission } from '../../helpers/authentication/rejected-replays.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check } from '../../helpers/context/check.ts';
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
    const because = 'another organization gets the original answer';
    if (isSuccess(theirs))
      throw breach(ctx, theirs, "no answer about another organization's invoice", because, [first]);
  }),

  check('IDEM-07.balance', ['connection', 'seller', 'buyer', 'treasuryBalance'], async (ctx) => {
    if (!canHaveRequestId(ctx, 'treasuryBalance')) {
      notApplicable('the balance is a GET here: it takes no body and so no requestId');
    }
    const requestId = ctx.createRequestId();
    const as = ctx.credentials(treasuryActor(ctx, 'treasuryBalance') === 'buyer' ? 'seller' : 'buyer');
    const first = await sendTreasuryRequest(ctx, 'treasuryBalance', { requestId });
    const own = await sendTreasuryRequest(ctx, 'treasuryBalance', { as });
    if (!isSuccess(first) || !isSuccess(own)) notApplicable('not both organizations get a balance');
    if (isDeepStrictEqual(first.json, own.json)) notApplicable('both balances look the same');
    const theirs = await sendTreasuryRequest(ctx, 'treasuryBalance', { as, requestId });
    const because = "it is the other organization's original answer";
    expectThat(ctx, !isDeepStrictEqual(theirs.json, first.json), theirs, 'a balance of its own', because);
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
      const because = `the ${name} gets the original answer of another organization`;
      if (same) throw breach(ctx, theirs, 'an answer of its own', because, [first]);
    }
    if (!responses.some(isSuccess)) notApplicable('no other organization may withdraw');
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
          "an answer of the outsider's own",
          `it is the seller's original answer with invoice ${invoice.id}`,
          [response],
        );
    }
    expectOriginalResponse(ctx, response, await postInvoice(ctx, body));
  }),
];
