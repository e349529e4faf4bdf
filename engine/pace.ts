/** How many requests may be under way, and when: the target's limits, and what its rate limiter teaches. */
export class Pace {
  private width: number;
  private readonly widest: number;
  private readonly spacingMs: number;
  private underWay = 0;
  private nextStart = 0;
  private pausedUntil = 0;
  private calm = 0;
  private readonly waiting: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(limits: { concurrency: number; requestsPerSecond: number | 'none' }) {
    this.widest = limits.concurrency;
    this.width = limits.concurrency;
    this.spacingMs = limits.requestsPerSecond === 'none' ? 0 : 1000 / limits.requestsPerSecond;
  }

  /** Waits for a place; whoever got one must `leave`. */
  async enter(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.waiting.push(resolve);
      this.admit();
    });
  }

  leave(): void {
    this.underWay -= 1;
    this.admit();
  }

  /** A rate limiter spoke: nobody starts for `waitMs`, and fewer go at once afterwards. */
  slowDown(waitMs: number): void {
    const now = performance.now();
    // The others that were under way hit the same limit: they are one warning, not sixteen.
    if (now >= this.pausedUntil) this.width = Math.max(1, Math.floor(this.width / 2));
    this.pausedUntil = Math.max(this.pausedUntil, now + waitMs);
    this.calm = 0;
  }

  /** An ordinary answer came: after many of them the pace may rise again. */
  wentWell(): void {
    this.calm += 1;
    if (this.calm >= 500 && this.width < this.widest) {
      this.width += 1;
      this.calm = 0;
    }
  }

  private admit(): void {
    while (this.waiting.length > 0 && this.underWay < this.width) {
      const now = performance.now();
      const wait = Math.max(this.pausedUntil, this.nextStart) - now;
      if (wait > 0) {
        this.timer ??= setTimeout(() => {
          this.timer = undefined;
          this.admit();
        }, wait);
        return;
      }
      this.nextStart = Math.max(this.nextStart, now - this.spacingMs) + this.spacingMs;
      this.underWay += 1;
      this.waiting.shift()?.();
    }
  }
}
