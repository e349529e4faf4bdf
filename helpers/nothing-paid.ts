import type { Answer } from '../engine/answer.ts';
import { breach } from './expect.ts';
import { amountsOf, placeLoweredBy } from './funds.ts';
import type { Lab } from './lab.ts';
import { type ActExtra, treasurer, treasury } from './operations.ts';
import type { Sum } from './sums.ts';

/** How long a withdrawal may take to show that should not be there, in milliseconds. */
const AT_ONCE_MS = 100;

/**
 * Withdrawals that are to be refused, each judged by its answer; and the balance, where it is bound, is not lowered by one of
 * them. Throws a Breach.
 */
export async function expectNothingPaid(
  lab: Lab,
  { cents, text }: Sum,
  extras: readonly ActExtra[],
  judge: (answer: Answer) => void | Promise<void>,
): Promise<void> {
  await lab.run.funds.quiet(async () => {
    const before = await balances(lab);
    const answers = await Promise.all(extras.map((extra) => treasury(lab, 'treasuryWithdraw', extra, text)));
    for (const answer of answers) await judge(answer);
    const most = answers.length;
    const lowered = before.map(({ as, amounts }) =>
      placeLoweredBy(lab, amounts, cents, AT_ONCE_MS, { least: 1, most, as }),
    );
    const paid = (await Promise.all(lowered)).find((each) => each !== null);
    if (paid)
      throw breach(lab, paid.answer, 'no withdrawal', `refused, and ${paid.place} fell by ${text} all the same`);
  });
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
