import { runState } from '../../../engine/ledger/run-ledger.ts';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import type { CheckContext } from '../../context/check.ts';
import { smallCoveredAmount } from '../../data/withdrawal-amounts.ts';

/** A withdrawal beyond the funds that the server accepted in a check that judges something else. */
export interface AcceptedExcess {
  readonly amount: string;
  /** The balance before the withdrawal. */
  readonly before: ApiResponse;
  readonly response: ApiResponse;
  /** The balance just after it. */
  readonly after: ApiResponse;
  /** Whether the server then accepted a small withdrawal, as with a line of credit. */
  readonly isFurtherAccepted: boolean;
}

/** Left for TREAS-01: after such a withdrawal, the balance may show no funds to exceed. */
export const acceptedExcesses = runState((): AcceptedExcess[] => []);

/** Records a withdrawal beyond the funds that the server accepted, and reads what it caused before other payments hide it. */
export async function recordAcceptedExcess(
  ctx: CheckContext,
  excess: Pick<AcceptedExcess, 'amount' | 'before' | 'response'>,
): Promise<void> {
  const after = await sendTreasuryRequest(ctx, 'treasuryBalance');
  const further = await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, smallCoveredAmount(ctx));
  acceptedExcesses(ctx.run).push({ ...excess, after, isFurtherAccepted: isSuccess(further) });
}
