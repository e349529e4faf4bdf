import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { accepted } from './accepted.ts';
import type { Answer } from './answers.ts';
import { amountsOf } from './funds.ts';
import type { Lab } from './lab.ts';
import { notApplicable } from './not-judged.ts';
import { treasury } from './operations.ts';
import { productionFunds } from './production-funds.ts';

const ROUNDS = 4;
/** What is kept of an answer is kept for hardly less, in milliseconds. */
const KEPT_MS = 600;

/** The two balances of one moment. */
export interface Pair {
  sandbox: Answer;
  production: Answer;
}

/**
 * Balances of both environments, asked for one right after the other, now the one first and now the other. The last pair where
 * both are the same each time, and what they are depends on who asked first: each is shown what is kept for the other. Else null.
 */
export async function mixedBalances(lab: Lab): Promise<Pair | null> {
  const pairs: Pair[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round > 0) await pause(KEPT_MS);
    const first = round % 2 === 0 ? await treasury(lab, 'treasuryBalance') : null;
    const production = await productionFunds(lab);
    const sandbox = first ?? (await treasury(lab, 'treasuryBalance'));
    if (!accepted(sandbox)) notApplicable(`the sandbox key gets no balance (${sandbox.status})`);
    pairs.push({ sandbox, production });
  }
  const alike = pairs.every((pair) => isDeepStrictEqual(amountsOf(pair.sandbox), amountsOf(pair.production)));
  const [one = new Map(), two = new Map(), three = new Map(), four = new Map()] = pairs.map((pair) =>
    amountsOf(pair.production),
  );
  // A time moves on every time, and does not come back; what is booked in the sandbox meanwhile moves its own side only.
  const flips = [...two].some(
    ([place, cents]) => four.get(place) === cents && one.get(place) !== cents && three.get(place) !== cents,
  );
  return alike && flips ? (pairs.at(-1) ?? null) : null;
}
