import { describe, expect, test } from 'vitest';
import {
  comparisonDays,
  hasDateTrait,
  sampleDaysByTrait,
  upcomingWorkdays,
} from '../../../helpers/creation/accepted-due-dates.ts';
import { isWeekday } from '../../../helpers/data/due-dates.ts';

const DAY_MS = 86_400_000;
/** Must hold on any day of the year. */
const starts = Array.from({ length: 400 }, (_, day) => Date.UTC(2026, 10, 23) + day * DAY_MS);

describe('the due dates that a check tries', () => {
  test('are a few working days', () => {
    for (const now of starts) {
      const sample = sampleDaysByTrait(upcomingWorkdays(now));
      expect(sample.every(isWeekday)).toBe(true);
      expect(sample.some((day) => /-(01-01|12-25)$/.test(day))).toBe(false);
      expect(sample.length).toBeLessThan(18);
    }
  });

  test('are in every near month, and the first, last and octal days of some', () => {
    for (const now of starts) {
      const days = upcomingWorkdays(now);
      const sample = sampleDaysByTrait(days);
      const months = new Set(days.map((day) => day.slice(5, 7)));
      for (const value of months) expect(sample.some((day) => hasDateTrait(day, { part: 'month', value }))).toBe(true);
      for (const value of ['01', '08', '09', '30', '31'])
        expect(sample.some((day) => hasDateTrait(day, { part: 'day', value }))).toBe(true);
    }
  });
});

describe('similar due dates', () => {
  const days = upcomingWorkdays(Date.UTC(2026, 10, 23));

  test('have the same day in other months, with the working days next to them', () => {
    const { alike, neighbours } = comparisonDays(days, { part: 'day', value: '31' }, '2027-03-31');
    expect(alike).toEqual(['2026-12-31', '2027-05-31', '2027-08-31']);
    expect(neighbours).toContain('2027-03-30');
    expect(neighbours).toContain('2027-04-01');
    expect(neighbours.some((day) => day.endsWith('-31'))).toBe(false);
  });

  test('are in the same month, far apart, and in the neighbouring months', () => {
    const { alike, neighbours } = comparisonDays(days, { part: 'month', value: '04' }, '2027-04-28');
    expect(alike).toHaveLength(3);
    expect(new Set(alike.map((day) => day.slice(0, 7)))).toEqual(new Set(['2027-04']));
    expect(neighbours).toEqual(['2027-03-31', '2027-05-03']);
  });
});
