import type { Credentials } from '../../../engine/model/credentials.ts';
import { type ApiResponse, describeResponse, isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest, treasuryActor } from '../../api/treasury-requests.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { centsOf, formatAmount, ONE_UNIT_CENTS } from '../../data/amounts.ts';
import { raisedWithdrawalCents } from '../../data/withdrawal-amounts.ts';
import type { Party } from '../../invoices/acting-party.ts';
import { centsByPlace } from '../balances/balance.ts';
import { hasCreditLine } from '../balances/credit-line.ts';
import type { AcceptedExcess } from './accepted-excess.ts';
import { hasFundsLimit } from './uncovered-withdrawal.ts';

/** In cents. Smaller numbers may be counters instead of funds. */
const MIN_FUNDS_CENTS = 10_000;

/** Whether the amount at this place is the largest of the balance, and therefore the funds. */
export function isLargestAmount(then: ReadonlyMap<string, number>, place: string): boolean {
  const cents = then.get(place) ?? 0;
  return cents >= MIN_FUNDS_CENTS && cents === Math.max(...then.values());
}

/**
 * Throws a Breach if an accepted payment beyond the funds overdrew the balance or emptied it. Ends the check as not applicable if
 * the payment was only simulated, or if there is a line of credit; a request that was `rejected` for insufficient funds rules out
 * credit. `seen`: what an earlier check saw of this payment.
 */
export async function expectNoOverdraft(
  ctx: CheckContext,
  before: ApiResponse | null,
  payment: ApiResponse,
  amount: string,
  { party, rejected, seen }: { party?: Party; rejected?: ApiResponse; seen?: AcceptedExcess } = {},
): Promise<void> {
  skipUnlessBalanceBound(before);
  const then = centsByPlace(before);
  const as = ctx.credentials(party ?? treasuryActor(ctx, 'treasuryBalance'));
  const after = seen?.after ?? (await sendTreasuryRequest(ctx, 'treasuryBalance', { as }));
  const isCovered = [...then.values()].some((cents) => cents >= centsOf(amount));
  const emptied = [...centsByPlace(after)].find(([place, now]) => now === 0 && isLargestAmount(then, place));
  if (emptied && !isCovered) {
    const because = `the server accepted the payment, and ${emptied[0]} is now 0: the available funds were paid out`;
    throw breach(ctx, payment, INSUFFICIENT_FUNDS, because, [before, after]);
  }
  skipUnlessOverdrawn(then, after, amount);
  if (seen) skipIfFurtherAccepted(seen);
  else if (!rejected) await skipIfCreditGranted(ctx, as, party, Math.max(...then.values()));
  const because = `the server accepted the payment, and the balance is overdrawn: ${describeResponse(after)}`;
  throw breach(ctx, payment, INSUFFICIENT_FUNDS, because, [...(rejected ? [rejected] : []), after]);
}

/** The expected response to a payment beyond the funds. */
export const INSUFFICIENT_FUNDS = '412 with code TREAS007';

const CREDIT = 'the server has a line of credit: it accepts further payments from an overdrawn balance, up to a limit';

function skipUnlessBalanceBound(before: ApiResponse | null): asserts before is ApiResponse {
  if (!before) notApplicable('the withdrawal was accepted, and the target file has no operations.treasuryBalance');
}

function skipUnlessOverdrawn(then: ReadonlyMap<string, number>, after: ApiResponse, amount: string): void {
  const isOverdrawn = [...centsByPlace(after)].some(([place, now]) => now < (then.get(place) ?? now) && now < 0);
  const isCovered = [...then.values()].some((cents) => cents >= centsOf(amount));
  if (!isOverdrawn || isCovered) notApplicable('the sandbox only simulates withdrawals, or the funds cover the amount');
}

function skipIfFurtherAccepted({ isFurtherAccepted }: AcceptedExcess): void {
  if (isFurtherAccepted) notApplicable(CREDIT);
}

/** `most` is the balance before the payment, in cents. */
async function skipIfCreditGranted(
  ctx: CheckContext,
  as: Credentials,
  party: Party | undefined,
  most: number,
): Promise<void> {
  const mayWithdraw = async () =>
    (await hasFundsLimit(ctx)) &&
    isSuccess(
      await sendTreasuryRequest(
        ctx,
        'treasuryWithdraw',
        { as },
        formatAmount(ONE_UNIT_CENTS + raisedWithdrawalCents(ctx.run)),
      ),
    );
  const mayPay = async () => party === 'buyer' && (await hasCreditLine(ctx, most));
  if ((await mayWithdraw()) || (await mayPay())) notApplicable(CREDIT);
}
