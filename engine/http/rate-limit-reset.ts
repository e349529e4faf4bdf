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

/** Larger differences are not clock skew, or the time that a response took. */
const MAX_CLOCK_SKEW_MS = 600_000;
/** As above, if the response names the time of the server's own clock. */
const MAX_SERVER_SKEW_MS = 10_000;

/**
 * Whether a reset time is past: an epoch time, a date or a negative number of seconds. `date` is the Date of the response. An epoch
 * time more than a day ago is more likely a duration in another unit.
 */
export function isExpiredReset(value: string | undefined, date: string | undefined): boolean {
  if (value === undefined || value.trim() === '') return false;
  const number = Number(value);
  if (number < 0) return true;
  if (number < 1e8) return false;
  const now = serverTimeMs(date);
  const ago = now - (Number.isNaN(number) ? parseDate(value) : toEpochMs(number, now));
  if (Number.isNaN(ago)) return false;
  const isSkew = ago <= (Number.isNaN(Date.parse(date ?? '')) ? MAX_CLOCK_SKEW_MS : MAX_SERVER_SKEW_MS);
  return !isSkew && (Number.isNaN(number) || ago < MAX_RATE_LIMIT_MS);
}

const WITHOUT_ZONE = /^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s*$/;

/** Every time of the contract is UTC, so a time without a zone is UTC, too. */
function parseDate(value: string): number {
  return Date.parse(WITHOUT_ZONE.test(value) ? `${value.trim().replace(' ', 'T')}Z` : value);
}

function toEpochMs(number: number, now: number): number {
  if (number > 1e11) return number;
  if (number > 1e8) return number * 1000;
  return now + number * 1000;
}

/** The reference time for a reset time: the server's Date if it sends one, because its clock may be wrong. */
export function serverTimeMs(date: string | undefined): number {
  const told = Date.parse(date ?? '');
  return Number.isNaN(told) ? Date.now() : told;
}
