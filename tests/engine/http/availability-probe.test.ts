import { describe, expect, test } from 'vitest';
import { AvailabilityProbe } from '../../../engine/http/availability-probe.ts';

/** A target with the given results, in order. The last one is repeated. */
function probing(...responses: boolean[]): { probe: () => Promise<boolean>; readonly asked: number } {
  const seen = {
    asked: 0,
    probe: async () => {
      const response = responses[Math.min(seen.asked, responses.length - 1)] ?? false;
      seen.asked += 1;
      return response;
    },
  };
  return seen;
}

describe('an outage of the target', () => {
  test('is not assumed if the target responds to the probe', async () => {
    const outage = new AvailabilityProbe(probing(true).probe, 10_000);
    expect(await outage.isAvailable()).toBe(true);
    expect(outage.unavailableSince).toBeNull();
  });

  test('is forgiven if it ends in time', async () => {
    const seen = probing(false, true);
    const outage = new AvailabilityProbe(seen.probe, 10_000);
    expect(await outage.isAvailable()).toBe(true);
    expect(seen.asked).toBe(2);
  });

  test('is probed once for all checks', async () => {
    const seen = probing(true);
    const outage = new AvailabilityProbe(seen.probe, 10_000);
    expect(await Promise.all([outage.isAvailable(), outage.isAvailable(), outage.isAvailable()])).toEqual([
      true,
      true,
      true,
    ]);
    expect(seen.asked).toBe(1);
  });

  test('is probed again when a later request fails', async () => {
    const seen = probing(true);
    const outage = new AvailabilityProbe(seen.probe, 10_000);
    await outage.isAvailable();
    await outage.isAvailable();
    expect(seen.asked).toBe(2);
  });

  test('is not assumed if one probe is lost for longer than the limit', async () => {
    const seen = probing(false, false, true, false);
    const outage = new AvailabilityProbe(seen.probe, 0.001);
    expect(await outage.isAvailable()).toBe(true);
    expect(seen.asked).toBe(4);
  });

  test('is final after the limit, with the time of its beginning', async () => {
    const seen = probing(false, true);
    const before = Date.now();
    const outage = new AvailabilityProbe(seen.probe, 0);
    expect(await outage.isAvailable()).toBe(false);
    expect(outage.unavailableSince?.getTime()).toBeGreaterThanOrEqual(before);
    expect(await outage.isAvailable()).toBe(false);
    expect(seen.asked).toBe(1);
  });
});
