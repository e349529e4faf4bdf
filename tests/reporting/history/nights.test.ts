import { describe, expect, it } from 'vitest';
import { lastJudged, nightOf } from '../../../reporting/history/nights.ts';
import { night } from '../../../specs/formats/night.ts';
import { catalogue, footer, header, reportOf, reportWith, result } from '../journal/journal-builders.ts';

describe('a night', () => {
  it('holds the verdicts of a report and matches its schema', async () => {
    const kept = nightOf(await reportWith(result('AUTH-01.missing', 'fail')), catalogue);
    expect(night.parse(kept)).toEqual(kept);
    expect(kept.checks['AUTH-01.missing']).toBe('fail');
  });
});

describe('a night with a failure', () => {
  it('names the checks that the failure blocked', async () => {
    const report = await reportWith(
      result('AUTH-01.missing', 'fail'),
      result('AUTH-01.revoked', 'blocked', { blockedBy: 'AUTH-01.missing' }),
      result('LIFE-01.draft-submit', 'blocked', { blockedBy: 'operations.submit' }),
    );
    expect(nightOf(report, catalogue).consequences).toEqual(['AUTH-01.revoked']);
  });
});

describe('a night with required checks that could not be judged', () => {
  it('has their number without the consequences of failures, and the reason of most of them', async () => {
    const reason = 'the target returns 503 to every request';
    const report = await reportWith(
      result('AUTH-01.missing', 'fail'),
      result('AUTH-01.revoked', 'blocked', { blockedBy: 'AUTH-01.missing' }),
      result('LIFE-01.draft-submit', 'blocked', { blockedBy: 'target', reason }),
    );
    expect(nightOf(report, catalogue).undecided).toEqual({ checks: 1, reason });
    expect(nightOf(await reportWith(result('AUTH-01.missing', 'fail')), catalogue).undecided).toBeNull();
  });
});

describe('an interrupted night', () => {
  it('says nothing of the checks that were not executed', async () => {
    const journal = [header(), result('AUTH-01.missing', 'pass'), footer({ interrupted: 'SIGINT' })];
    expect(nightOf(await reportOf(journal), catalogue).checks).toEqual({ 'AUTH-01.missing': 'pass' });
  });
});

describe('a check that other users of the sandbox disturbed', () => {
  it('is not part of the night', async () => {
    const report = await reportWith(result('AUTH-01.missing', 'not-applicable', { disturbed: true }));
    expect(report.checks.find(({ id }) => id === 'AUTH-01.missing')?.disturbed).toBe(true);
    expect(nightOf(report, catalogue).checks).not.toHaveProperty('AUTH-01.missing');
  });
});

describe('the last judged verdicts of a history', () => {
  it('are those of the last night, and of earlier nights for checks that were blocked since', async () => {
    const first = nightOf(
      await reportWith(result('AUTH-01.missing', 'fail'), result('AUTH-01.revoked', 'fail')),
      catalogue,
    );
    const second = nightOf(await reportWith(result('AUTH-01.missing', 'blocked')), catalogue);
    const last = lastJudged([first, second]);
    expect(last?.id).toBe(second.run.id);
    expect(last?.judged).toContainEqual({ check: 'AUTH-01.missing', verdict: 'fail' });
    expect(last?.judged).toContainEqual({ check: 'AUTH-01.revoked', verdict: 'pass' });
  });

  it('are null without a night', () => {
    expect(lastJudged([])).toBeNull();
  });
});
