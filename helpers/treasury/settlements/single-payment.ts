import type { ApiResponse } from '../../../engine/model/messages.ts';
import type { Lab } from '../../context/check-context.ts';
import { sharedExperiment } from '../../context/shared-experiment.ts';
import { leftOver } from '../../fixtures/spare-invoices.ts';
import { moves, ownCents, partyFunds } from '../balances/party-balances.ts';
import { settlements, VOLLEY } from './concurrent-settlement.ts';
import { duesOf, refusedSettlements, tracesOf } from './rejected-settlement.ts';

/** Apart from those of either check alone. */
const SUMS = [9, 10, 11];

/**
 * Whether many settlements of one invoice at the same moment, after some that were refused for the states of others, moved its amount
 * once and nothing else. One invoice stays behind for both questions.
 */
export async function isOnePayment(lab: Lab): Promise<boolean> {
  const seen = await sharedExperiment(lab, 'one payment', () => payment(lab));
  if (seen) lab.shares(seen);
  return seen !== null;
}

async function payment(lab: Lab): Promise<ApiResponse[] | null> {
  const sums = SUMS.map((which) => ownCents(lab, which));
  const { approved, refused } = await duesOf(lab, sums, await leftOver(lab));
  return await lab.run.funds.quietFor(lab.asking.id, async () => {
    const before = await partyFunds(lab);
    // The refused ones first: once the other one shows, their trace would show, too.
    const refusals = await refusedSettlements(lab, refused);
    const { first, moved } = await settlements(lab, approved.invoice, approved.cents, VOLLEY);
    const traces = tracesOf(refused, approved);
    const isTraced = moves(before, await partyFunds(lab)).some((move) => traces.includes(move));
    return moved === 1 && !isTraced ? [first, ...refusals] : null;
  });
}
