import { describe, expect, it } from 'vitest';
import { changeDetails, changeLine } from '../../../reporting/history/change-text.ts';
import { compareNights, hasChanges } from '../../../reporting/history/compare-nights.ts';
import { changes } from '../../../specs/formats/changes.ts';
import type { Night } from '../../../specs/formats/night.ts';
import { night, type Situation } from './night-builder.ts';

/** What changed in the last of these nights. */
function changed(...situations: Situation[]) {
  const nights = situations.map((situation, at) => night(at + 1, situation));
  const now = nights.pop() ?? night(1);
  const found = compareNights(nights, now);
  expect(changes.parse(found)).toEqual(found);
  return found;
}

const failing: Situation = { checks: { 'LIFE-02.cancel': 'fail' } };
const blocked: Situation = { checks: { 'LIFE-02.cancel': 'blocked' } };

describe('what changed in a night', () => {
  it('is nothing without a change', () => {
    const found = changed({}, {}, {});
    expect(hasChanges(found)).toBe(false);
    expect(changeLine(found)).toBe('since 2026-11-02 02:00:00 UTC: no change');
  });

  it('is nothing in the first night, whatever fails', () => {
    expect(changeLine(changed(failing))).toBe('the first run of this history');
  });

  it('names a new failure once, then since when it fails, then that it is fixed', () => {
    expect(changed({}, failing)).toMatchObject({ newFailures: [{ check: 'LIFE-02.cancel', by: 'server' }], fixed: [] });
    const still = changed({}, failing, failing, blocked, failing);
    expect(still).toMatchObject({
      newFailures: [],
      stillFailing: [{ check: 'LIFE-02.cancel', since: '2026-11-02T02:00:00.000Z' }],
    });
    expect(changeLine(still)).toContain('1 still failing (first failure: 2026-11-02 02:00:00 UTC)');
    expect(changed({}, failing, failing, {})).toMatchObject({ fixed: ['LIFE-02.cancel'], stillFailing: [] });
  });

  it('names a check as flaky if its verdict changes again without another version', () => {
    expect(changed({}, failing).flaky).toEqual([]);
    expect(changed({}, failing, {}).flaky).toEqual([{ check: 'LIFE-02.cancel', changes: 2, runs: 3 }]);
    expect(changeLine(changed({}, failing, {}))).toContain('1 fixed (LIFE-02.cancel) · 1 flaky (LIFE-02.cancel)');
    expect(changeLine(changed({}, failing, {}, {}))).toMatch(/: no change$/);
    const versions = changed({ version: '1' }, { ...failing, version: '2' }, { version: '3' });
    expect(versions.flaky).toEqual([]);
    const kits = changed({ kitVersion: '1' }, { ...failing, kitVersion: '2' }, { kitVersion: '3' });
    expect(kits.flaky).toEqual([]);
  });

  it('names a check that is no longer judged, once', () => {
    const lost: Situation = { checks: { 'LIST-05.limit': 'not-applicable' } };
    const found = changed({}, lost);
    expect(found.lost).toEqual([{ check: 'LIST-05.limit', before: 'pass', now: 'not-applicable' }]);
    expect(changeLine(found)).toContain('1 check no longer judged (LIST-05.limit)');
    expect(changed({}, lost, lost).lost).toEqual([]);
  });

  it('does not call a check lost that a failure blocks', () => {
    const checks = { 'LIFE-02.cancel': 'fail', 'LIST-05.limit': 'blocked' } as const;
    const now = { ...night(2, { checks }), consequences: ['LIST-05.limit'] };
    expect(compareNights([night(1)], now)).toMatchObject({ newFailures: [{ check: 'LIFE-02.cancel' }], lost: [] });
  });

  it('names a change of the kit, and a failure that comes with it', () => {
    const found = changed(
      {},
      { checks: { 'NEW-01.check': 'fail' }, digests: { 'NEW-01.check': 'n', 'AUTH-01.missing': 'b' } },
    );
    expect(found.kit).toMatchObject({
      newChecks: ['NEW-01.check'],
      changedChecks: ['AUTH-01.missing'],
      retiredChecks: [],
    });
    expect(found.newFailures).toEqual([{ check: 'NEW-01.check', verdict: 'fail', by: 'kit' }]);
    expect(changeLine(found)).toContain('kit changed (1 new check, 1 changed check)');
    const retired = changed({ digests: { 'OLD-01.check': 'o' } }, {});
    expect(retired.kit.retiredChecks).toEqual(['OLD-01.check']);
  });

  it('names a new version of the server', () => {
    expect(changeLine(changed({}, { version: '4.3.0' }))).toContain('server changed (4.2.0 to 4.3.0)');
  });

  it('names unspecified behaviour that no earlier run has seen', () => {
    const seen = (...values: string[]) => ({
      observed: values.map((value) => ({ id: 'initial-state', question: 'Which state?', value })),
    });
    expect(changed(seen('DRAFT'), seen('SUBMITTED')).drift).toEqual([
      { id: 'initial-state', before: ['DRAFT'], now: ['SUBMITTED'] },
    ]);
    const list = (...values: number[]) => ({ observed: [{ id: 'statuses-seen', question: 'Which?', value: values }] });
    expect(changed(list(200, 404), list(404)).drift).toEqual([]);
    const drifted = changed(list(200, 404), list(200, 500));
    expect(drifted.drift).toEqual([{ id: 'statuses-seen', before: [200, 404], now: [500] }]);
    expect(changeDetails(drifted)).toEqual(['behaviour    statuses-seen: 500 now, before only 200 and 404']);
    expect(changed(seen('DRAFT', 'SUBMITTED'), seen('DRAFT'), seen('SUBMITTED')).drift).toEqual([]);
  });

  it('does not take behaviour as new that an interrupted run did not see', () => {
    const seen = (...values: number[]) => ({ observed: [{ id: 'statuses-seen', question: 'Which?', value: values }] });
    expect(changed({ ...seen(200), interrupted: 'SIGINT' }, seen(200, 404)).drift).toEqual([]);
  });

  it('names a latency beyond the spread of the earlier runs, slower or faster', () => {
    const usual = [20, 24, 18, 22, 30, 21, 22].map((medianMs) => ({ medianMs }));
    const slow = changed(...usual, { medianMs: 60 });
    expect(slow.latency).toEqual([{ operation: 'list', quantile: 'median', usualMs: 22, nowMs: 60 }]);
    expect(changeLine(slow)).toContain('1 operation slower (list: median 22 ms to 60 ms)');
    expect(changed(...usual, { medianMs: 33 }).latency).toEqual([]);
    expect(changed(...usual.slice(0, 3), { medianMs: 90 }).latency).toEqual([]);
    const fast = changed(...usual.map(({ medianMs }) => ({ medianMs: 10 * medianMs })), { medianMs: 30 });
    expect(fast.latency[0]).toMatchObject({ nowMs: 30 });
  });

  it('names the 95th percentile if only that changed', () => {
    const nights = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => night(number));
    const now = night(9);
    const slower = { ...now, operations: now.operations.map((each) => ({ ...each, p95Ms: 10 * each.p95Ms })) };
    expect(compareNights(nights, slower).latency).toMatchObject([{ quantile: 'p95', usualMs: 60, nowMs: 600 }]);
  });

  it('compares unspecified behaviour and latency with runs of the same checks only', () => {
    const nights = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => night(number));
    const now = night(9, { medianMs: 90, observed: [{ id: 'initial-state', question: 'Which state?', value: 'NEW' }] });
    expect(compareNights(nights, now)).toMatchObject({ drift: [{}], latency: [{}] });
    const shard = { ...now, run: { ...now.run, shard: { index: 1, of: 2 } } };
    expect(compareNights(nights, shard)).toMatchObject({ drift: [], latency: [] });
  });

  it('begins with what kept the run from a verdict', () => {
    const undecided = { checks: 184, reason: 'the target returns 503 to every request' };
    const found = compareNights([night(1)], { ...night(2), undecided });
    expect(changeLine(found)).toBe(
      'since 2026-11-01 02:00:00 UTC: 184 required checks could not be judged (the target returns 503 to every request)',
    );
    const stopped = { checks: 0, reason: 'it was stopped with Ctrl-C' };
    expect(changeLine(compareNights([], { ...night(2), undecided: stopped }))).toBe(
      'the first run of this history: interrupted (it was stopped with Ctrl-C)',
    );
  });

  it('counts failures and warnings separately', () => {
    const found = changed({}, { checks: { 'LIFE-02.cancel': 'fail', 'LIST-05.limit': 'warn' } });
    expect(changeLine(found)).toContain('1 new failure (LIFE-02.cancel) · 1 new warning (LIST-05.limit)');
    const still = { checks: { 'LIFE-02.cancel': 'fail', 'LIST-05.limit': 'warn' } } as const;
    expect(changeLine(changed({}, still, still))).toContain(
      '1 still failing and 1 still with a warning (first failure',
    );
  });

  it('does not compare the latency of a run that sends far more requests', () => {
    const nights = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => night(number));
    const now = night(9, { medianMs: 90 });
    const busier = { ...now, operations: now.operations.map((each) => ({ ...each, requests: 4 * each.requests })) };
    expect(compareNights(nights, busier).latency).toEqual([]);
    expect(compareNights(nights, now).latency).toHaveLength(1);
  });

  it('names a latency once, and again when it changes further or back', () => {
    const usual = [20, 24, 18, 22, 30, 21, 22, 20];
    const last = (...more: number[]) => changed(...[...usual, ...more].map((medianMs) => ({ medianMs }))).latency[0];
    expect(last(60)).toMatchObject({ usualMs: 22, nowMs: 60 });
    for (const more of [
      [60, 64],
      [60, 58, 66],
      [60, 64, 70, 62],
    ])
      expect(last(...more)).toBeUndefined();
    expect(last(60, 160)).toMatchObject({ usualMs: 60, nowMs: 160 });
    expect(last(60, 64, 22)).toMatchObject({ nowMs: 22 });
  });

  it('names a server that becomes slower step by step, and a single slow run only once', () => {
    const creeping = Array.from({ length: 20 }, (_, at) => Math.round(20 * 1.08 ** at));
    const named = creeping.filter(
      (_, at) => changed(...creeping.slice(0, at + 1).map((medianMs) => ({ medianMs }))).latency.length > 0,
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.length).toBeLessThan(5);
    const usual = [20, 24, 18, 22, 30, 21, 22, 20].map((medianMs) => ({ medianMs }));
    expect(changed(...usual, { medianMs: 90 }, { medianMs: 21 }).latency).toEqual([]);
    expect(changed(...usual, { medianMs: 90 }, { medianMs: 21 }, { medianMs: 22 }).latency).toEqual([]);
  });
});

describe('thirty nights against a server that does not change', () => {
  it('show no change, although latencies vary', () => {
    const nights: Night[] = [];
    for (let number = 1; number <= 30; number += 1) {
      const now = night(number, { medianMs: 20 + ((number * 7919) % 13) });
      const found = compareNights(nights, now);
      expect({ number, line: changeLine(found), changes: hasChanges(found) }).toMatchObject({ changes: false });
      nights.push(now);
    }
  });
});
