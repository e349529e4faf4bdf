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
 * Balances of both environments, asked for one right after the other, now the one first and now the other. Null where they are
 * two; the last pair where they are the same every time, whatever they are: one environment is shown what is kept for the other.
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
  const [start] = pairs;
  const moved = pairs.find(({ sandbox }) => start && !isDeepStrictEqual(amountsOf(sandbox), amountsOf(start.sandbox)));
  return alike && moved ? moved : null;
}
