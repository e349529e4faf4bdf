import { Blocked } from '../../../engine/model/outcomes.ts';
import { sandboxHeader } from '../../api/environment-header.ts';
import { listInvoices, NEWEST_FIRST } from '../../api/operations.ts';
import { type ApiResponse, describeResponse, isSuccess, listItems } from '../../api/responses.ts';
import { sendTreasuryRequest, treasuryActor } from '../../api/treasury-requests.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { ifReachable } from '../../invoices/invoices.ts';
import { centsByPlace } from './balance.ts';
import { readProductionBalance } from './production-balance.ts';

export interface DivergentBalance {
  response: ApiResponse;
  expected: string;
  because: string;
}

/**
 * A balance that differs with the environment header, or that a read-only key of the seller takes from production; otherwise
 * null. A read-only key may have a balance of its own in the sandbox.
 */
export async function findDivergentBalance(ctx: CheckContext): Promise<DivergentBalance | null> {
  const before = await sendTreasuryRequest(ctx, 'treasuryBalance');
  if (!isSuccess(before)) notApplicable(`the server rejects the balance request: ${describeResponse(before)}`);
  const named = await sendTreasuryRequest(ctx, 'treasuryBalance', { headers: sandboxHeader });
  const reader = await readOnlyKeyBalance(ctx, before);
  const after = centsByPlace(await sendTreasuryRequest(ctx, 'treasuryBalance'));
  // Numbers that change spontaneously, such as a timestamp or a request count, prove nothing.
  const resting = [...centsByPlace(before)].filter(([place, cents]) => after.get(place) === cents);
  const differing = (response: ApiResponse) => {
    const seen = centsByPlace(response);
    return resting.filter(([place, cents]) => seen.has(place) && seen.get(place) !== cents);
  };
  if (isSuccess(named)) {
    const [first] = differing(named);
    if (first) return divergence(named, first, "as in the seller's response without X-Environment");
  }
  if (!reader || !isSuccess(reader)) return null;
  const shared = differing(reader).filter(([, cents]) => cents !== 0);
  if (shared.length === 0) return null;
  const [production] = await ifReachable(() => readProductionBalance(ctx));
  if (!production) return null;
  const [seen, real] = [centsByPlace(reader), centsByPlace(production)];
  const copied = shared.find(([place]) => seen.get(place) !== 0 && seen.get(place) === real.get(place));
  return copied ? divergence(reader, copied, 'as for the seller; the read-only key sees the production balance') : null;
}

function divergence(response: ApiResponse, [place, cents]: [string, number], source: string): DivergentBalance {
  return {
    response,
    expected: `${place} of ${cents / 100}, ${source}`,
    because: `${place} is ${Number(centsByPlace(response).get(place)) / 100}`,
  };
}

/** The balance response for the seller's read-only key; otherwise null. Throws Blocked if the key belongs to the buyer. */
async function readOnlyKeyBalance(ctx: CheckContext, sellers: ApiResponse): Promise<ApiResponse | null> {
  const { readOnly, seller } = ctx.run.plan.organizations;
  const own = treasuryActor(ctx, 'treasuryBalance');
  if (own !== 'seller' || !seller || readOnly !== seller) return null;
  const response = await sendTreasuryRequest(ctx, 'treasuryBalance', { as: ctx.credentials('readOnly') });
  if (await isReadOnlyKeyOfSeller(ctx, seller)) return response;
  await blockIfBalanceOfBuyer(ctx, sellers, response);
  return null;
}

/** Throws Blocked if a key whose organization is not known sees the buyer's balance instead of the seller's. */
async function blockIfBalanceOfBuyer(ctx: CheckContext, sellers: ApiResponse, seen: ApiResponse): Promise<void> {
  const [buyer] = ctx.availableActors('buyer');
  if (!buyer || !isSuccess(seen) || isSameBalance(seen, sellers)) return;
  const buyers = await sendTreasuryRequest(ctx, 'treasuryBalance', { as: ctx.credentials(buyer) });
  if (!isSuccess(buyers) || !isSameBalance(seen, buyers)) return;
  throw new Blocked(
    'actors.readOnly of the target file',
    "actors.readOnly: this key sees the balance of actors.buyer, not that of actors.seller; write a key of the seller's organization, or write actors.readOnly.organizationId if it is one",
  );
}

function isSameBalance(one: ApiResponse, other: ApiResponse): boolean {
  const [left, right] = [centsByPlace(one), centsByPlace(other)];
  return left.size > 0 && left.size === right.size && [...left].every(([place, cents]) => right.get(place) === cents);
}

/**
 * Whether the target file or the listed records show that the read-only key belongs to the seller. Invoices with a single
 * partner would match the partner as well.
 */
async function isReadOnlyKeyOfSeller(ctx: CheckContext, seller: string): Promise<boolean> {
  const { readOnly } = ctx.target.actors;
  if (!readOnly) return false;
  if (readOnly.organizationId !== undefined) return true;
  const response = await listInvoices(ctx, NEWEST_FIRST, { as: ctx.credentials('readOnly') });
  const parties = listItems(response).map((record) => [record.sellerOrganizationId, record.buyerOrganizationId]);
  const partners = new Set(parties.flat().filter((id) => id !== seller));
  return partners.size > 1 && parties.every((both) => both.includes(seller));
}
