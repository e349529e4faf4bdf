export const DAY_MS = 86_400_000;
/** Common payment terms, in days from today. They contain two ends of a month, so that invoices have different due dates. */
const MIN_PAYMENT_DAYS = 14;
const MAX_PAYMENT_DAYS = 80;
const PAST_DAYS = 40;
const FUTURE_DAYS = 400;
/** From a Friday to the Tuesday after a long weekend. */
const MAX_MOVE_DAYS = 4;

const isDayOfMonth = (expected: number) => (day: Date) => day.getUTCDate() === expected;
const isDayOfWeek = (expected: number) => (day: Date) => day.getUTCDay() === expected;
const isLastOfMonth = (day: Date) => new Date(day.getTime() + DAY_MS).getUTCDate() === 1;
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Days in a range, in days from now; `isPaymentDay` selects some of them, by default the weekdays. */
export interface DueRange {
  nearest: number;
  farthest: number;
  isPaymentDay?: (day: Date) => boolean;
}

/** The days of common agreements on payment, if only they are accepted: the first, middle and last of a month, and each weekday. */
export const paymentDayRanges: readonly DueRange[] = [
  isDayOfMonth(1),
  isDayOfMonth(15),
  isLastOfMonth,
  ...[1, 2, 3, 4, 5].map(isDayOfWeek),
].map((isPaymentDay) => ({ nearest: MIN_PAYMENT_DAYS, farthest: MAX_PAYMENT_DAYS, isPaymentDay }));

/** The days of a range, YYYY-MM-DD, soonest first. */
export function daysWithin({
  nearest,
  farthest,
  isPaymentDay = (day) => day.getUTCDay() % 6 !== 0,
}: DueRange): string[] {
  return Array.from({ length: farthest - nearest + 1 }, (_, at) => new Date(Date.now() + (nearest + at) * DAY_MS))
    .filter(isPaymentDay)
    .map((day) => day.toISOString().slice(0, 10));
}

/** A day in the past. The contract does not say whether an invoice may be due on one. */
export const pastDueDate = () => dayFromNow(-PAST_DAYS);

/** A day later than any usual payment term. */
export const farFutureDueDate = () => dayFromNow(FUTURE_DAYS);

/** Whether a day, YYYY-MM-DD, is a weekday. */
export function isWeekday(day: string): boolean {
  return new Date(day).getUTCDay() % 6 !== 0;
}

/**
 * Whether the server moved a due date from a weekend or holiday to a near weekday. The contract does not say whether a server
 * may. New Year's Day only moves forward.
 */
export function isMovedToWorkday(sent: string, shown: unknown): boolean {
  if (typeof shown !== 'string' || !isWeekday(shown)) return false;
  const days = (Date.parse(shown) - Date.parse(sent)) / DAY_MS;
  if (sent.endsWith('-01-01')) return days > 0 && days <= MAX_MOVE_DAYS;
  return !isWeekday(sent) && Math.abs(days) <= MAX_MOVE_DAYS;
}
