import { type ApiResponse, isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import type { CheckContext } from '../../context/check.ts';
import { acceptedRangesOf } from '../../data/invoice-body.ts';
import { centsByPlace } from './balance.ts';

/** An amount in cents that almost no other settlement in the sandbox has; `which` is below 12. */
export function ownSettlementCents(ctx: CheckContext, which: number): number {
  const { leastCents, sums } = acceptedRangesOf(ctx.run);
  const span = Math.floor((sums * 3) / 7);
  return leastCents + sums - span + ((Number.parseInt(ctx.run.plan.runId.slice(0, 8), 16) + which * 997) % span);
}

export type PartyBalances = ReadonlyMap<string, number>;

/** The balances of both parties, with the responses that show them. */
export interface ShownBalances {
  balances: PartyBalances;
  responses: readonly ApiResponse[];
}

/** The balances of both parties in cents, keyed by party and path. */
export async function readPartyBalances(ctx: CheckContext): Promise<PartyBalances> {
  return (await readShownBalances(ctx)).balances;
}

/** Like `readPartyBalances`, with the responses as evidence. */
export async function readShownBalances(ctx: CheckContext): Promise<ShownBalances> {
  const shown = await Promise.all(
    ctx.availableActors('seller', 'buyer').map(async (name) => {
      const response = await sendTreasuryRequest(ctx, 'treasuryBalance', { as: ctx.credentials(name) });
      return isSuccess(response) ? [{ name, response }] : [];
    }),
  );
  const balances = shown
    .flat()
    .flatMap(({ name, response }) =>
      [...centsByPlace(response)].map(([place, cents]) => [`${name}${place}`, cents] as const),
    );
  return { balances: new Map(balances), responses: shown.flat().map(({ response }) => response) };
}

/** The absolute change of each number, in cents. */
export function balanceChanges(before: PartyBalances, after: PartyBalances): number[] {
  return [...after].map(([place, now]) => Math.abs(now - (before.get(place) ?? now)));
}
