const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a value is a string of the form `YYYY-MM-DD` that names a calendar day. */
export function isCalendarDate(value: unknown): boolean {
  const parts = typeof value === 'string' ? DATE.exec(value) : null;
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

// Calendar, ordinal and week dates in the extended and the basic form; fractions of any length of seconds, minutes or
// hours, with point or comma; every form of the offset zero.
const EXTENDED = String.raw`-(\d{2}-\d{2}|\d{3}|W\d{2}-[1-7])T\d{2}(:\d{2}){0,2}`;
const BASIC = String.raw`(\d{4}|\d{3}|W\d{2}[1-7])T(\d{2}){1,3}`;
const UTC_TIMESTAMP = new RegExp(String.raw`^\d{4}(${EXTENDED}|${BASIC})([.,]\d+)?(Z|[+-]00(:?00)?)$`, 'i');
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Whether a value is an ISO 8601 timestamp in UTC. */
export function isUtcTimestamp(value: unknown): boolean {
  return typeof value === 'string' && UTC_TIMESTAMP.test(value);
}

/**
 * Milliseconds since the epoch for an ISO 8601 UTC timestamp in any form that `isUtcTimestamp` accepts; NaN for
 * anything else.
 */
export function utcEpochMs(value: unknown): number {
  if (!isUtcTimestamp(value)) return Date.parse(String(value));
  const digits = String(value)
    .replace(/(Z|[+-]00(:?00)?)$/i, '')
    .replace(',', '.');
  const [date = '', time = ''] = digits.replaceAll('-', '').replaceAll(':', '').split(/T/i);
  const [clock = '', fraction = '0'] = time.split('.');
  const parts = (clock.match(/\d{2}/g) ?? []).map(Number);
  // A fraction belongs to the last unit that is given.
  const ofLast = Number(`0.${fraction}`) * (HOUR_MS / 60 ** (parts.length - 1));
  const ofDay = parts.reduce((sum, part, at) => sum + part * (HOUR_MS / 60 ** at), 0) + Math.trunc(ofLast);
  return midnightMs(Number(date.slice(0, 4)), date.slice(4)) + ofDay;
}

/** The start of a day, from the month and day, the day of the year, or the ISO week and weekday. */
function midnightMs(year: number, day: string): number {
  if (/^W/i.test(day)) {
    // Week 1 contains 4 January; weeks begin on Monday.
    const fourth = Date.UTC(year, 0, 4);
    const weekday = new Date(fourth).getUTCDay() || 7;
    return fourth + ((Number(day.slice(1, 3)) - 1) * 7 + Number(day.slice(3)) - weekday) * DAY_MS;
  }
  if (day.length === 3) return Date.UTC(year, 0, Number(day));
  return Date.UTC(year, Number(day.slice(0, 2)) - 1, Number(day.slice(2)));
}
