import type { ApiResponse } from '../../../engine/model/messages.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { runSharedExperiment } from '../../context/shared-experiment.ts';
import { takeSpareInvoice } from '../../fixtures/spare-invoices.ts';
import { balanceChanges, ownSettlementCents, readPartyBalances } from '../balances/party-balances.ts';
import { SETTLEMENT_VOLLEY_SIZE, settleByVolley } from './concurrent-settlement.ts';
import { createDueInvoices, rejectedPaymentTraces, tryRejectedSettlements } from './rejected-settlement.ts';

/** Apart from those of either check alone. */
const SUM_INDEXES = [9, 10, 11];

/**
 * Whether many settlements of one invoice at the same moment, after some that were refused for the states of others, moved its amount
 * once and nothing else. One invoice stays behind for both questions.
 */
export async function isSinglePayment(lab: CheckContext): Promise<boolean> {
  const seen = await runSharedExperiment(lab, 'one payment', () => runSinglePayment(lab));
  if (seen) lab.addEvidence(seen);
  return seen !== null;
}

async function runSinglePayment(lab: CheckContext): Promise<ApiResponse[] | null> {
  const sums = SUM_INDEXES.map((which) => ownSettlementCents(lab, which));
  const { approved, refused } = await createDueInvoices(lab, sums, await takeSpareInvoice(lab));
  return await lab.run.balanceLock.exclusive(lab.execution.id, async () => {
    const before = await readPartyBalances(lab);
    // The refused ones first: once the other one shows, their trace would show, too.
    const refusals = await tryRejectedSettlements(lab, refused);
    const { first, moveCount: moved } = await settleByVolley(
      lab,
      approved.invoice,
      approved.cents,
      SETTLEMENT_VOLLEY_SIZE,
    );
    const traces = rejectedPaymentTraces(refused, approved);
    const isTraced = balanceChanges(before, await readPartyBalances(lab)).some((move) => traces.includes(move));
    return moved === 1 && !isTraced ? [first, ...refusals] : null;
  });
}
