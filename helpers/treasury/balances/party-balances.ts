import { treasury } from '../../api/operations.ts';
import { isSuccess } from '../../api/responses.ts';
import type { Lab } from '../../context/check-context.ts';
import { termsOf } from '../../data/accepted-ranges.ts';
import { amountsOf } from './balance.ts';

/** In cents, a sum that hardly any other settlement has, of this run or of another one in the same sandbox; `which` is below 12. */
export function ownCents(lab: Lab, which: number): number {
  const { leastCents, sums } = termsOf(lab.run);
  const span = Math.floor((sums * 3) / 7);
  return leastCents + sums - span + ((Number.parseInt(lab.run.plan.runId.slice(0, 8), 16) + which * 997) % span);
}

export type Funds = ReadonlyMap<string, number>;

/** The balances of both parties in cents, each place by its own name. */
export async function partyFunds(lab: Lab): Promise<Funds> {
  const balances = await Promise.all(
    (['seller', 'buyer'] as const).map(async (name) => {
      const answer = await treasury(lab, 'treasuryBalance', { as: lab.who(name) });
      return isSuccess(answer)
        ? [...amountsOf(answer)].map(([place, cents]) => [`${name}${place}`, cents] as const)
        : [];
    }),
  );
  return new Map(balances.flat());
}

/** By how many cents each number has moved, up or down. */
export function moves(before: Funds, after: Funds): number[] {
  return [...after].map(([place, now]) => Math.abs(now - (before.get(place) ?? now)));
}
