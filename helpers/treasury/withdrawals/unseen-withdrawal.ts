import { describeBinding } from '../../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { Blocked } from '../../../engine/model/outcomes.ts';
import type { OperationTemplate } from '../../../specs/target-file/target.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import { disturbedByOthers, notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { sharedResult } from '../../context/shared-result.ts';
import { centsOf } from '../../data/amounts.ts';
import { balanceLagMs, centsByPlace, MAX_BALANCE_LAG_MS, waitForLoweredAmount } from '../balances/balance.ts';

/** An accepted withdrawal, and the balance before it. */
interface UnseenWithdrawal {
  before: ApiResponse;
  withdrawal: ApiResponse;
  amount: string;
}

/** The effect of a withdrawal that the balance did not show at once. */
type ShownEffect = 'late' | 'another sum' | 'hidden' | 'deposit' | 'nothing';

const firstShownEffect = sharedResult(findShownEffect);

/**
 * Ends a check whose accepted withdrawal does not show in the balance. Throws NotApplicable if the sandbox simulates
 * withdrawals, shows them otherwise, or receives another payment; Blocked if a binding is probably wrong.
 */
export async function endWithUnseenWithdrawal(ctx: CheckContext, unseen: UnseenWithdrawal): Promise<never> {
  if (ctx.target.simulatesWithdrawals) notApplicable('the target file declares that withdrawals are simulated');
  const earlier = await firstShownEffect(ctx, unseen);
  // Another payment hides one withdrawal, not the next.
  const shown = earlier === 'hidden' ? await findShownEffect(ctx, unseen) : earlier;
  if (shown === 'late') notApplicable(`the balance shows a withdrawal only after ${MAX_BALANCE_LAG_MS} ms`);
  if (shown === 'another sum')
    notApplicable(`within ${balanceLagMs(ctx)} ms, the balance falls by an amount other than the withdrawn one`);
  if (shown === 'hidden') disturbedByOthers('another payment raised the balance during the withdrawal');
  const { request } = unseen.withdrawal;
  throw new Blocked(
    'operations.treasuryWithdraw of the target file',
    `operations.treasuryWithdraw: ${request.method} ${request.path} ${describeUnseen(ctx, unseen, shown)}`,
  );
}

/** Why the withdrawal or balance binding is probably wrong; null if nothing is wrong. */
export async function unseenWithdrawalReason(ctx: CheckContext, unseen: UnseenWithdrawal): Promise<string | null> {
  if (ctx.target.simulatesWithdrawals) return null;
  const shown = await findShownEffect(ctx, unseen);
  return shown === 'nothing' || shown === 'deposit' ? describeUnseen(ctx, unseen, shown) : null;
}

/** Names of reserved funds, which rise while other numbers fall. */
const RESERVED_FUNDS_NAME = /reserv|hold|held|pending|block|withdraw|outgoing|payout/i;

/** Names of numbers that rise without a payment. */
const CLOCK_NAME = /time|stamp|version|revision|sequence|as_?of|updated/i;

async function findShownEffect(ctx: CheckContext, { before, amount }: UnseenWithdrawal): Promise<ShownEffect> {
  const then = centsByPlace(before);
  const cents = centsOf(amount);
  if (await waitForLoweredAmount(ctx, then, cents, balanceLagMs(ctx))) return 'late';
  const now = centsByPlace(await sendTreasuryRequest(ctx, 'treasuryBalance'));
  const isMoved = ([place, left]: [string, number]) => {
    const was = then.get(place) ?? left;
    return left < was || (left > was && RESERVED_FUNDS_NAME.test(place));
  };
  if ([...now].some(isMoved)) return 'another sum';
  const rises = [...now].filter(([place, left]) => left > (then.get(place) ?? left) && !CLOCK_NAME.test(place));
  const isDeposit = ([place, left]: [string, number]) => left - (then.get(place) ?? left) === cents;
  if (rises.some((rise) => !isDeposit(rise))) return 'hidden';
  return rises.length > 0 ? 'deposit' : 'nothing';
}

function describeUnseen(
  ctx: CheckContext,
  { withdrawal: { status }, amount }: UnseenWithdrawal,
  shown: ShownEffect,
): string {
  const balance = describeBinding(ctx.target.operations.treasuryBalance as OperationTemplate);
  if (shown === 'deposit')
    return `accepted ${amount} (${status}), and a number in ${balance} rose by it, as after a deposit; correct its path`;
  return (
    `accepted ${amount} (${status}), but no number in ${balance} decreased within ${balanceLagMs(ctx)} ms; ` +
    'correct the path of operations.treasuryWithdraw or operations.treasuryBalance, or the unit of the amount in its body, raise limits.settleWithinMs if the balance shows it later, or write simulated: true in operations.treasuryWithdraw if the sandbox moves no money'
  );
}
