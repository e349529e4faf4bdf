const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a value is a string of the form `YYYY-MM-DD` that names a day of the calendar. */
export function isCalendarDate(value: unknown): boolean {
  const parts = typeof value === 'string' ? DATE.exec(value) : null;
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

// Extended and basic form, fractions of any length with point or comma, and every way to write the offset zero.
const UTC_TIMESTAMP =
  /^\d{4}(-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}([.,]\d+)?)?|\d{4}T\d{4}(\d{2}([.,]\d+)?)?)(Z|[+-]00(:?00)?)$/i;

/** Whether a value is an ISO 8601 timestamp that says it is UTC. */
export function isUtcTimestamp(value: unknown): boolean {
  return typeof value === 'string' && UTC_TIMESTAMP.test(value);
}

/**
 * Milliseconds of the epoch of an ISO 8601 UTC timestamp in any form that `isUtcTimestamp` accepts; NaN for anything else.
 */
export function utcMilliseconds(value: unknown): number {
  if (!isUtcTimestamp(value)) return Date.parse(String(value));
  const digits = String(value)
    .replace(/(Z|[+-]00(:?00)?)$/i, '')
    .replace(',', '.');
  const [date = '', time = ''] = digits.replaceAll('-', '').replaceAll(':', '').split(/T/i);
  const [clock = '', fraction = '0'] = time.split('.');
  const [hour = 0, minute = 0, second = 0] = (clock.match(/\d{2}/g) ?? []).map(Number);
  const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6, 8)].map(Number) as [
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second) + Math.trunc(Number(`0.${fraction}`) * 1000);
}
