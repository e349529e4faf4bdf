import { describeBinding } from '../../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { Blocked } from '../../../engine/model/outcomes.ts';
import type { OperationTemplate } from '../../../specs/target.ts';
import { sendTreasuryRequest } from '../../api/operations.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { centsOf } from '../../data/amounts.ts';
import { centsByPlace, MAX_BALANCE_LAG_MS, waitForLoweredAmount } from '../balances/balance.ts';

/** An accepted withdrawal, and the balance before it. */
interface UnseenWithdrawal {
  before: ApiResponse;
  withdrawal: ApiResponse;
  amount: string;
}

/** What the balance shows of a withdrawal that it did not show at once. */
type ShownEffect = 'late' | 'another sum' | 'nothing';

/**
 * Ends a check that needs a withdrawal to show in the balance, where an accepted one does not. One of the two operations is bound to
 * something else, or the sandbox only simulates withdrawals: Blocked until the target file says so, NotApplicable then.
 */
export async function endWithUnseenWithdrawal(lab: CheckContext, unseen: UnseenWithdrawal): Promise<never> {
  if (lab.target.simulatesWithdrawals) notApplicable('the target file declares that withdrawals are simulated');
  const shown = await lab.run.memoize('what the balance shows of a withdrawal', () => findShownEffect(lab, unseen));
  if (shown === 'late') notApplicable(`the balance shows a withdrawal only after ${MAX_BALANCE_LAG_MS} ms`);
  if (shown === 'another sum') notApplicable('the balance falls by another sum than the one withdrawn');
  const { request: ask } = unseen.withdrawal;
  throw new Blocked(
    'operations.treasuryWithdraw of the target file',
    `operations.treasuryWithdraw: ${ask.method} ${ask.path} ${describeUnseen(lab, unseen)}`,
  );
}

/** Why a withdrawal is none, or the balance not the one that it is paid from; null where nothing is wrong. */
export async function unseenWithdrawalReason(lab: CheckContext, unseen: UnseenWithdrawal): Promise<string | null> {
  if (lab.target.simulatesWithdrawals || (await findShownEffect(lab, unseen)) !== 'nothing') return null;
  return describeUnseen(lab, unseen);
}

/** Names of what is set aside for a payment: it rises where others fall. */
const RESERVED_FUNDS_NAME = /reserv|hold|held|pending|block|withdraw|outgoing|payout/i;

async function findShownEffect(lab: CheckContext, { before, amount }: UnseenWithdrawal): Promise<ShownEffect> {
  const then = centsByPlace(before);
  const cents = centsOf(amount);
  if (await waitForLoweredAmount(lab, then, cents, maxBalanceWaitMs(lab))) return 'late';
  const now = centsByPlace(await sendTreasuryRequest(lab, 'treasuryBalance'));
  const isMoved = ([place, left]: [string, number]) => {
    const was = then.get(place) ?? left;
    return left < was || (left > was && RESERVED_FUNDS_NAME.test(place));
  };
  return [...now].some(isMoved) ? 'another sum' : 'nothing';
}

function maxBalanceWaitMs({ target }: CheckContext): number {
  return Math.max(MAX_BALANCE_LAG_MS, target.limits.settleWithinMs);
}

function describeUnseen(lab: CheckContext, { withdrawal: { status }, amount }: UnseenWithdrawal): string {
  const balance = describeBinding(lab.target.operations.treasuryBalance as OperationTemplate);
  return (
    `accepted ${amount} (${status}), and no number of ${balance} fell within ${maxBalanceWaitMs(lab)} ms; ` +
    'correct the path of operations.treasuryWithdraw or operations.treasuryBalance, raise limits.settleWithinMs if the balance shows it later, or write simulated: true in operations.treasuryWithdraw where the sandbox moves no money'
  );
}
