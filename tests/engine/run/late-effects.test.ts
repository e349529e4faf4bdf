import { describe, expect, test } from 'vitest';
import { LateEffectProbe, type MissedEffect, pollIntervalMs } from '../../../engine/ledger/late-effects.ts';
import { Blocked } from '../../../engine/model/outcomes.ts';

const LIMIT_MS = 60;
const never: MissedEffect = { startedAt: 0, hasAppeared: async () => false };

function shownAt(moment: number): MissedEffect {
  return { startedAt: performance.now(), hasAppeared: async () => performance.now() >= moment };
}

describe('a late effect', () => {
  test('blocks by limits.settleWithinMs if it shows within three times that', async () => {
    const late = await new LateEffectProbe(LIMIT_MS).findLate(
      [never, shownAt(performance.now() + LIMIT_MS)],
      'it is APPROVED',
    );
    expect(late).toMatchObject({ blockedBy: 'limits.settleWithinMs of the target file' });
    expect(late?.message).toMatch(
      /^it is APPROVED; after \d+ ms this was no longer the case: increase limits\.settleWithinMs/,
    );
  });

  test('is found as late after a short wait as after a long one', async () => {
    const limitMs = 1100;
    const effect = shownAt(performance.now() + 2.5 * limitMs);
    const late = await new LateEffectProbe(limitMs).findLate([effect]);
    expect(late).toMatchObject({ blockedBy: 'limits.settleWithinMs of the target file' });
  });

  test('does not ask for a longer limit if it shows within the limit', async () => {
    const late = await new LateEffectProbe(60_000).findLate([shownAt(performance.now() + 50)]);
    expect(late).toMatchObject({ blockedBy: null, message: expect.stringMatching(/^a change showed after \d+ ms; /) });
  });

  test('is described in the words of the first one of its kind', async () => {
    const lateness = new LateEffectProbe(LIMIT_MS);
    const now: MissedEffect = { startedAt: 0, hasAppeared: async () => true };
    const reasons = ['it is APPROVED', 'it is still APPROVED'].map((because) =>
      lateness.findLate([now], because, 'settle'),
    );
    const [first, second] = await Promise.all(reasons);
    expect(second?.message).toBe(first?.message);
    expect((await lateness.findLate([now]))?.message).toMatch(/^an accepted change did not show within 60 ms; after/);
  });

  test('is not assumed if it never shows, or nothing was expected', async () => {
    const lateness = new LateEffectProbe(LIMIT_MS);
    const started = performance.now();
    expect(await lateness.findLate([never], 'it is APPROVED')).toBeNull();
    expect(performance.now() - started).toBeGreaterThanOrEqual(2 * LIMIT_MS);
    expect(await lateness.findLate([], 'it is APPROVED')).toBeNull();
  });

  test('is waited for once for each kind, as long as no effect is late', async () => {
    const lateness = new LateEffectProbe(LIMIT_MS);
    let looks = 0;
    const counted: MissedEffect = {
      startedAt: 0,
      hasAppeared: async () => {
        looks += 1;
        return false;
      },
    };
    await lateness.findLate([counted], 'first', 'settle');
    const before = looks;
    await lateness.findLate([counted], 'second', 'settle');
    expect(looks).toBe(before + 1);
    await lateness.findLate([counted], 'of another kind', 'approve');
    expect(looks).toBeGreaterThan(before + 2);
  });

  test('is not assumed if the state cannot be read', async () => {
    const unlisted: MissedEffect = {
      startedAt: 0,
      hasAppeared: async () => {
        throw new Blocked('LIST-01.items', 'the list cannot be had');
      },
    };
    expect(await new LateEffectProbe(1).findLate([unlisted], 'it is gone')).toBeNull();
  });

  test.each([
    [1000, 250],
    [4000, 500],
    [60_000, 1000],
  ])('with a limit of %i ms is looked for every %i ms', (limitMs, intervalMs) => {
    expect(pollIntervalMs(limitMs)).toBe(intervalMs);
  });
});
