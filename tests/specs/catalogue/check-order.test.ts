import { describe, expect, test } from 'vitest';
import {
  checkOrder,
  checksWithinBudget,
  PLANNED_SHARE,
  placeOf,
  requestsOf,
} from '../../../specs/catalogue/check-order.ts';
import { checksOfProfile } from '../../../specs/catalogue/selection.ts';
import { readSignatures } from '../../../specs/fault-signatures.ts';
import { allChecks } from '../../../suites/all.ts';

const full = checksOfProfile('full');
const senders = new Set(allChecks.map(({ id }) => id));
const rules = full.filter((id) => !senders.has(id));

describe('the order of the checks (npm run order)', () => {
  test('contains every check that sends requests, once', () => {
    expect(checkOrder.map(({ check }) => check).sort()).toEqual([...senders].sort());
  });

  test('counts each known defect once at most', () => {
    const counted = checkOrder.reduce((sum, { faults }) => sum + faults, 0);
    expect(counted).toBeGreaterThan(0.9 * readSignatures().length);
    expect(counted).toBeLessThanOrEqual(readSignatures().length);
  });

  test('begins with the checks that detect most defects per request', () => {
    const half = checkOrder.slice(0, checkOrder.length / 2);
    const share = (some: typeof checkOrder, what: 'faults' | 'requests') =>
      some.reduce((sum, each) => sum + each[what], 0);
    expect(share(half, 'faults')).toBeGreaterThan(0.6 * share(checkOrder, 'faults'));
    expect(share(half, 'requests')).toBeLessThan(0.25 * share(checkOrder, 'requests'));
  });

  test('places exchange rules last', () => {
    for (const id of rules) expect(placeOf(id)).toBe(checkOrder.length);
  });
});

describe('a budget', () => {
  test.each([100, 300, 500, 1000, 3000])('of %i requests is not exceeded, and almost used up', (budget) => {
    const cost = requestsOf(checksWithinBudget(full, budget));
    expect(cost).toBeLessThanOrEqual(PLANNED_SHARE * budget);
    expect(cost).toBeGreaterThan(0.85 * budget);
  });

  test('adds checks and all exchange rules', () => {
    const small = checksWithinBudget(full, 300);
    expect(rules.every((id) => small.includes(id))).toBe(true);
    expect(checksWithinBudget(full, 1000).length).toBeGreaterThan(small.length);
    expect(checksWithinBudget(full, 1_000_000)).toEqual(full);
  });

  test('chooses only among the given checks', () => {
    const core = checksOfProfile('core');
    expect(checksWithinBudget(core, 500).every((id) => core.includes(id))).toBe(true);
  });
});
