import { sendAction, sendActionsSimultaneously } from '../../api/operations.ts';
import { type ApiResponse, isSuccess } from '../../api/responses.ts';
import { confirmBreach, FOREIGN_SETTLEMENT } from '../../assert/confirm-breach.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import { pollUntil } from '../../assert/poll.ts';
import type { CheckContext } from '../../context/check.ts';
import { formatAmount } from '../../data/amounts.ts';
import { partyFor } from '../../invoices/acting-party.ts';
import { waitForArrival } from '../../invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, recordInvoiceState } from '../../invoices/invoices.ts';
import {
  afterEarlierPayments,
  MAX_BALANCE_LAG_MS,
  secondEffectWaitMs,
  waitForFirstEffect,
} from '../balances/balance.ts';
import {
  balanceChanges,
  ownSettlementCents,
  type PartyBalances,
  readPartyBalances,
} from '../balances/party-balances.ts';

/** The number of concurrent settlements. */
export const SIMULTANEOUS_SETTLEMENTS = 8;
const MAX_MULTIPLES_PER_REQUEST = 2;

/** The largest change of a number, as a multiple of the amount. */
function largestMultiple(before: PartyBalances, after: PartyBalances, cents: number): number {
  const multiples = balanceChanges(before, after).map((move) => move / cents);
  return Math.max(
    0,
    ...multiples.filter(
      (each) => Number.isInteger(each) && each <= MAX_MULTIPLES_PER_REQUEST * SIMULTANEOUS_SETTLEMENTS,
    ),
  );
}

/** The multiple for a single settlement, because a turnover may count the amount for both parties. */
async function singleSettlementMultiple(ctx: CheckContext): Promise<number> {
  const { moveCount } = await settleConcurrently(ctx, ownSettlementCents(ctx, 0), 1);
  return moveCount;
}

/** Concurrent settlements of one invoice move its amount once. Throws a Breach otherwise, which says if a later one moves it, too. */
export async function expectPaidOnce(ctx: CheckContext): Promise<void> {
  await confirmBreach(ctx, FOREIGN_SETTLEMENT, async ({ number }) => {
    const cents = ownSettlementCents(ctx, number);
    const { invoice, first, moveCount } = await settleConcurrently(ctx, cents, SIMULTANEOUS_SETTLEMENTS);
    skipUnlessShown(moveCount);
    if (moveCount === 1 || moveCount === (await singleSettlementMultiple(ctx))) return;
    const expected = `the invoice amount ${formatAmount(cents)} moved once`;
    const because = `${SIMULTANEOUS_SETTLEMENTS} concurrent settlements moved ${formatAmount(cents)} ${moveCount} times`;
    const later = await findLaterPayment(ctx, invoice, cents);
    if (!later) throw breach(ctx, first, expected, because);
    const also = `one more settlement, sent alone, returned ${later.status} and moved ${formatAmount(cents)} again; before it, ${because}`;
    throw breach(ctx, later, expected, also, [first]);
  });
}

/** The response to one more settlement of a settled invoice if it moves the amount again; otherwise null. */
async function findLaterPayment(ctx: CheckContext, { id }: Invoice, cents: number): Promise<ApiResponse | null> {
  return await ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
    const before = await readPartyBalances(ctx);
    const response = await sendAction(ctx, 'settle', id, { as: ctx.credentials(partyFor(ctx, 'settle')) });
    const request = async () => largestMultiple(before, await readPartyBalances(ctx), cents);
    const within = Math.min(ctx.target.limits.settleWithinMs, MAX_BALANCE_LAG_MS);
    return (await pollUntil(ctx, request, (seen) => seen > 0, within)) > 0 ? response : null;
  });
}

function skipUnlessShown(moveCount: number): void {
  if (moveCount === 0) notApplicable('the balance shows no settlement');
}

interface SimultaneousSettlement {
  invoice: Invoice;
  first: ApiResponse;
  /** How many times the amount was moved. */
  moveCount: number;
}

async function settleConcurrently(
  ctx: CheckContext,
  cents: number,
  requestCount: number,
): Promise<SimultaneousSettlement> {
  const invoice = await createInvoiceInState(ctx, 'APPROVED', { amount: formatAmount(cents) });
  return await afterEarlierPayments(ctx, () => settleSimultaneously(ctx, invoice, cents, requestCount));
}

/**
 * Settles an approved invoice with concurrent requests, while the caller holds the balance lock. Throws NotApplicable
 * if the server accepts none.
 */
export async function settleSimultaneously(
  ctx: CheckContext,
  invoice: Invoice,
  cents: number,
  requestCount: number,
): Promise<SimultaneousSettlement> {
  const before = await readPartyBalances(ctx);
  const as = ctx.credentials(partyFor(ctx, 'settle'));
  const settle = { action: 'settle', id: invoice.id, as } as const;
  const responses = await sendActionsSimultaneously(ctx, Array(requestCount).fill(settle));
  const first = responses.find(isSuccess);
  if (!first) return notApplicable('the server accepted no settlement', { judgedBy: 'LIFE-01.approved-settle' });
  await waitForArrival(ctx, invoice.id, 'SETTLED');
  recordInvoiceState(ctx, { id: invoice.id, state: 'SETTLED' });
  const request = async () => largestMultiple(before, await readPartyBalances(ctx), cents);
  const started = performance.now();
  const { settleWithinMs: within } = ctx.target.limits;
  const moved = await waitForFirstEffect(ctx, 'settlement', within, async (withinMs) =>
    (await pollUntil(ctx, request, (seen) => seen > 0, withinMs)) > 0 ? true : null,
  );
  if (!moved) return { invoice, first, moveCount: 0 };
  // A second movement shows about as late as the first one.
  const left = secondEffectWaitMs(performance.now() - started, within);
  return { invoice, first, moveCount: await pollUntil(ctx, request, (seen) => seen > 1, left) };
}
