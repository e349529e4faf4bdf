import { describe, expect, it } from 'vitest';
import { QuietPeriod } from '../../../engine/run/quiet-period.ts';

const running = () => false;

/** How long a shard waits if the number of invoices changes until `busyMs`; null if it does not wait to the end. */
async function waitedMs(index: number, busyMs: number, isStopped = running): Promise<number | null> {
  let [elapsedMs, count] = [0, 0];
  const countInvoices = async () => {
    if (elapsedMs < busyMs) count += 1;
    return count;
  };
  const pause = async (milliseconds: number) => {
    elapsedMs += milliseconds;
  };
  return (await new QuietPeriod({ index, of: 4 }, countInvoices, pause).wait(isStopped)) ? elapsedMs : null;
}

describe('the quiet period of a shard', () => {
  it('begins when the number of invoices no longer changes, and later in later shards', async () => {
    const [first, second] = [await waitedMs(1, 10_000), await waitedMs(2, 10_000)];
    expect(first).toBeGreaterThanOrEqual(12_500);
    expect(second).toBeGreaterThanOrEqual((first ?? 0) + 2000);
  });

  it('does not begin in a sandbox that is always busy, or after a signal to stop', async () => {
    expect(await waitedMs(1, Number.POSITIVE_INFINITY)).toBeNull();
    expect(await waitedMs(1, 10_000, () => true)).toBeNull();
  });

  it('does not begin without a shard, or if the invoices cannot be counted', async () => {
    expect(await new QuietPeriod(undefined, async () => 0).wait(running)).toBe(false);
    const unreadable = async () => {
      throw new Error('no list');
    };
    expect(await new QuietPeriod({ index: 1, of: 2 }, unreadable).wait(running)).toBe(false);
  });
});
