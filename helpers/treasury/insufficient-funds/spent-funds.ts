import { type ApiResponse, isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import { breach } from '../../assert/expect.ts';
import { pollUntil } from '../../assert/poll.ts';
import type { CheckContext } from '../../context/check.ts';
import { centsOf, formatAmount } from '../../data/amounts.ts';
import { smallCoveredAmount } from '../../data/withdrawal-amounts.ts';
import { remainingWithdrawalCents } from '../../data/withdrawal-ledger.ts';
import { balanceLagMs, centsByPlace } from '../balances/balance.ts';
import { INSUFFICIENT_FUNDS } from './overdraft.ts';

/**
 * Sends a small withdrawal, and at once one that exceeds the rest of the funds by one cent. Throws a Breach if the funds are then
 * overdrawn by this cent. `rejected` withdrew more than the funds before, so that there is no line of credit. The caller holds the
 * balance lock.
 */
export async function expectSpentFundsCounted(
  ctx: CheckContext,
  before: ApiResponse,
  rejected: ApiResponse,
): Promise<void> {
  const then = centsByPlace(before);
  const most = Math.max(...then.values());
  const small = smallCoveredAmount(ctx);
  if (centsOf(small) > Math.min(most, remainingWithdrawalCents(ctx))) return;
  const first = await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, small);
  if (!isSuccess(first)) return;
  const amount = formatAmount(most - centsOf(small) + 1);
  const second = await sendTreasuryRequest(ctx, 'treasuryWithdraw', { exceedsFunds: true }, amount);
  if (!isSuccess(second)) return;
  const isOverdrawn = (shown: ApiResponse) =>
    [...centsByPlace(shown)].some(([place, cents]) => cents === -1 && then.get(place) === most);
  const read = () => sendTreasuryRequest(ctx, 'treasuryBalance');
  if (!isOverdrawn(await pollUntil(ctx, read, isOverdrawn, balanceLagMs(ctx)))) return;
  // A payment to the account may show late.
  const last = await pollUntil(ctx, read, (shown) => !isOverdrawn(shown), balanceLagMs(ctx));
  if (!isOverdrawn(last)) return;
  const because = `the server paid ${amount} right after ${small} from funds of ${formatAmount(most)}, and the balance is -0.01`;
  throw breach(ctx, second, INSUFFICIENT_FUNDS, because, [rejected, first, before, last]);
}
