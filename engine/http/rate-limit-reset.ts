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
  const at = Number.isNaN(number) ? Date.parse(value) : toEpochMs(number, now);
  if (Number.isNaN(at)) return null;
  return at - now > MAX_RATE_LIMIT_MS ? null : Math.max(at - now, 0);
}

/** Larger differences are not clock skew. */
const MAX_CLOCK_SKEW_MS = 600_000;

/**
 * Whether an epoch time is long past. A time more than a day ago is more likely a duration in another unit.
 */
export function isLongExpired(value: string | undefined, now: number): boolean {
  const number = Number(value);
  if (!(number > 1e8)) return false;
  const ago = now - toEpochMs(number, now);
  return ago > MAX_CLOCK_SKEW_MS && ago < MAX_RATE_LIMIT_MS;
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
