import { describe, expect, test } from 'vitest';
import { isCalendarDate, isUtcTimestamp, utcEpochMs } from '../../../engine/records/iso-8601.ts';

describe('a date', () => {
  test.each(['2030-01-01', '2028-02-29', '2000-02-29', '2030-12-31'])('%s is valid', (value) => {
    expect(isCalendarDate(value)).toBe(true);
  });

  test.each(['2029-02-29', '2100-02-29', '2030-13-01', '2030-00-10', '2030-04-31', '2030-01-00'])(
    '%s is not a day of the calendar',
    (value) => {
      expect(isCalendarDate(value)).toBe(false);
    },
  );

  test.each([['2030-1-1'], ['20300101'], ['2030-01-01T00:00:00Z'], [' 2030-01-01'], [''], [20300101], [null]])(
    '%j has another form',
    (value) => {
      expect(isCalendarDate(value)).toBe(false);
    },
  );
});

describe('a UTC timestamp', () => {
  test.each([
    '2030-01-01T00:00:00Z',
    '2030-01-01T00:00:00.123Z',
    '2030-01-01T00:00:00.123456789Z',
    '2030-01-01T00:00:00,5Z',
    '2030-01-01T00:00Z',
    '2030-01-01T00:00:00+00:00',
    '2030-01-01T00:00:00+0000',
    '2030-01-01T00:00:00+00',
    '2030-01-01T00:00:00-00:00',
    '2030-01-01t00:00:00z',
    '20300101T000000Z',
    '2030-001T00:00:00Z',
    '2030001T000000Z',
    '2030-01-01T00:00.5Z',
    '2030-01-01T12,25Z',
    '20300101T0000,5Z',
    '2030-W01-1T00:00:00Z',
    '2030W011T000000Z',
  ])('%s is one', (value) => {
    expect(isUtcTimestamp(value)).toBe(true);
  });

  test.each([
    ['2030-01-01T00:00:00'],
    ['2030-01-01T00:00:00+02:00'],
    ['2030-01-01 00:00:00Z'],
    ['2030-01-01'],
    ['2030-W01-8T00:00:00Z'],
    ['1893456000'],
    [1893456000],
    [null],
  ])('%j is invalid', (value) => {
    expect(isUtcTimestamp(value)).toBe(false);
  });
});

test.each([
  ['2030-02-03T04:05:06.789Z', '2030-02-03T04:05:06.789Z'],
  ['2030-02-03T04:05.25Z', '2030-02-03T04:05:15.000Z'],
  ['20300203T04,5+0000', '2030-02-03T04:30:00.000Z'],
  ['20300203T040506,789Z', '2030-02-03T04:05:06.789Z'],
  ['2030-034T04:05:06Z', '2030-02-03T04:05:06Z'],
  ['2028-366T00:00Z', '2028-12-31T00:00:00Z'],
  ['2030-W05-7T04:05:06Z', '2030-02-03T04:05:06Z'],
  ['2030W057T040506Z', '2030-02-03T04:05:06Z'],
  // The first days of a year may be in the last week of the previous year, and the last days in the first week of the
  // next.
  ['2026-W53-5T00:00:00Z', '2027-01-01T00:00:00Z'],
  ['2030-W01-1T00:00:00Z', '2029-12-31T00:00:00Z'],
])('%s is the moment %s', (value, moment) => {
  expect(utcEpochMs(value)).toBe(Date.parse(moment));
});
