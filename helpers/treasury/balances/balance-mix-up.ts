import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { treasurer, treasury } from '../../api/operations.ts';
import type { ApiResponse } from '../../api/responses.ts';
import { isSuccess } from '../../api/responses.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { Lab } from '../../context/check-context.ts';
import { ownSum, type Use } from '../../data/withdrawal-amounts.ts';
import { amountsOf } from './balance.ts';
import { productionFunds } from './production-balance.ts';

const ROUNDS = 4;
/** What is kept of an answer is kept for hardly less, in milliseconds. */
const KEPT_MS = 600;

/** The two balances of one moment: the sandbox's own, and another one. */
export interface Pair {
  sandbox: ApiResponse;
  other: ApiResponse;
}

type Look = (lab: Lab) => Promise<ApiResponse>;

const alike = ({ sandbox, other }: Pair) => isDeepStrictEqual(amountsOf(sandbox), amountsOf(other));

/** The sandbox's own first. */
async function pairOf(lab: Lab, look: Look): Promise<Pair> {
  const sandbox = await treasury(lab, 'treasuryBalance');
  if (!isSuccess(sandbox)) notApplicable(`the sandbox key gets no balance (${sandbox.status})`);
  return { sandbox, other: await look(lab) };
}

/** The balance of the other party. Throws NotApplicable where its key gets none. */
export async function partysBalance(lab: Lab): Promise<ApiResponse> {
  const other = treasurer(lab, 'treasuryBalance') === 'buyer' ? 'seller' : 'buyer';
  const answer = await treasury(lab, 'treasuryBalance', { as: lab.who(other) });
  if (!isSuccess(answer)) notApplicable(`the key of the ${other} gets no balance (${answer.status})`);
  return answer;
}

/**
 * Two balances after a withdrawal in the sandbox, where the other one is the sandbox's own before it and after it, the sum of the
 * withdrawal less. Else null.
 */
export async function mirroredBalance(lab: Lab, look: Look, use: Use, rounds = ROUNDS): Promise<Pair | null> {
  if (!lab.target.operations.treasuryWithdraw) return null;
  let ever = false;
  for (let tries = 0; tries < rounds && !ever; tries += 1) ever = alike(await pairOf(lab, look));
  if (!ever) return null;
  return await lab.run.funds.quietFor(lab.asking.id, async () => {
    const first = await pairOf(lab, look);
    const { cents, text } = ownSum(lab, use);
    if (!alike(first) || !isSuccess(await treasury(lab, 'treasuryWithdraw', {}, text))) return null;
    const then = amountsOf(first.sandbox);
    const second = await pairOf(lab, look);
    const fell = [...amountsOf(second.sandbox)].some(([place, now]) => (then.get(place) ?? now) - now === cents);
    return fell && alike(second) ? second : null;
  });
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
    if (!isSuccess(sandbox)) notApplicable(`the sandbox key gets no balance (${sandbox.status})`);
    const pair = { sandbox, other: production };
    if (!alike(pair)) return null;
    pairs.push(pair);
  }
  const [one = new Map(), two = new Map(), three = new Map(), four = new Map()] = pairs.map((pair) =>
    amountsOf(pair.other),
  );
  // A time moves on every time, and does not come back; what is booked in the sandbox meanwhile moves its own side only.
  const flips = [...two].some(
    ([place, cents]) => four.get(place) === cents && one.get(place) !== cents && three.get(place) !== cents,
  );
  return flips ? (pairs.at(-1) ?? null) : null;
}
