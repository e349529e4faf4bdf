/** The kit does not wait for a longer limit. */
export const MAX_RATE_LIMIT_WAIT_MS = 60_000;
/** A later time is more likely an unknown format. */
const MAX_RATE_LIMIT_MS = 86_400_000;

/**
 * Milliseconds to wait by the `X-RateLimit-Reset` of a 429. The contract defines no format, so epoch seconds,
 * epoch milliseconds, seconds from now and HTTP dates are all understood; null if it is absent or implausible.
 */
export function rateLimitWaitMs(value: string | undefined, now: number): number | null {
  if (value === undefined || value.trim() === '') return null;
  const number = Number(value);
  const at = Number.isNaN(number) ? parseDate(value) : toEpochMs(number, now);
  if (Number.isNaN(at)) return null;
  return at - now > MAX_RATE_LIMIT_MS ? null : Math.max(at - now, 0);
}

/**
 * As `rateLimitWaitMs`, if the response itself shows how far away the time is; null if that depends on the kit's clock or on a time
 * zone that the header does not name.
 */
export function certainRateLimitWaitMs(value: string | undefined, date: string | undefined): number | null {
  if (value === undefined) return null;
  const number = Number(value);
  const isRelative = Math.abs(number) <= MAX_RELATIVE;
  const told = parseZonedDate(date ?? '');
  if (!isRelative && Number.isNaN(told)) return null;
  if (Number.isNaN(number) && Number.isNaN(parseZonedDate(value))) return null;
  return rateLimitWaitMs(value, isRelative ? 0 : told);
}

/** Larger differences are not clock skew, or the time that a response took. */
const MAX_CLOCK_SKEW_MS = 600_000;
/** As above, if the response names the time of the server's own clock. */
const MAX_SERVER_SKEW_MS = 10_000;

/**
 * Whether a reset time is past, by the Date of the response or else by `sentAt`: an epoch time, a date with its zone or
 * a negative number of seconds. An epoch time more than a day ago is more likely a duration in another unit.
 */
export function isExpiredReset(value: string | undefined, date: string | undefined, sentAt: number): boolean {
  if (value === undefined || value.trim() === '') return false;
  const number = Number(value);
  if (number < 0) return true;
  if (number <= MAX_RELATIVE) return false;
  const told = parseZonedDate(date ?? '');
  const now = Number.isNaN(told) ? sentAt : told;
  const ago = now - (Number.isNaN(number) ? parseZonedDate(value) : toEpochMs(number, now));
  if (Number.isNaN(ago)) return false;
  const isSkew = ago <= (Number.isNaN(told) ? MAX_CLOCK_SKEW_MS : MAX_SERVER_SKEW_MS);
  return !isSkew && (Number.isNaN(number) || ago < MAX_RATE_LIMIT_MS);
}

const WITHOUT_ZONE = /^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s*$/;
const WITH_ZONE = /:\d\d(\.\d+)?\s*(Z|GMT|UTC|[+-]\d\d:?\d\d)\s*$/i;

/** Every time of the contract is UTC, so the kit waits as if an ISO 8601 time without a zone were UTC, too. */
function parseDate(value: string): number {
  return WITHOUT_ZONE.test(value) ? Date.parse(`${value.trim().replace(' ', 'T')}Z`) : parseZonedDate(value);
}

/** NaN without a zone: the time may be a local one, and `Date.parse` reads a date in almost any text. */
function parseZonedDate(value: string): number {
  return WITH_ZONE.test(value) ? Date.parse(value) : Number.NaN;
}

/** A larger number is a time of the epoch. */
const MAX_RELATIVE = 1e8;

function toEpochMs(number: number, now: number): number {
  if (number > 1e11) return number;
  if (number > MAX_RELATIVE) return number * 1000;
  return now + number * 1000;
}

/** The reference time for a reset time: the server's Date if it sends one, because its clock may be wrong. */
export function serverTimeMs(date: string | undefined): number {
  const told = parseZonedDate(date ?? '');
  return Number.isNaN(told) ? Date.now() : told;
}
