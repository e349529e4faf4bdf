interface Waiting {
  wanted: number;
  start: (granted: number) => void;
}

/** How many requests may be under way, and when: the target's limits, and what its rate limiter teaches. */
export class Pace {
  private width: number;
  private readonly widest: number;
  private readonly spacingMs: number;
  private underWay = 0;
  private nextStart = 0;
  private pausedUntil = 0;
  private calm = 0;
  private readonly perSecond: number;
  private waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** How often everybody was held back since the last ordinary answer. */
  holds = 0;

  constructor(limits: { concurrency: number; requestsPerSecond: number | 'none' }) {
    this.widest = limits.concurrency;
    this.width = limits.concurrency;
    this.perSecond = limits.requestsPerSecond === 'none' ? Number.POSITIVE_INFINITY : limits.requestsPerSecond;
    this.spacingMs = 1000 / this.perSecond;
  }

  /** Somebody else has sent requests until now: the next one keeps its distance. */
  continues(): void {
    this.nextStart = performance.now() + this.spacingMs;
  }

  /** Waits for a place; whoever got one must `leave`. Throws when the stop comes first. */
  async enter(stop?: AbortSignal): Promise<void> {
    await this.enterTogether(1, stop);
  }

  /** As `enter`, before all who are waiting. */
  async enterFirst(stop?: AbortSignal): Promise<void> {
    await this.wait(1, stop, (one) => this.waiting.unshift(one));
  }

  /**
   * Waits for several places at the same moment, and tells how many there are: no more than the limits ever leave free at
   * once. Each of them must be left.
   */
  async enterTogether(wanted: number, stop?: AbortSignal): Promise<number> {
    return await this.wait(wanted, stop, (one) => this.waiting.push(one));
  }

  leave(): void {
    this.underWay -= 1;
    this.admit();
  }

  /** A rate limiter spoke: nobody starts for `waitMs`, and fewer go at once afterwards. */
  slowDown(waitMs: number): void {
    const now = performance.now();
    // The others that were under way hit the same limit: they are one warning, not sixteen.
    if (now >= this.pausedUntil) {
      this.width = Math.max(1, Math.floor(this.width / 2));
      this.holds += 1;
    }
    this.pausedUntil = Math.max(this.pausedUntil, now + waitMs);
    this.calm = 0;
  }

  /** An ordinary answer came: after many of them the pace may rise again. */
  wentWell(): void {
    this.holds = 0;
    this.calm += 1;
    if (this.calm >= 500 && this.width < this.widest) {
      this.width += 1;
      this.calm = 0;
    }
  }

  private async wait(wanted: number, stop: AbortSignal | undefined, queue: (one: Waiting) => void): Promise<number> {
    stop?.throwIfAborted();
    let giveUp = () => {};
    try {
      return await new Promise<number>((start, reject) => {
        const one = { wanted, start };
        giveUp = () => {
          // Whoever holds a place already must leave it.
          const before = this.waiting.length;
          this.waiting = this.waiting.filter((each) => each !== one);
          if (this.waiting.length < before) reject(stop?.reason);
        };
        stop?.addEventListener('abort', giveUp);
        queue(one);
        this.admit();
      });
    } finally {
      stop?.removeEventListener('abort', giveUp);
    }
  }

  private admit(): void {
    for (let first = this.waiting[0]; first; first = this.waiting[0]) {
      const places = Math.max(1, Math.min(first.wanted, this.width, Math.floor(this.perSecond)));
      if (this.underWay + places > this.width) return;
      const now = performance.now();
      // Places for the same moment must have been saved up.
      const savedUp = this.nextStart + (places - 1) * this.spacingMs;
      const wait = Math.max(this.pausedUntil, savedUp) - now;
      if (wait > 0) {
        this.timer ??= setTimeout(() => {
          this.timer = undefined;
          this.admit();
        }, wait);
        return;
      }
      // Nothing is saved up in a pause, and places for the same moment are paid for: no second ever sees more than its share.
      this.nextStart = now + places * this.spacingMs;
      this.underWay += places;
      this.waiting.shift();
      first.start(places);
    }
  }
}
