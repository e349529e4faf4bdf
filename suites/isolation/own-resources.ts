import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { findMirroredBalance, readOtherPartyBalance } from '../../helpers/treasury/balances/balance-mix-up.ts';
import { mayShareTreasury } from '../../helpers/treasury/balances/shared-treasury.ts';
import {
  expectDeletionByOthersRejected,
  expectNotListedByOthers,
} from '../../helpers/webhooks/foreign-subscriptions.ts';

export const ownResourcesChecks: readonly Check[] = [
  check('ISO-07.balance', ['connection', 'seller', 'buyer', 'treasuryBalance', 'treasuryWithdraw'], async (ctx) => {
    const mirrored = await findMirroredBalance(ctx, readOtherPartyBalance, 'balances of both parties', 1);
    if (!mirrored) return;
    if (await mayShareTreasury(ctx)) notApplicable('both parties pay from one treasury on this server');
    const because = 'the balance equals that of the other party, even after a withdrawal by that party';
    throw breach(ctx, mirrored.other, 'a separate balance for each organization', because, [mirrored.sandbox]);
  }),

  check('ISO-07.webhook-list', ['connection', 'buyer'], (ctx) =>
    expectNotListedByOthers(ctx, 'buyer', "no subscription of another organization in the buyer's list"),
  ),

  check('ISO-07.webhook-delete', ['connection', 'buyer'], (ctx) => expectDeletionByOthersRejected(ctx, 'buyer')),
];
