import { describe, expect, test } from 'vitest';
import { CheckPermits } from '../../../engine/scheduling/check-permits.ts';
import { RequestActivity } from '../../../engine/scheduling/request-activity.ts';

/** Work that goes on until the test ends it. */
function openWork(): { work: () => Promise<void>; end: () => void } {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => ended, end };
}

describe('permits of checks', () => {
  test('are limited', async () => {
    const permits = new CheckPermits(2);
    let busy = 0;
    let busiest = 0;
    const work = async () => {
      busy += 1;
      busiest = Math.max(busiest, busy);
      await new Promise<void>((resolve) => setImmediate(resolve));
      busy -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, (_, at) => permits.withPermit(new RequestActivity(), at, work)));
    expect(busiest).toBe(2);
  });

  test('are granted in the order of the run to checks that begin to wait at the same moment', async () => {
    const permits = new CheckPermits(1);
    const order: number[] = [];
    const places = [3, 1, 2, 0];
    await Promise.all(
      places.map((place) => permits.withPermit(new RequestActivity(), place, async () => void order.push(place))),
    );
    expect(order).toEqual([0, 1, 2, 3]);
  });

  test('are released after failed work', async () => {
    const permits = new CheckPermits(1);
    const failed = permits.withPermit(new RequestActivity(), 0, () => Promise.reject(new Error('broken')));
    await expect(failed).rejects.toThrow('broken');
    expect(await permits.withPermit(new RequestActivity(), 0, async () => 'next')).toBe('next');
  });

  test('pass from a check that only waits to the next one', async () => {
    const permits = new CheckPermits(1);
    const waiting = openWork();
    const first = permits.withPermit(new RequestActivity(), 0, waiting.work);
    expect(await permits.withPermit(new RequestActivity(), 1, async () => 'next')).toBe('next');
    waiting.end();
    await first;
    expect(await permits.withPermit(new RequestActivity(), 2, async () => 'last')).toBe('last');
  });

  test('stay with a check whose request is pending', async () => {
    const permits = new CheckPermits(1);
    const activity = new RequestActivity();
    const request = openWork();
    const order: string[] = [];
    const first = permits.withPermit(activity, 0, async () => {
      await activity.during(request.work());
      order.push('first');
    });
    const second = permits.withPermit(new RequestActivity(), 1, async () => void order.push('second'));
    // Longer than a check without a pending request keeps its permit.
    setTimeout(request.end, 150);
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });
});
