import { postInvoice } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { isWeekday } from '../data/due-dates.ts';
import { validBody } from '../data/invoice-body.ts';
import { resolveCreatedInvoice } from '../invoices/invoices.ts';

const DAY_MS = 86_400_000;
const [MIN_DAYS_AHEAD, MAX_DAYS_AHEAD] = [7, 320];

/** What a day has in common with others that careless code takes for no day at all. */
export type DateTrait = { part: 'month' | 'day'; value: string };

/** The days of whom every month, and the first, the last and the octal days of months, have a share. */
const SAMPLED_DAYS_OF_MONTH = ['01', '08', '09', '10', '28', '29', '30', '31'];

export const hasDateTrait = (day: string, { part, value }: DateTrait): boolean =>
  (part === 'month' ? day.slice(5, 7) : day.slice(8)) === value;

/** On which nobody works nearly anywhere. */
const HOLIDAYS = ['01-01', '12-25'];

/** The working days between a week and nearly a year from now; whether anything may be due on others is not shown. */
export function upcomingWorkdays(now: number): string[] {
  return Array.from({ length: MAX_DAYS_AHEAD - MIN_DAYS_AHEAD }, (_, at) =>
    new Date(now + (MIN_DAYS_AHEAD + at) * DAY_MS).toISOString().slice(0, 10),
  ).filter((day) => isWeekday(day) && !HOLIDAYS.includes(day.slice(5)));
}

/** Few days that have every trait among them. */
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

/** Others with a trait, far from each other, and those next to them without it. */
export function comparisonDays(
  days: readonly string[],
  trait: DateTrait,
  known: string,
): { alike: string[]; beside: string[] } {
  const all = days.filter((day) => hasDateTrait(day, trait) && day !== known);
  const step = Math.max(1, Math.floor(all.length / MAX_DAYS_PER_TRAIT));
  const alike = all.filter((_, at) => at % step === 0).slice(0, MAX_DAYS_PER_TRAIT);
  const beside = [known, ...alike].flatMap((day) => {
    const at = days.indexOf(day);
    const before = days.slice(0, at).findLast((other) => !hasDateTrait(other, trait));
    const after = days.slice(at + 1).find((other) => !hasDateTrait(other, trait));
    return before && after ? [before, after] : [];
  });
  return { alike, beside: [...new Set(beside)] };
}

const MAX_DAYS_PER_TRAIT = 3;

async function createInvoiceDueOn(ctx: CheckContext, dueDate: string): Promise<ApiResponse> {
  const body = { ...validBody(ctx), dueDate };
  const response = await postInvoice(ctx, body);
  if (isSuccess(response)) await resolveCreatedInvoice(ctx, body, response);
  return response;
}

/**
 * "dueDate: a date, YYYY-MM-DD." A single day may be a holiday, and how soon or late anything may be due is not shown; that all days
 * of a month, or all of one number in their months, are refused and those next to them accepted, has another reason.
 */
export async function expectDueDatesAccepted(ctx: CheckContext): Promise<void> {
  const days = upcomingWorkdays(Date.now());
  const sample = sampleDaysByTrait(days);
  const responses = await Promise.all(sample.map((day) => createInvoiceDueOn(ctx, day)));
  const refused = sample.flatMap((day, at) => {
    const response = responses[at];
    return response?.status === 400 ? [{ day, answer: response }] : [];
  });
  if (refused.length === sample.length) notApplicable('none of these days is accepted');
  const fine = sample.filter((_, at) => isSuccess(responses[at] as ApiResponse));
  const isAmongFine = (day: string) => fine.some((other) => other < day) && fine.some((other) => other > day);
  for (const { day, answer: response } of refused) {
    const traits: DateTrait[] = [
      { part: 'month', value: day.slice(5, 7) },
      { part: 'day', value: day.slice(8) },
    ];
    for (const trait of traits) {
      const { alike, beside } = comparisonDays(days, trait, day);
      if (alike.length === 0 || beside.length === 0) continue;
      const others = await Promise.all(alike.map((other) => createInvoiceDueOn(ctx, other)));
      if (others.some(({ status }) => status !== 400)) continue;
      const next = await Promise.all(beside.map((other) => createInvoiceDueOn(ctx, other)));
      // Two months in a row may be refused for one reason.
      const isHole = next.every(isSuccess) || (trait.part === 'month' && isAmongFine(day));
      if (!isHole) continue;
      const because = `refused, as are ${alike.join(', ')}; ${fine.join(', ')} are accepted`;
      throw breach(ctx, response, `an invoice due on ${day}`, because, others);
    }
  }
}
