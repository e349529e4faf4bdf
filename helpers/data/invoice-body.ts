import { createHash } from 'node:crypto';
import { runState } from '../../engine/ledger/run-ledger.ts';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import { type CheckContext, productNames } from '../context/check.ts';
import { hasOtherMark, runMark } from '../context/invoice-history.ts';
import { formatAmount } from './amounts.ts';
import { DAY_MS, type DueRange, daysWithin } from './due-dates.ts';

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

/** Coprime to the number of amounts, so that amounts repeat as late as possible. */
const STRIDE = 37;

/**
 * Every fourth amount is reserved for bodies without a mark, so that invoices of another run are not attributed to a
 * rejected creation.
 */
const UNMARKED_STEP = 4;

/**
 * A valid body that every server must accept. The amount with the due date is unique within the run and, with the
 * run's mark in the description, identifies the resulting invoice.
 */
export function validBody(ctx: CheckContext): InvoiceBody {
  const serial = ctx.run.nextSerial();
  const start = ctx.run.plan.seed + runOffset(ctx.run);
  const { leastCents, sums } = acceptedRangesOf(ctx.run);
  const between = UNMARKED_STEP - 1;
  // The ends of the range are reserved for the first invoices.
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

/** An amount for a body without a description. No body of `validBody` has it in any run. */
export function unmarkedAmount(ctx: CheckContext): string {
  const { leastCents, sums } = acceptedRangesOf(ctx.run);
  const place = ctx.run.plan.seed + runOffset(ctx.run) + ctx.run.nextSerial() * STRIDE;
  return formatAmount(leastCents + UNMARKED_STEP * (1 + (place % (sums / UNMARKED_STEP - 1))));
}

/** The changes that reduce a valid body to its required fields: no currency, requestId or description. */
export function requiredFieldsOnly(ctx: CheckContext): Pick<InvoiceBody, 'amount'> & { description: never } {
  return { amount: unmarkedAmount(ctx), description: undefined as never };
}

/** The smallest and the largest amount and due date of the run's ranges. */
export function rangeLimits(ctx: CheckContext): Pick<InvoiceBody, 'amount' | 'dueDate'>[] {
  const { leastCents, sums } = acceptedRangesOf(ctx.run);
  const days = dueDates(ctx);
  return [
    { amount: formatAmount(leastCents), dueDate: days[0] as string },
    { amount: formatAmount(leastCents + sums - 1), dueDate: days.at(-1) as string },
  ];
}

/**
 * Amounts and due dates just outside the others: the lowest and highest amount, each due soonest and latest. A
 * spontaneous change may depend on either.
 */
export function extremeValues(ctx: CheckContext): Pick<InvoiceBody, 'amount' | 'dueDate'>[] {
  const aside = ctx.run.nextSerial() % 50;
  const { leastCents, sums } = acceptedRangesOf(ctx.run);
  const days = dueDates(ctx);
  // Outside the range of the other invoices, to stay distinguishable.
  return [leastCents - 1 - aside, leastCents + sums + aside].flatMap((cents) =>
    [days[0] as string, days.at(-1) as string].map((dueDate) => ({ amount: formatAmount(cents), dueDate })),
  );
}

/** Possible due dates, soonest first. A server may accept only weekdays, or only certain payment days. */
export function dueDates(ctx: CheckContext): readonly string[] {
  const terms = acceptedRangesOf(ctx.run);
  const today = Math.floor(Date.now() / DAY_MS);
  const known = dueDateCache.get(terms);
  if (known?.today === today) return known.days;
  const days = daysWithin(terms.due);
  dueDateCache.set(terms, { today, days });
  return days;
}

/** The nth possible due date that is more than these days ahead. */
export function lateDueDate(run: RunContext, daysAhead: number, nth: number): string {
  const { due } = acceptedRangesOf(run);
  const range = { ...due, nearest: daysAhead + 1, farthest: daysAhead + nth * MAX_DAYS_PER_MONTH };
  return daysWithin(range)[nth - 1] as string;
}

const MAX_DAYS_PER_MONTH = 31;

const dueDateCache = new WeakMap<AcceptedRanges, { today: number; days: readonly string[] }>();

/** A concurrent run, even with the same seed, must create other invoices. */
const runOffset = runState(({ plan }: RunContext) => createHash('sha256').update(plan.runId).digest().readUInt16BE());

export type BodyDefect = keyof InvoiceBody | null;

/** Whether a body created a record, judged by all fields that the defect of the body leaves comparable. */
export function isCreatedFrom(record: JsonObject, body: InvoiceBody, defect: BodyDefect = null): boolean {
  const pairs: [keyof InvoiceBody, unknown][] = [
    ['amount', record.amount],
    ['dueDate', record.dueDate],
    ['buyerId', record.buyerOrganizationId],
  ];
  // Without amount or date to compare, the run's mark decides, if the server shows it.
  if (defect === 'amount' || defect === 'dueDate') pairs.push(['description', record.description ?? body.description]);
  // UUIDs are compared without case; amounts and dates have no letters.
  const plain = (value: unknown) => String(value).toLowerCase();
  const alike = pairs.every(([field, found]) => field === defect || plain(found) === plain(body[field]));
  // Another run, even with the same seed, may use the same sandbox.
  return alike && (defect === 'description' || !hasOtherMark(record.description, body));
}

/** The amounts and due dates of the invoices of a run. The server treats all invoices within these bounds alike. */
export interface AcceptedRanges {
  leastCents: number;
  /** The number of different amounts. */
  sums: number;
  due: DueRange;
}

/**
 * The first range is large enough to avoid minimums and small enough for a sandbox treasury and an invoice cap. The
 * others serve servers with other business rules.
 */
const AMOUNT_RANGES = [
  { leastCents: 10_00, sums: 70_00 },
  { leastCents: 210_00, sums: 70_00 },
  { leastCents: 2_100_00, sums: 70_00 },
  { leastCents: 1_00, sums: 7_00 },
];

/**
 * Weekdays within common payment terms. There are enough of them for invoices of one moment to have different due
 * dates.
 */
const DUE_RANGES: readonly DueRange[] = [
  { nearest: 20, farthest: 30 },
  { nearest: 50, farthest: 60 },
  { nearest: 3, farthest: 13 },
  { nearest: 100, farthest: 110 },
  { nearest: 190, farthest: 200 },
  { nearest: 310, farthest: 320 },
];

/** The ranges of all amounts with these due dates, the default amounts first. */
export const rangesDueWithin = (due: DueRange): AcceptedRanges[] => AMOUNT_RANGES.map((sums) => ({ ...sums, due }));

/** The default ranges come first. */
export const candidateRanges: readonly AcceptedRanges[] = DUE_RANGES.flatMap(rangesDueWithin);

const accepted = runState(() => ({ ranges: candidateRanges[0] as AcceptedRanges }));

/** The ranges of this run: the default ones, unless calibration set others. */
export function acceptedRangesOf(run: RunContext): AcceptedRanges {
  return accepted(run).ranges;
}

/** Sets the ranges of every valid body from now on; undefined restores the default ranges. */
export function setAcceptedRanges(run: RunContext, terms: AcceptedRanges | undefined): void {
  accepted(run).ranges = terms ?? (candidateRanges[0] as AcceptedRanges);
}
