/** A limit that lasts longer is not waited for. */
export const MAX_RATE_LIMIT_WAIT_MS = 60_000;
/** What lies further ahead is rather a form that is not understood. */
const MAX_RATE_LIMIT_MS = 86_400_000;

/**
 * Milliseconds to wait that a 429 asks for in `X-RateLimit-Reset`. The contract gives no form, so epoch seconds,
 * epoch milliseconds, seconds from now and HTTP dates are all understood; null when there is none or it makes no sense.
 */
export function rateLimitWaitMs(value: string | undefined, now: number): number | null {
  if (value === undefined || value.trim() === '') return null;
  const number = Number(value);
  const at = Number.isNaN(number) ? Date.parse(value) : toEpochMs(number, now);
  if (Number.isNaN(at)) return null;
  return at - now > MAX_RATE_LIMIT_MS ? null : Math.max(at - now, 0);
}

/** No two clocks that matter to each other are so far apart. */
const MAX_CLOCK_SKEW_MS = 600_000;

/**
 * Whether a time given as a number of the epoch is over since long. What lies further back than a day is rather a span in some
 * other unit.
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

/** The time that a moment is to be held against: the server's own where its answer tells it, for its clock may be off. */
export function serverTimeMs(date: string | undefined): number {
  const told = Date.parse(date ?? '');
  return Number.isNaN(told) ? Date.now() : told;
}
