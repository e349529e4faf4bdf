import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { type ActionOptions, sendTreasuryRequest, treasuryActor } from '../../api/operations.ts';
import { breach } from '../../assert/expect.ts';
import type { CheckContext } from '../../context/check-context.ts';
import { type WithdrawalAmount, type WithdrawalPurpose, withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { centsByPlace, type LoweredAmount, waitForLoweredAmount } from '../balances/balance.ts';

/** How long a withdrawal may take to show that should not be there, in milliseconds. */
const WITHDRAWAL_EFFECT_MS = 100;

const MAX_ATTEMPTS = 3;

/**
 * Withdrawals that are to be refused, each judged by its answer; and the balance, where it is bound, is not lowered by one of
 * them. Throws a Breach.
 */
export async function expectNoWithdrawal(
  lab: CheckContext,
  use: WithdrawalPurpose,
  extras: readonly ActionOptions[],
  judge: (answer: ApiResponse) => void | Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const sum = withdrawalAmountFor(lab, use, tries);
    const paid = await lab.run.balanceLock.exclusive(lab.execution.id, () =>
      findPaidDespiteRejection(lab, sum, extras, judge),
    );
    if (!paid) return;
    // Others may move the same sum once, but hardly another one the next time.
    if (tries < MAX_ATTEMPTS) continue;
    throw breach(lab, paid.response, 'no withdrawal', `refused, and ${paid.place} fell by ${sum.text} all the same`);
  }
}

async function findPaidDespiteRejection(
  lab: CheckContext,
  { cents, text }: WithdrawalAmount,
  extras: readonly ActionOptions[],
  judge: (answer: ApiResponse) => void | Promise<void>,
): Promise<LoweredAmount | undefined> {
  const before = await readAffectedBalances(lab);
  const answers = await Promise.all(extras.map((extra) => sendTreasuryRequest(lab, 'treasuryWithdraw', extra, text)));
  for (const answer of answers) await judge(answer);
  const most = answers.length;
  // What fell stays lower: one look at the end sees as much as many.
  await pause(WITHDRAWAL_EFFECT_MS);
  const lowered = await Promise.all(
    before.map(({ as, amounts }) => waitForLoweredAmount(lab, amounts, cents, 0, { least: 1, most, as })),
  );
  return lowered.find((each) => each !== null) ?? undefined;
}

/** What may be lowered: the balance of whoever withdraws here, and that of the seller, whose keys are tried with some defect. */
async function readAffectedBalances(lab: CheckContext) {
  if (!lab.target.operations.treasuryBalance) return [];
  const names = lab.availableActors(...new Set([treasuryActor(lab, 'treasuryWithdraw'), 'seller' as const]));
  return await Promise.all(
    names.map(async (name) => {
      const as = lab.credentials(name);
      return { as, amounts: centsByPlace(await sendTreasuryRequest(lab, 'treasuryBalance', { as })) };
    }),
  );
}
