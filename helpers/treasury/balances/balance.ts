import { setTimeout as pause } from 'node:timers/promises';
import { runState } from '../../../engine/ledger/run-ledger.ts';
import type { Credentials } from '../../../engine/model/credentials.ts';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { isSuccess } from '../../api/responses.ts';
import { sendTreasuryRequest } from '../../api/treasury-requests.ts';
import { hiddenEffectWaitMs, pollUntil, recordEffectWait, slowestEffectMs } from '../../assert/poll.ts';
import type { CheckContext } from '../../context/check.ts';
import { centsOf } from '../../data/amounts.ts';
import { raisedWithdrawalCents } from '../../data/withdrawal-amounts.ts';
import { maxLargeWithdrawalCents } from '../../data/withdrawal-ledger.ts';

const MONEY_PATTERN = /^-?\d+(\.\d+)?$/;
/** How long, in milliseconds, a balance may take to show a change. */
export const MAX_BALANCE_LAG_MS = 1500;

/** How long a balance may take to show a withdrawal, in milliseconds, by the target file. */
export function balanceLagMs({ target }: CheckContext): number {
  return Math.max(MAX_BALANCE_LAG_MS, target.limits.settleWithinMs);
}

/** The kinds of payments of which one did not show in its whole time. */
const latePayments = runState(() => new Set<'withdrawal' | 'settlement'>());

/** Waits for the first effect of a payment. Once one did not show for a whole `limitMs`, for `MAX_BALANCE_LAG_MS` at most. */
export async function waitForFirstEffect<T>(
  ctx: CheckContext,
  kind: 'withdrawal' | 'settlement',
  limitMs: number,
  wait: (withinMs: number) => Promise<T | null>,
): Promise<T | null> {
  const late = latePayments(ctx.run);
  const within = late.has(kind) ? Math.min(MAX_BALANCE_LAG_MS, limitMs) : limitMs;
  const seen = await wait(within);
  if (seen === null) late.add(kind);
  return seen;
}

/** How long to wait for a second effect, in milliseconds, if the first one took `tookMs`. */
export function secondEffectWaitMs(tookMs: number, mostMs: number = MAX_BALANCE_LAG_MS): number {
  return Math.min(2 * tookMs + 100, mostMs);
}

/** The number of each unit in a second: seconds, milliseconds, microseconds and nanoseconds. */
const UNITS_PER_SECOND = [1, 1e3, 1e6, 1e9];
const DAY_SECONDS = 86_400;

/** Whether a number is a time of today, such as the moment of a balance since 1970. */
function isTimestamp(value: number | string): boolean {
  const nowSeconds = Date.now() / 1000;
  return UNITS_PER_SECOND.some((perSecond) => Math.abs(Number(value) / perSecond - nowSeconds) < DAY_SECONDS);
}

/** Ends the path of a number that is read as an amount in the minor unit of its currency. */
const MINOR_UNIT_SUFFIX = ' (in cents)';

/**
 * Every number of a balance response by its path, in cents, because the contract shows no field of it. If all are written without
 * a decimal point, each one is also read as an amount in cents. An error response and a timestamp show no amount.
 */
export function centsByPlace(response: ApiResponse): Map<string, number> {
  const found = new Map<string, number>();
  if (!isSuccess(response)) return found;
  let areWhole = true;
  const visit = (value: unknown, place: string): void => {
    if (typeof value === 'number' || (typeof value === 'string' && MONEY_PATTERN.test(value))) {
      if (isTimestamp(value)) return;
      found.set(place, centsOf(value));
      areWhole &&= /^-?\d+$/.test(String(value));
    } else if (value !== null && typeof value === 'object') {
      for (const [name, inner] of Object.entries(value)) visit(inner, `${place}/${name}`);
    }
  };
  visit(response.json, '');
  if (areWhole) for (const [place, cents] of [...found]) found.set(place + MINOR_UNIT_SUFFIX, cents / 100);
  return found;
}

/** Whether a number of the balance fell by exactly this many cents. */
export function hasFallenBy(cents: number, before: ApiResponse, after: ApiResponse): boolean {
  const then = centsByPlace(before);
  return [...centsByPlace(after)].some(([place, now]) => (then.get(place) ?? now) - now === cents);
}

/** Whether the numbers of a balance may be amounts in the minor unit of its currency. */
export function mayBeInMinorUnit(response: ApiResponse): boolean {
  return [...centsByPlace(response).keys()].some((place) => place.endsWith(MINOR_UNIT_SUFFIX));
}

/** In cents, large enough for other payment rules than small amounts. */
const LARGE_WITHDRAWAL_CENTS = [1_200_000, 600_000, 150_000, 35_000];

/**
 * The largest of these amounts, in cents, that the run may withdraw and the balance covers four times; the smallest covered one
 * if the run may withdraw none. Null if the balance is too low.
 */
export function affordableLargeCents(ctx: CheckContext, balance: ApiResponse): number | null {
  const most = Math.max(0, ...centsByPlace(balance).values());
  const own = MAX_OWN_CENTS + raisedWithdrawalCents(ctx.run);
  const covered = LARGE_WITHDRAWAL_CENTS.filter((cents) => most > 4 * cents);
  return covered.find((cents) => cents + own <= maxLargeWithdrawalCents(ctx)) ?? covered.at(-1) ?? null;
}

/** The most that a check adds to make its amount unique. */
const MAX_OWN_CENTS = 400;

/** A number of the balance that fell: its path, the multiple of the amount, and the response. */
export interface LoweredAmount {
  place: string;
  times: number;
  response: ApiResponse;
}

