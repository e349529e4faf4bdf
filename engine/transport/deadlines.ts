interface Deadline {
  readonly at: number;
  readonly over: () => void;
}

/**
 * Deadlines that all lie equally far ahead, in milliseconds: what began first is over first, and one timer is enough for all
 * of them.
 */
export class Deadlines {
  private readonly ms: number;
  private readonly ahead = new Set<Deadline>();
  private timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.ms = ms;
  }

  /** Has `over` called when the time is over; not after what is returned was called. */
  begin(over: () => void): () => void {
    const deadline = { at: performance.now() + this.ms, over };
    this.ahead.add(deadline);
    if (!this.timer) this.wait(this.ms);
    return () => {
      this.ahead.delete(deadline);
    };
  }

  end(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private wait(ms: number): void {
    // What it waits for keeps the process alive.
    this.timer = setTimeout(() => this.look(), ms).unref();
  }

  private look(): void {
    this.timer = undefined;
    for (const deadline of this.ahead) {
      // A timer may come early, by less than a millisecond.
      const left = deadline.at - performance.now();
      if (left > 1) {
        this.wait(left);
        return;
      }
      this.ahead.delete(deadline);
      deadline.over();
    }
  }
}
