/** A limit that lasts longer is not waited for. */
export const LONGEST_WAIT_MS = 60_000;
/** What lies further ahead is rather a form that is not understood. */
const LONGEST_LIMIT_MS = 86_400_000;

/**
 * Milliseconds to wait that a 429 asks for in `X-RateLimit-Reset`. The contract gives no form, so epoch seconds,
 * epoch milliseconds, seconds from now and HTTP dates are all understood; null when there is none or it makes no sense.
 */
export function rateLimitWait(value: string | undefined, now: number): number | null {
  if (value === undefined || value.trim() === '') return null;
  const number = Number(value);
  const at = Number.isNaN(number) ? Date.parse(value) : asEpochMilliseconds(number, now);
  if (Number.isNaN(at)) return null;
  return at - now > LONGEST_LIMIT_MS ? null : Math.max(at - now, 0);
}

function asEpochMilliseconds(number: number, now: number): number {
  if (number > 1e11) return number;
  if (number > 1e8) return number * 1000;
  return now + number * 1000;
}

/** The time that a moment is to be held against: the server's own where its answer tells it, for its clock may be off. */
export function clockOf(date: string | undefined): number {
  const told = Date.parse(date ?? '');
  return Number.isNaN(told) ? Date.now() : told;
}
