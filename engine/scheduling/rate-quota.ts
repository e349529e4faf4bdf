const MINUTE_MS = 60_000;
/** Clocks of whole seconds, and timers that come early, must not make a minute shorter than it is. */
const WINDOW_MARGIN_MS = 1000;

/**
 * A number of requests per minute. The server counts a request between its sending and its response, so its slot is free again
 * one minute after the response. Neither a fixed nor a sliding window then exceeds the limit.
 */
export class RateQuota {
  /** Requests that one window takes. */
  readonly capacity: number;
  /** Milliseconds between two requests that are spread evenly over the window. */
  readonly spacingMs: number;
  private readonly windowMs: number;
  private inFlight = 0;
  /** Response times of the requests that still count, the earliest first. */
  private answeredAt: number[] = [];

  constructor(perMinute: number | 'none') {
    this.capacity = perMinute === 'none' ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(perMinute));
    const shortest =
      perMinute === 'none' ? 0 : Math.max(MINUTE_MS, (this.capacity / perMinute) * MINUTE_MS) + WINDOW_MARGIN_MS;
    this.windowMs = shortest;
    this.spacingMs = shortest === 0 ? 0 : shortest / this.capacity;
  }

  /** Milliseconds until so many requests may leave; Infinity if responses must arrive first. */
  delayMs(requests: number, now: number): number {
    if (this.windowMs === 0) return 0;
    this.answeredAt = this.answeredAt.filter((at) => at + this.windowMs > now);
    const tooMany = this.inFlight + this.answeredAt.length + requests - this.capacity;
    if (tooMany <= 0) return 0;
    const last = this.answeredAt[tooMany - 1];
    return last === undefined ? Number.POSITIVE_INFINITY : last + this.windowMs - now;
  }

  recordSent(requests: number): void {
    this.inFlight += requests;
  }

  /** Records that a request in flight has ended. */
  recordAnswered(now: number): void {
    if (this.windowMs === 0 || this.inFlight === 0) return;
    this.inFlight -= 1;
    this.answeredAt.push(now);
  }

  /** Counts requests that another client has already sent. */
  recordPrevious(requests: number, now: number): void {
    if (this.windowMs > 0) this.answeredAt.push(...Array<number>(Math.min(requests, this.capacity)).fill(now));
  }
}
