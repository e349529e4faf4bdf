import type { Answer } from '../engine/answer.ts';
import { breach } from './expect.ts';
import { amountsOf, placeLoweredBy } from './funds.ts';
import type { Lab } from './lab.ts';
import { type ActExtra, treasury } from './operations.ts';
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
    const before = lab.target.operations.treasuryBalance ? amountsOf(await treasury(lab, 'treasuryBalance')) : null;
    const answers = await Promise.all(extras.map((extra) => treasury(lab, 'treasuryWithdraw', extra, text)));
    for (const answer of answers) await judge(answer);
    const most = answers.length;
    const paid = before && (await placeLoweredBy(lab, before, cents, AT_ONCE_MS, { least: 1, most }));
    if (paid)
      throw breach(lab, paid.answer, 'no withdrawal', `refused, and ${paid.place} fell by ${text} all the same`);
  });
}
