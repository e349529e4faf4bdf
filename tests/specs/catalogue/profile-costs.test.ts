import { describe, expect, test, vi } from 'vitest';
import { estimateProfileCosts } from '../../../cli/run/cost-estimate.ts';
import { measureProfile } from '../../../scripts/measure/profile-measurement.ts';
import { profileCostFor } from '../../../specs/catalogue/profile-costs.ts';
import { profileNames } from '../../../specs/catalogue/selection.ts';
import { buyer, production, seller, targetAt } from '../../engine/support/targets.ts';

vi.setConfig({ testTimeout: 180_000 });

const TOLERANCE = 0.1;

/** On a loaded machine, checks share fewer invoices, and a run leaves up to a fifth more. */
const leftoverTolerance = (predicted: number) => Math.max(4, predicted / 5);

describe('the cost of a profile', () => {
  test.each(profileNames)('matches the measurement: %s', { retry: 2 }, async (name) => {
    const { requests, leftovers } = profileCostFor(name);
    const measured = await measureProfile(name);
    const advice =
      'run npx tsx scripts/measure/measure-profiles.ts and write what it prints to specs/catalogue/profile-costs.yaml';
    expect(Math.abs(measured.requests / requests.everybody - 1), advice).toBeLessThan(TOLERANCE);
    for (const kind of ['invoices', 'withdrawals'] as const) {
      const difference = Math.abs(measured.leftovers[kind] - leftovers[kind]);
      expect(difference, advice).toBeLessThan(leftoverTolerance(leftovers[kind]));
    }
  });

  test('is lower with fewer keys', async () => {
    const { requests } = await measureProfile('read-only', { partiesOnly: true });
    expect(Math.abs(requests / profileCostFor('read-only').requests.parties - 1)).toBeLessThan(TOLERANCE);
  });

  test('is shown by the doctor for the keys and limits of the target file', () => {
    const limits = { requestsPerMinute: 60 };
    const cost = (actors: object) =>
      estimateProfileCosts(targetAt('https://a.example', { actors: { seller, buyer, ...actors }, limits }), 10)[0];
    const { parties, everybody } = profileCostFor('smoke').requests;
    expect(cost({})).toMatchObject({ profile: 'smoke', requests: parties });
    expect(cost({ production })?.requests).toBe(Math.round(parties + (everybody - parties) / 4));
    expect(cost({})?.seconds).toBeGreaterThan(parties);
  });
});

test('a smoke run with a quota matches the predicted requests, and is not faster than predicted', async () => {
  // Twenty times the rate of 60 a minute, so other delays count twenty times as much.
  const limits = { requestsPerMinute: 1200 };
  const { requests, durationMs } = await measureProfile('smoke', { limits });
  const target = targetAt('http://127.0.0.1', {
    actors: { seller, buyer, outsider: seller, readOnly: seller, revoked: seller, production },
    limits,
  });
  const [predicted] = estimateProfileCosts(target, 5);
  expect(Math.abs(requests / (predicted?.requests ?? 0) - 1)).toBeLessThan(TOLERANCE);
  // It is slower on a busy machine.
  expect(durationMs / 1000).toBeGreaterThan(0.8 * (predicted?.seconds ?? Number.POSITIVE_INFINITY));
});
