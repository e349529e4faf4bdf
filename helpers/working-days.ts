const DAY_MS = 86_400_000;
/** From a Friday to the Tuesday behind a long weekend. */
const LONGEST_MOVE_DAYS = 4;

/** Whether a day, YYYY-MM-DD, is none of a weekend. */
export function isWeekday(day: string): boolean {
  return new Date(day).getUTCDay() % 6 !== 0;
}

/**
 * Whether a due date was moved to a working day near by, from one that is none where most live: whether a server keeps to those
 * is not shown. On New Year's Day nobody moves back into the old year.
 */
export function movedToWorkday(sent: string, shown: unknown): boolean {
  if (typeof shown !== 'string' || !isWeekday(shown)) return false;
  const days = (Date.parse(shown) - Date.parse(sent)) / DAY_MS;
  if (sent.endsWith('-01-01')) return days > 0 && days <= LONGEST_MOVE_DAYS;
  return !isWeekday(sent) && Math.abs(days) <= LONGEST_MOVE_DAYS;
}
