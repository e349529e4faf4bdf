interface Deadline {
  readonly at: number;
  readonly onExpired: () => void;
}

/**
 * Deadlines that all lie equally far ahead, in milliseconds: what began first is over first, and one timer is enough for all
 * of them.
 */
export class Deadlines {
  private readonly durationMs: number;
  private readonly pending = new Set<Deadline>();
  private timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.durationMs = ms;
  }

  /** Has `over` called when the time is over; not after what is returned was called. */
  start(onExpired: () => void): () => void {
    const deadline = { at: performance.now() + this.durationMs, onExpired };
    this.pending.add(deadline);
    if (!this.timer) this.schedule(this.durationMs);
    return () => {
      this.pending.delete(deadline);
    };
  }

  clear(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(ms: number): void {
    // What it waits for keeps the process alive.
    this.timer = setTimeout(() => this.expireDue(), ms).unref();
  }

  private expireDue(): void {
    this.timer = undefined;
    for (const deadline of this.pending) {
      // A timer may come early, by less than a millisecond.
      const left = deadline.at - performance.now();
      if (left > 1) {
        this.schedule(left);
        return;
      }
      this.pending.delete(deadline);
      deadline.onExpired();
    }
  }
}
