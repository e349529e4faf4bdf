const DAY_MS = 86_400_000;
const NEAREST_DAYS = 14;
const FARTHEST_DAYS = 50;

const isDayOfMonth = (wanted: number) => (day: Date) => day.getUTCDate() === wanted;
const isWeekday = (wanted: number) => (day: Date) => day.getUTCDay() === wanted;
const isLastOfMonth = (day: Date) => new Date(day.getTime() + DAY_MS).getUTCDate() === 1;

/** Some weeks from now, the days on which organizations pay: the first, the middle and the last of a month, and each working day of a week. */
export function paymentDays(): string[] {
  const days = Array.from(
    { length: FARTHEST_DAYS - NEAREST_DAYS },
    (_, at) => new Date(Date.now() + (NEAREST_DAYS + at) * DAY_MS),
  );
  const kinds = [isDayOfMonth(1), isDayOfMonth(15), isLastOfMonth, ...[1, 2, 3, 4, 5].map(isWeekday)];
  const chosen = kinds.map((isOfKind) => days.find(isOfKind)?.toISOString().slice(0, 10));
  return [...new Set(chosen.filter((day) => day !== undefined))];
}
