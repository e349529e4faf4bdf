/** Knows whether a check has pending requests, or only waits. */
export class RequestActivity {
  private pending = 0;
  private lastEndedAt = performance.now();

  async during<T>(sent: Promise<T>): Promise<T> {
    this.pending += 1;
    try {
      return await sent;
    } finally {
      this.pending -= 1;
      this.lastEndedAt = performance.now();
    }
  }

  /** How long no request has been pending, in milliseconds. */
  get idleMs(): number {
    return this.pending > 0 ? 0 : performance.now() - this.lastEndedAt;
  }
}
