import { bindingInWords } from '../../../engine/diagnosis/operation-binding.ts';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { Blocked } from '../../../engine/model/outcomes.ts';
import type { OperationTemplate } from '../../../specs/target.ts';
import { treasury } from '../../api/operations.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { Lab } from '../../context/check-context.ts';
import { centsOf } from '../../data/amounts.ts';
import { amountsOf, placeLoweredBy, SHOWS_WITHIN_MS } from '../balances/balance.ts';

/** An accepted withdrawal, and the balance before it. */
interface Unseen {
  before: ApiResponse;
  withdrawal: ApiResponse;
  amount: string;
}

/** What the balance shows of a withdrawal that it did not show at once. */
type Shown = 'late' | 'another sum' | 'nothing';

/**
 * Ends a check that needs a withdrawal to show in the balance, where an accepted one does not. One of the two operations is bound to
 * something else, or the sandbox only simulates withdrawals: Blocked until the target file says so, NotApplicable then.
 */
export async function endUnseen(lab: Lab, unseen: Unseen): Promise<never> {
  if (lab.target.simulatesWithdrawals) notApplicable('the target file declares that withdrawals are simulated');
  const shown = await lab.run.once('what the balance shows of a withdrawal', () => shownOf(lab, unseen));
  if (shown === 'late') notApplicable(`the balance shows a withdrawal only after ${SHOWS_WITHIN_MS} ms`);
  if (shown === 'another sum') notApplicable('the balance falls by another sum than the one withdrawn');
  const { ask } = unseen.withdrawal;
  throw new Blocked(
    'operations.treasuryWithdraw of the target file',
    `operations.treasuryWithdraw: ${ask.method} ${ask.path} ${inWords(lab, unseen)}`,
  );
}

/** Why a withdrawal is none, or the balance not the one that it is paid from; null where nothing is wrong. */
export async function whyUnseen(lab: Lab, unseen: Unseen): Promise<string | null> {
  if (lab.target.simulatesWithdrawals || (await shownOf(lab, unseen)) !== 'nothing') return null;
  return inWords(lab, unseen);
}

/** Names of what is set aside for a payment: it rises where others fall. */
const SET_ASIDE = /reserv|hold|held|pending|block|withdraw|outgoing|payout/i;

async function shownOf(lab: Lab, { before, amount }: Unseen): Promise<Shown> {
  const then = amountsOf(before);
  const cents = centsOf(amount);
  if (await placeLoweredBy(lab, then, cents, patienceMs(lab))) return 'late';
  const now = amountsOf(await treasury(lab, 'treasuryBalance'));
  const isMoved = ([place, left]: [string, number]) => {
    const was = then.get(place) ?? left;
    return left < was || (left > was && SET_ASIDE.test(place));
  };
  return [...now].some(isMoved) ? 'another sum' : 'nothing';
}

function patienceMs({ target }: Lab): number {
  return Math.max(SHOWS_WITHIN_MS, target.limits.settleWithinMs);
}

function inWords(lab: Lab, { withdrawal: { status }, amount }: Unseen): string {
  const balance = bindingInWords(lab.target.operations.treasuryBalance as OperationTemplate);
  return (
    `accepted ${amount} (${status}), and no number of ${balance} fell within ${patienceMs(lab)} ms; ` +
    'correct the path of operations.treasuryWithdraw or operations.treasuryBalance, raise limits.settleWithinMs if the balance shows it later, or write simulated: true in operations.treasuryWithdraw where the sandbox moves no money'
  );
}
