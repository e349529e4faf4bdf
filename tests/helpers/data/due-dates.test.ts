import { expect, test } from 'vitest';
import { isMovedToWorkday, isWeekday } from '../../../helpers/data/due-dates.ts';

test('the week has five working days', () => {
  const week = ['2027-03-22', '2027-03-23', '2027-03-24', '2027-03-25', '2027-03-26', '2027-03-27', '2027-03-28'];
  expect(week.filter(isWeekday)).toEqual(week.slice(0, 5));
});

test.each([
  ['2027-03-28', '2027-03-29', true],
  ['2027-03-28', '2027-03-26', true],
  ['2027-03-28', '2027-03-27', false],
  ['2027-03-28', '2027-03-28', false],
  ['2027-03-28', '2027-04-05', false],
  ['2027-03-29', '2027-03-30', false],
  ['2027-01-01', '2027-01-04', true],
  ['2027-01-01', '2026-12-31', false],
  ['2027-03-28', undefined, false],
  ['2027-03-28', '29.03.2027', false],
])('due on %s and shown as %s: moved to a working day %s', (sent, shown, expected) => {
  expect(isMovedToWorkday(sent, shown)).toBe(expected);
});
