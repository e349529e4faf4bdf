import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type ApiResponse, isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest, treasuryActor } from '../../api/treasury-requests.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { type WithdrawalPurpose, withdrawalAmountFor } from '../../data/withdrawal-amounts.ts';
import { centsByPlace, hasFallenBy } from './balance.ts';
import { readProductionBalance } from './production-balance.ts';

const COMPARISON_ROUNDS = 4;
/** Caches rarely expire sooner, in milliseconds. */
const CACHE_EXPIRY_MS = 600;

/** The sandbox balance and another balance, read one after the other. */
export interface BalancePair {
  sandbox: ApiResponse;
  other: ApiResponse;
}

type BalanceReader = (ctx: CheckContext) => Promise<ApiResponse>;

export function hasEqualBalances({ sandbox, other }: BalancePair): boolean {
  return isDeepStrictEqual(centsByPlace(sandbox), centsByPlace(other));
}

/** Reads the sandbox balance first. */
async function readBalancePair(ctx: CheckContext, readOther: BalanceReader): Promise<BalancePair> {
  const sandbox = await sendTreasuryRequest(ctx, 'treasuryBalance');
  if (!isSuccess(sandbox)) notApplicable(`the server rejects a balance request of the sandbox key (${sandbox.status})`);
  return { sandbox, other: await readOther(ctx) };
}

/** The party whose balance the kit does not use by default. */
export function otherTreasuryActor(ctx: CheckContext): 'seller' | 'buyer' {
  return treasuryActor(ctx, 'treasuryBalance') === 'buyer' ? 'seller' : 'buyer';
}

/** The balance of the other party. Throws NotApplicable if the server rejects the request. */
export async function readOtherPartyBalance(ctx: CheckContext): Promise<ApiResponse> {
  const other = otherTreasuryActor(ctx);
  const response = await sendTreasuryRequest(ctx, 'treasuryBalance', { as: ctx.credentials(other) });
  if (!isSuccess(response)) notApplicable(`the server rejects a balance request of the ${other} (${response.status})`);
  return response;
}

/**
 * The two balances after a sandbox withdrawal, if both are equal before and after it and fell by its amount; otherwise null.
 */
export async function findMirroredBalance(
  ctx: CheckContext,
  readOther: BalanceReader,
  use: WithdrawalPurpose,
  rounds = COMPARISON_ROUNDS,
): Promise<BalancePair | null> {
  if (!ctx.target.operations.treasuryWithdraw) return null;
  let hasMatched = false;
  for (let tries = 0; tries < rounds && !hasMatched; tries += 1)
    hasMatched = hasEqualBalances(await readBalancePair(ctx, readOther));
  if (!hasMatched) return null;
  return await ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
    const first = await readBalancePair(ctx, readOther);
    const { cents, text } = withdrawalAmountFor(ctx, use);
    if (!hasEqualBalances(first) || !isSuccess(await sendTreasuryRequest(ctx, 'treasuryWithdraw', {}, text)))
      return null;
    const second = await readBalancePair(ctx, readOther);
    return hasFallenBy(cents, first.sandbox, second.sandbox) && hasEqualBalances(second) ? second : null;
  });
}

/**
 * Reads the balances of both environments in alternating order. Returns the last pair where both are equal each time and depend
 * on which was read first, which shows a shared cache; otherwise null.
 */
export async function findMixedBalances(ctx: CheckContext): Promise<BalancePair | null> {
  const pairs: BalancePair[] = [];
  for (let round = 0; round < COMPARISON_ROUNDS; round += 1) {
    if (round > 0) await pause(CACHE_EXPIRY_MS);
    const first = round % 2 === 0 ? await sendTreasuryRequest(ctx, 'treasuryBalance') : null;
    const production = await readProductionBalance(ctx);
    const sandbox = first ?? (await sendTreasuryRequest(ctx, 'treasuryBalance'));
    if (!isSuccess(sandbox))
      notApplicable(`the server rejects a balance request of the sandbox key (${sandbox.status})`);
    const pair = { sandbox, other: production };
    if (!hasEqualBalances(pair)) return null;
    pairs.push(pair);
  }
  const [one = new Map(), two = new Map(), three = new Map(), four = new Map()] = pairs.map((pair) =>
    centsByPlace(pair.other),
  );
  // A timestamp changes every time and does not return to an earlier value. A sandbox booking changes only one of the balances.
  const flips = [...two].some(
    ([place, cents]) => four.get(place) === cents && one.get(place) !== cents && three.get(place) !== cents,
  );
  return flips ? (pairs.at(-1) ?? null) : null;
}
