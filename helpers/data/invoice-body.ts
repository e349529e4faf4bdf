import { createHash } from 'node:crypto';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runMark } from '../context/run-mark.ts';
import { productNames } from '../context/seeded-faker.ts';
import type { AcceptedRanges } from './accepted-ranges.ts';
import { acceptedRangesOf } from './accepted-ranges.ts';
import { formatAmount } from './amounts.ts';

/** The body of an invoice creation, with the fields that the contract declares. */
export interface InvoiceBody {
  sellerId: string;
  buyerId: string;
  amount: string;
  dueDate: string;
  description: string;
  currency?: string;
  requestId?: string;
}

const DAY_MS = 86_400_000;

/** Shares no factor with their number, so that sums repeat as late as possible. */
const STRIDE = 37;

/** Every fourth sum is left to bodies without a mark, so that another run's are never taken for what came of a refused one. */
const UNMARKED_STEP = 4;

/**
 * A valid body with only what every server must accept. Amount and due date together are unique within the run: they, and
 * the run's mark in the description, tell afterwards which invoice came of it.
 */
export function validBody(ctx: CheckContext): InvoiceBody {
  const serial = ctx.run.nextSerial();
  const start = ctx.run.plan.seed + runOffset(ctx);
  const { leastCents, sums } = acceptedRangesOf(ctx.run);
  const between = UNMARKED_STEP - 1;
  // The ends of the span are kept for the first invoices.
  const within = (sums / UNMARKED_STEP) * between - 2;
  const place = (start + serial * STRIDE) % within;
  const days = dueDates(ctx);
  return {
    sellerId: ctx.organizationId('seller'),
    buyerId: ctx.organizationId('buyer'),
    amount: formatAmount(leastCents + UNMARKED_STEP * Math.floor(place / between) + 1 + (place % between)),
    dueDate: days[(start + serial + Math.floor(serial / within)) % days.length] as string,
    description: `${productNames[(start + serial) % productNames.length]} (${runMark(ctx)} ${serial})`,
  };
}

/** A sum for a body without a description: no body of `validBody` in any run has it. */
export function unmarkedAmount(ctx: CheckContext): string {
  const { leastCents, sums } = acceptedRangesOf(ctx.run);
  const place = ctx.run.plan.seed + runOffset(ctx) + ctx.run.nextSerial() * STRIDE;
  return formatAmount(leastCents + UNMARKED_STEP * (1 + (place % (sums / UNMARKED_STEP - 1))));
}

/** Leaves of a valid body the required fields alone: no currency, no createRequestId and no description. */
export function requiredFieldsOnly(ctx: CheckContext): Pick<InvoiceBody, 'amount'> & { description: never } {
  return { amount: unmarkedAmount(ctx), description: undefined as never };
}

/** The least and the most that the terms of the run allow. */
export function rangeLimits(ctx: CheckContext): Pick<InvoiceBody, 'amount' | 'dueDate'>[] {
  const { leastCents, sums } = acceptedRangesOf(ctx.run);
  const days = dueDates(ctx);
  return [
    { amount: formatAmount(leastCents), dueDate: days[0] as string },
    { amount: formatAmount(leastCents + sums - 1), dueDate: days.at(-1) as string },
  ];
}

/** The cheapest and the dearest, due soonest and latest: what a server does by itself may depend on either. */
export function extremeValues(ctx: CheckContext): Pick<InvoiceBody, 'amount' | 'dueDate'>[] {
  const aside = ctx.run.nextSerial() % 50;
  const { leastCents, sums } = acceptedRangesOf(ctx.run);
  const days = dueDates(ctx);
  // Beside the others, which are to be told from them.
  return [leastCents - 1 - aside, leastCents + sums + aside].flatMap((cents) =>
    [days[0] as string, days.at(-1) as string].map((dueDate) => ({ amount: formatAmount(cents), dueDate })),
  );
}

/** The days on which something may be due, the soonest first: what is due may have to be due on a working day. */
export function dueDates(ctx: CheckContext): readonly string[] {
  const terms = acceptedRangesOf(ctx.run);
  const today = Math.floor(Date.now() / DAY_MS);
  const known = weekdayCache.get(terms);
  if (known?.today === today) return known.days;
  const days = weekdaysWithin(terms);
  weekdayCache.set(terms, { today, days });
  return days;
}

const weekdayCache = new WeakMap<AcceptedRanges, { today: number; days: readonly string[] }>();

function weekdaysWithin({ due: { nearest, farthest } }: AcceptedRanges): string[] {
  return Array.from({ length: farthest - nearest + 1 }, (_, at) => nearest + at)
    .map((inDays) => new Date(Date.now() + inDays * DAY_MS))
    .filter((day) => day.getUTCDay() % 6 !== 0)
    .map((day) => day.toISOString().slice(0, 10));
}

/** Another run at the same time, of the same seed even, is to make other invoices. */
function runOffset({ run }: CheckContext): number {
  const start = offsetsByRun.get(run) ?? createHash('sha256').update(run.plan.runId).digest().readUInt16BE();
  offsetsByRun.set(run, start);
  return start;
}

const offsetsByRun = new WeakMap<RunContext, number>();
