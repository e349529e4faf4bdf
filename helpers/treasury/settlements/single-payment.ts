import type { ApiResponse } from '../../../engine/model/messages.ts';
import type { CheckContext } from '../../context/check.ts';
import { sharedExperiment } from '../../context/shared-result.ts';
import { takeSpareInvoice } from '../../fixtures/spare-invoices.ts';
import { afterEarlierPayments } from '../balances/balance.ts';
import { balanceChanges, ownSettlementCents, readPartyBalances } from '../balances/party-balances.ts';
import { SIMULTANEOUS_SETTLEMENTS, settleSimultaneously } from './concurrent-settlement.ts';
import { createDueInvoices, rejectedPaymentTraces, tryRejectedSettlements } from './rejected-settlement.ts';

/** Distinct from the amounts of the two separate checks. */
const SUM_INDEXES = [9, 10, 11];

/**
 * Whether concurrent settlements of one invoice, after rejected settlements of others, moved its amount once and nothing else.
 * One experiment answers both questions, so that it leaves only one invoice.
 */
export async function isSinglePayment(ctx: CheckContext): Promise<boolean> {
  const seen = await onePayment(ctx);
  if (seen) ctx.addEvidence(seen);
  return seen !== null;
}

const onePayment = sharedExperiment(runSinglePayment);

async function runSinglePayment(ctx: CheckContext): Promise<ApiResponse[] | null> {
  const sums = SUM_INDEXES.map((which) => ownSettlementCents(ctx, which));
  const { approved, rejected } = await createDueInvoices(ctx, sums, await takeSpareInvoice(ctx));
  return await afterEarlierPayments(ctx, async () => {
    const before = await readPartyBalances(ctx);
    // The rejected settlements go first, so that their effect shows no later than that of the accepted one.
    const rejections = await tryRejectedSettlements(ctx, rejected);
    const { first, moveCount } = await settleSimultaneously(
      ctx,
      approved.invoice,
      approved.cents,
      SIMULTANEOUS_SETTLEMENTS,
    );
    const traces = rejectedPaymentTraces(rejected, approved);
    const isTraced = balanceChanges(before, await readPartyBalances(ctx)).some((move) => traces.includes(move));
    return moveCount === 1 && !isTraced ? [first, ...rejections] : null;
  });
}
