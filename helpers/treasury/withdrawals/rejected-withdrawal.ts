import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { type ActExtra, treasurer, treasury } from '../../api/operations.ts';
import { breach } from '../../assert/expect.ts';
import type { Lab } from '../../context/check-context.ts';
import { ownSum, type Sum, type Use } from '../../data/withdrawal-amounts.ts';
import { amountsOf, type Lowered, placeLoweredBy } from '../balances/balance.ts';

/** How long a withdrawal may take to show that should not be there, in milliseconds. */
const AT_ONCE_MS = 100;

const TRIES = 3;

/**
 * Withdrawals that are to be refused, each judged by its answer; and the balance, where it is bound, is not lowered by one of
 * them. Throws a Breach.
 */
export async function expectNothingPaid(
  lab: Lab,
  use: Use,
  extras: readonly ActExtra[],
  judge: (answer: ApiResponse) => void | Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const sum = ownSum(lab, use, tries);
    const paid = await lab.run.funds.quietFor(lab.asking.id, () => paidThough(lab, sum, extras, judge));
    if (!paid) return;
    // Others may move the same sum once, but hardly another one the next time.
    if (tries < TRIES) continue;
    throw breach(lab, paid.answer, 'no withdrawal', `refused, and ${paid.place} fell by ${sum.text} all the same`);
  }
}

async function paidThough(
  lab: Lab,
  { cents, text }: Sum,
  extras: readonly ActExtra[],
  judge: (answer: ApiResponse) => void | Promise<void>,
): Promise<Lowered | undefined> {
  const before = await balances(lab);
  const answers = await Promise.all(extras.map((extra) => treasury(lab, 'treasuryWithdraw', extra, text)));
  for (const answer of answers) await judge(answer);
  const most = answers.length;
  // What fell stays lower: one look at the end sees as much as many.
  await pause(AT_ONCE_MS);
  const lowered = await Promise.all(
    before.map(({ as, amounts }) => placeLoweredBy(lab, amounts, cents, 0, { least: 1, most, as })),
  );
  return lowered.find((each) => each !== null) ?? undefined;
}

/** What may be lowered: the balance of whoever withdraws here, and that of the seller, whose keys are tried with some defect. */
async function balances(lab: Lab) {
  if (!lab.target.operations.treasuryBalance) return [];
  const names = lab.known(...new Set([treasurer(lab, 'treasuryWithdraw'), 'seller' as const]));
  return await Promise.all(
    names.map(async (name) => {
      const as = lab.who(name);
      return { as, amounts: amountsOf(await treasury(lab, 'treasuryBalance', { as })) };
    }),
  );
}
