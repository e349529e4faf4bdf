const MINUTE_MS = 60_000;
/** Clocks of whole seconds, and timers that come early, must not make a minute shorter than it is. */
const WINDOW_MARGIN_MS = 1000;

/**
 * So many requests in every minute, as the server counts them: somewhere between the moment a request leaves and the moment its
 * answer is there. So its place is free again a minute after its answer, and neither a fixed nor a sliding window ever holds more.
 */
export class RateQuota {
  /** Requests that one window takes. */
  readonly capacity: number;
  /** Milliseconds between two requests that are spread evenly over the window. */
  readonly spacingMs: number;
  private readonly windowMs: number;
  private underWay = 0;
  /** When those were answered that still count, the first one in front. */
  private answered: number[] = [];

  constructor(perMinute: number | 'none') {
    this.capacity = perMinute === 'none' ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(perMinute));
    const shortest =
      perMinute === 'none' ? 0 : Math.max(MINUTE_MS, (this.capacity / perMinute) * MINUTE_MS) + WINDOW_MARGIN_MS;
    this.windowMs = shortest;
    this.spacingMs = shortest === 0 ? 0 : shortest / this.capacity;
  }

  /** Milliseconds until so many requests may leave; Infinity where answers must come first. */
  waitFor(requests: number, now: number): number {
    if (this.windowMs === 0) return 0;
    this.answered = this.answered.filter((at) => at + this.windowMs > now);
    const tooMany = this.underWay + this.answered.length + requests - this.capacity;
    if (tooMany <= 0) return 0;
    const last = this.answered[tooMany - 1];
    return last === undefined ? Number.POSITIVE_INFINITY : last + this.windowMs - now;
  }

  leave(requests: number): void {
    this.underWay += requests;
  }

  /** One of those under way was answered, or will not be. */
  end(now: number): void {
    if (this.windowMs === 0 || this.underWay === 0) return;
    this.underWay -= 1;
    this.answered.push(now);
  }

  /** So many were sent and answered by somebody else until now. */
  continue(requests: number, now: number): void {
    if (this.windowMs > 0) this.answered.push(...Array<number>(Math.min(requests, this.capacity)).fill(now));
  }
}
