import { describe, expect, it } from 'vitest';
import { nightGrid } from '../../../reporting/history/night-grid.ts';
import { catalogue } from '../journal/journal-builders.ts';
import { night } from './night-builder.ts';

describe('the grid of a history', () => {
  const nights = [
    night(1, { checks: { 'LIFE-02.cancel': 'not-applicable' } }),
    night(2, { checks: { 'LIFE-02.cancel': 'fail', 'LIFE-02.other': 'pass' } }),
    night(3, { checks: { 'LIFE-02.cancel': 'blocked' } }),
  ];
  const grid = nightGrid(nights, catalogue);
  const rowOf = (id: string) => grid.flatMap(({ rows }) => rows).find((row) => row.id === id);

  it('has the worst verdict of each requirement in each night', () => {
    expect(rowOf('LIFE-02')).toMatchObject({ verdicts: ['not-applicable', 'fail', 'blocked'], isSteady: false });
    expect(rowOf('AUTH-01')).toMatchObject({ verdicts: ['pass', 'pass', 'pass'], isSteady: true });
  });

  it('has a row for each check that ever failed', () => {
    expect(rowOf('LIFE-02')?.failedChecks.map(({ id }) => id)).toEqual(['LIFE-02.cancel']);
    expect(rowOf('AUTH-01')?.failedChecks).toEqual([]);
  });

  it('leaves out requirements that no night executed, and keeps those that the kit no longer has', () => {
    expect(rowOf('LIFE-01')).toBeUndefined();
    expect(grid.map(({ area }) => area)).toEqual(['authentication', 'lifecycle', 'retired']);
    expect(rowOf('LIST-05')?.title).toBe('');
  });

  it('has no verdict for a night that did not execute the requirement', () => {
    const later = nightGrid([night(1), night(2, { digests: { 'NEW-01.check': 'n' } })], catalogue);
    expect(later.at(-1)?.rows.at(-1)).toMatchObject({ id: 'NEW-01', verdicts: [null, 'pass'], isSteady: true });
  });
});
