import { postInvoice } from '../api/operations.ts';
import { type ApiResponse, isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { DAY_MS, isWeekday } from '../data/due-dates.ts';
import { acceptedRangesOf, validBody } from '../data/invoice-body.ts';
import { resolveCreatedInvoice } from '../invoices/invoices.ts';

const [MIN_DAYS_AHEAD, MAX_DAYS_AHEAD] = [7, 320];

/** The part of a date that a faulty parser may reject: its month or its day of the month. */
export type DateTrait = { part: 'month' | 'day'; value: string };

/** Sampled in addition to every month: the first and last days, and days that a parser may take for octal numbers. */
const SAMPLED_DAYS_OF_MONTH = ['01', '08', '09', '10', '28', '29', '30', '31'];

export const hasDateTrait = (day: string, { part, value }: DateTrait): boolean =>
  (part === 'month' ? day.slice(5, 7) : day.slice(8)) === value;

/** Public holidays in most countries, as MM-DD. */
const HOLIDAYS = ['01-01', '12-25'];

/**
 * Working days from one week to almost a year after `now`, as YYYY-MM-DD. The contract leaves open whether an invoice may be
 * due on other days.
 */
export function upcomingWorkdays(now: number): string[] {
  return Array.from({ length: MAX_DAYS_AHEAD - MIN_DAYS_AHEAD }, (_, at) =>
    new Date(now + (MIN_DAYS_AHEAD + at) * DAY_MS).toISOString().slice(0, 10),
  ).filter((day) => isWeekday(day) && !HOLIDAYS.includes(day.slice(5)));
}

/** A small sample of the days in which every month and every sampled day of the month occurs. */
export function sampleDaysByTrait(days: readonly string[]): string[] {
  const months = [...new Set(days.map((day) => day.slice(5, 7)))].map((value): DateTrait => ({ part: 'month', value }));
  const traits = [...months, ...SAMPLED_DAYS_OF_MONTH.map((value): DateTrait => ({ part: 'day', value }))];
  const sample: string[] = [];
  for (;;) {
    const missing = traits.filter((trait) => !sample.some((day) => hasDateTrait(day, trait)));
    const worth = (day: string) => missing.filter((trait) => hasDateTrait(day, trait)).length;
    const best = days.reduce((one, other) => (worth(other) > worth(one) ? other : one), days[0] ?? '');
    if (worth(best) === 0) return sample;
    sample.push(best);
  }
}

/** Other days with the trait, spread over the range, and the nearest days without it. */
export function comparisonDays(
  days: readonly string[],
  trait: DateTrait,
  known: string,
): { alike: string[]; neighbours: string[] } {
  const all = days.filter((day) => hasDateTrait(day, trait) && day !== known);
  const step = Math.max(1, Math.floor(all.length / MAX_DAYS_PER_TRAIT));
  const alike = all.filter((_, at) => at % step === 0).slice(0, MAX_DAYS_PER_TRAIT);
  const neighbours = [known, ...alike].flatMap((day) => {
    const at = days.indexOf(day);
    const before = days.slice(0, at).findLast((other) => !hasDateTrait(other, trait));
    const after = days.slice(at + 1).find((other) => !hasDateTrait(other, trait));
    return before && after ? [before, after] : [];
  });
  return { alike, neighbours: [...new Set(neighbours)] };
}

const MAX_DAYS_PER_TRAIT = 3;

async function createInvoiceDueOn(ctx: CheckContext, dueDate: string): Promise<ApiResponse> {
  const body = { ...validBody(ctx), dueDate };
  const response = await postInvoice(ctx, body);
  if (isSuccess(response)) await resolveCreatedInvoice(ctx, body, response);
  return response;
}

function skipIfPaymentDaysOnly({ run }: CheckContext): void {
  if (acceptedRangesOf(run).due.isPaymentDay) notApplicable('the server accepts only certain days as due dates');
}

function skipIfEachRejected(responses: readonly ApiResponse[]): void {
  if (responses.every(({ status }) => status === 400))
    notApplicable('the server accepts none of the sampled due dates');
}

/**
 * "dueDate: a date, YYYY-MM-DD." One rejected day may be a holiday or outside the accepted range. Throws a Breach if all
 * days of one month or of one day number are rejected and their neighbours are accepted.
 */
export async function expectDueDatesAccepted(ctx: CheckContext): Promise<void> {
  skipIfPaymentDaysOnly(ctx);
  const days = upcomingWorkdays(Date.now());
  const sample = sampleDaysByTrait(days);
  const responses = await Promise.all(sample.map((day) => createInvoiceDueOn(ctx, day)));
  const rejected = sample.flatMap((day, at) => {
    const response = responses[at];
    return response?.status === 400 ? [{ day, response }] : [];
  });
  skipIfEachRejected(responses);
  const fine = sample.filter((_, at) => isSuccess(responses[at] as ApiResponse));
  const isAmongFine = (day: string) => fine.some((other) => other < day) && fine.some((other) => other > day);
  for (const { day, response } of rejected) {
    const traits: DateTrait[] = [
      { part: 'month', value: day.slice(5, 7) },
      { part: 'day', value: day.slice(8) },
    ];
    for (const trait of traits) {
      const { alike, neighbours } = comparisonDays(days, trait, day);
      if (alike.length === 0 || neighbours.length === 0) continue;
      const others = await Promise.all(alike.map((other) => createInvoiceDueOn(ctx, other)));
      if (others.some(({ status }) => status !== 400)) continue;
      const next = await Promise.all(neighbours.map((other) => createInvoiceDueOn(ctx, other)));
      // Two consecutive months may be rejected for the same reason, so later accepted days count as neighbours too.
      const isHole = next.every(isSuccess) || (trait.part === 'month' && isAmongFine(day));
      if (!isHole) continue;
      const because = `the server rejects dueDate ${day}, and also ${alike.join(', ')}, but accepts ${fine.join(', ')}`;
      throw breach(ctx, response, `an accepted invoice with dueDate ${day}`, because, others);
    }
  }
}
