import { setTimeout as delay } from 'node:timers/promises';
import type { Shard } from '../../specs/formats/journal.ts';
import { JournalError } from '../evidence/journal.ts';

const SAMPLE_INTERVAL_MS = 500;
/** Longer than the pauses that a run makes between its creations. */
const MIN_QUIET_MS = 3000;
/** Each shard waits longer than the one before it, so that they do not disturb each other again. */
const QUIET_PER_SHARD_MS = 2000;
const MAX_WAIT_MS = 180_000;

/** Lets the checks of a shard wait until the other shards create no invoices for a while. */
export class QuietPeriod {
  private readonly shard: Shard | undefined;
  private readonly countInvoices: () => Promise<number>;
  private readonly pause: (milliseconds: number) => Promise<unknown>;
  private current: Promise<boolean> | null = null;
  private waitedMs = 0;

  /** Without a shard, there is nothing to wait for. */
  constructor(
    shard: Shard | undefined,
    countInvoices: () => Promise<number>,
    pause: (milliseconds: number) => Promise<unknown> = delay,
  ) {
    this.shard = shard;
    this.countInvoices = countInvoices;
    this.pause = pause;
  }

  /**
   * Resolves with true once the number of invoices is stable, and with false if there is no shard, no time left, or no list to read
   * it from.
   */
  async wait(isStopped: () => boolean): Promise<boolean> {
    if (this.shard === undefined) return false;
    this.current ??= this.observe(this.shard, isStopped)
      .catch((error: unknown) => {
        if (error instanceof JournalError) throw error;
        return false;
      })
      .finally(() => {
        this.current = null;
      });
    return await this.current;
  }

  private async observe({ index }: Shard, isStopped: () => boolean): Promise<boolean> {
    const neededMs = MIN_QUIET_MS + (index - 1) * QUIET_PER_SHARD_MS;
    let [total, quietMs] = [await this.countInvoices(), 0];
    while (quietMs < neededMs) {
      if (isStopped() || this.waitedMs >= MAX_WAIT_MS) return false;
      await this.pause(SAMPLE_INTERVAL_MS);
      this.waitedMs += SAMPLE_INTERVAL_MS;
      const seen = await this.countInvoices();
      quietMs = seen === total ? quietMs + SAMPLE_INTERVAL_MS : 0;
      total = seen;
    }
    return true;
  }
}
