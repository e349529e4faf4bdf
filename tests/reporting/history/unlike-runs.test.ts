import { describe, expect, test } from 'vitest';
import { unlikeRuns } from '../../../reporting/history/unlike-runs.ts';
import type { Night } from '../../../specs/formats/night.ts';
import { night } from './night-builder.ts';

const named = (folder: string, run: Night) => ({ folder, night: run });
const [monday, tuesday] = [named('monday', night(1)), named('tuesday', night(2))];

describe('a comparison of two runs', () => {
  test('needs no note for two runs of the same checks, in their order', () => {
    expect(unlikeRuns(monday, tuesday)).toEqual([]);
  });

  test('says that both are the same run, or that the second began first', () => {
    expect(unlikeRuns(monday, named('history/a', night(1)))).toEqual(['history/a is the same run as monday']);
    expect(unlikeRuns(tuesday, monday)).toEqual([
      'monday began before tuesday; write the folder of the earlier run first',
    ]);
  });

  test('counts the checks that only one of them judges', () => {
    const { run, checks, ...rest } = night(3, { checks: { 'ERR-01.body': 'fail' } });
    const { 'AUTH-01.missing': _, ...fewer } = checks;
    const smoke = named('smoke', { ...rest, run: { ...run, profile: 'smoke' }, checks: fewer });
    expect(unlikeRuns(monday, smoke)).toEqual([
      'the runs judge different checks: 1 check only in monday, 1 check only in smoke',
    ]);
  });
});