/** Waits for a number that fell by `cents` times `least` to `most`; null if there is none within `withinMs` milliseconds. */
export async function waitForLoweredAmount(
  ctx: CheckContext,
  before: ReadonlyMap<string, number>,
  cents: number,
  withinMs: number,
  { least, most, as }: { least: number; most: number; as?: Credentials } = { least: 1, most: 1 },
): Promise<LoweredAmount | null> {
  const find = async (): Promise<LoweredAmount | null> => {
    const response = await sendTreasuryRequest(ctx, 'treasuryBalance', { ...(as && { as }) });
    for (const [place, now] of centsByPlace(response)) {
      const times = ((before.get(place) ?? now) - now) / cents;
      if (Number.isInteger(times) && times !== 0 && times >= least && times <= most)
        return { place, times, response: response };
    }
    return null;
  };
  const since = performance.now();
  const lowered = await pollUntil(ctx, find, (found) => found !== null, withinMs);
  if (lowered?.times === 1)
    recordEffectWait(ctx.run, 'lowers a balance', {
      tookMs: performance.now() - since,
      isMet: true,
      limitMs: withinMs,
    });
  return lowered;
}

/** As `waitForLoweredAmount`, for the first effect of a withdrawal. */
export async function waitForWithdrawal(
  ctx: CheckContext,
  before: ReadonlyMap<string, number>,
  cents: number,
  range = { least: 1, most: 1 },
): Promise<LoweredAmount | null> {
  const limitMs = ctx.target.simulatesWithdrawals ? MAX_BALANCE_LAG_MS : balanceLagMs(ctx);
  return await waitForFirstEffect(ctx, 'withdrawal', limitMs, (withinMs) =>
    waitForLoweredAmount(ctx, before, cents, withinMs, range),
  );
}

/** Reads the balance once it shows the earlier payments of this run, so that they do not change it later. The caller holds the balance lock. */
export async function readQuietBalance(ctx: CheckContext): Promise<ApiResponse> {
  await waitForEarlierPayments(ctx);
  return await sendTreasuryRequest(ctx, 'treasuryBalance');
}

/** A wait of at most this length, in milliseconds, may delay the changes of invoices as well. */
const SHORT_WAIT_MS = 300;

/** Runs work of a check with the balance lock once the balance shows the earlier payments of this run. */
export async function afterEarlierPayments<T>(ctx: CheckContext, work: () => Promise<T>): Promise<T> {
  const isShort = paymentLagMs(ctx) <= SHORT_WAIT_MS;
  return await (isShort ? waitAndWork : waitWithoutPayments)(ctx, work, waitForEarlierPayments);
}

/** Runs work of a check that withdraws more than the balance shows, with the balance lock. */
export async function onceFundsShow<T>(ctx: CheckContext, work: () => Promise<T>): Promise<T> {
  return await waitWithoutPayments(ctx, work, waitForFunds);
}

type Wait = (ctx: CheckContext) => Promise<void>;

async function waitAndWork<T>(ctx: CheckContext, work: () => Promise<T>, wait: Wait): Promise<T> {
  return await ctx.run.balanceLock.exclusive(ctx.lockOwner, async () => {
    // An action under way may have paid meanwhile.
    await wait(ctx);
    return await work();
  });
}

/** Invoices may change during the wait. */
async function waitWithoutPayments<T>(ctx: CheckContext, work: () => Promise<T>, wait: Wait): Promise<T> {
  return await ctx.run.balanceLock.withoutOtherPayments(ctx.lockOwner, async () => {
    await wait(ctx);
    return await waitAndWork(ctx, work, wait);
  });
}

/** How long balances have taken to show payments in this run, in milliseconds, with a margin. */
function paymentLagMs(ctx: CheckContext): number {
  const isLate = latePayments(ctx.run).size > 0;
  return hiddenLagMs(ctx, isLate ? MAX_BALANCE_LAG_MS : balanceLagMs(ctx));
}

/** Most of the measured payments are withdrawals. A queued settlement moves the money only when the invoice is SETTLED. */
function hiddenLagMs({ run }: CheckContext, limitMs: number): number {
  const settledMs = Math.max(...SETTLED_KINDS.map((kind) => slowestEffectMs(run, kind)));
  const queuedMs = run.paymentClock.queuesSettlements ? settledMs : 0;
  return Math.min(limitMs, hiddenEffectWaitMs(run, 'lowers a balance', limitMs) + queuedMs);
}

const SETTLED_KINDS = ['shows SETTLED', 'leaves APPROVED by settle'] as const;

/** Waits as long as balances have taken to show payments in this run. The caller holds the balance lock. */
export async function waitForEarlierPayments(ctx: CheckContext): Promise<void> {
  await pause(ctx.run.paymentClock.remainingMs(paymentLagMs(ctx)));
}

/**
 * As `waitForEarlierPayments`, and at least as long as a balance may take to show a settlement. The funds may be more than an older
 * balance shows, so that a withdrawal that seems to exceed them would empty it.
 */
async function waitForFunds(ctx: CheckContext): Promise<void> {
  await waitForEarlierPayments(ctx);
  await pause(ctx.run.paymentClock.remainingSinceSettlementMs(settlementLagMs(ctx)));
}

/** How long a balance may take to show a settlement, in milliseconds. */
export function settlementLagMs(ctx: CheckContext): number {
  return Math.max(MAX_BALANCE_LAG_MS, hiddenLagMs(ctx, balanceLagMs(ctx)));
}
