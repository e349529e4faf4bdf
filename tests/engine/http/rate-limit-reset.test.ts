import { expect, test } from 'vitest';
import { certainRateLimitWaitMs, isExpiredReset, rateLimitWaitMs } from '../../../engine/http/rate-limit-reset.ts';

const NOW = Date.parse('2030-01-01T00:00:00.000Z');

test.each([
  ['seconds from now', '5', 5000],
  ['a fraction of a second', '0.25', 250],
  ['epoch seconds', String(NOW / 1000 + 7), 7000],
  ['epoch milliseconds', String(NOW + 1500), 1500],
  ['an HTTP date', 'Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
  ['an ISO 8601 timestamp', '2030-01-01T00:00:02Z', 2000],
  ['zero', '0', 0],
  ['a time without a zone, as UTC', '2030-01-01T00:00:03', 3000],
  ['a time without a zone, with a space', '2030-01-01 00:00:03.5', 3500],
])('%s is parsed', (_, value, wait) => {
  expect(rateLimitWaitMs(value, NOW)).toBe(wait);
});

test.each([
  ['a negative number', '-5'],
  ['epoch seconds in the past', String(NOW / 1000 - 60)],
  ['a date in the past', 'Mon, 31 Dec 2029 23:00:00 GMT'],
])('%s means no waiting time', (_, value) => {
  expect(rateLimitWaitMs(value, NOW)).toBe(0);
});

test.each([
  ['seconds', '86401'],
  ['epoch seconds', String(NOW / 1000 + 86_401)],
])('more than a day counts as an unknown form: %s', (_, value) => {
  expect(rateLimitWaitMs(value, NOW)).toBeNull();
});

test.each([[undefined], [''], ['  '], ['soon'], ['1, 30'], ['Tue, 01 Jan 2030 00:00:30']])(
  '%j gives no time',
  (value) => {
    expect(rateLimitWaitMs(value, NOW)).toBeNull();
  },
);

const DATE = new Date(NOW).toUTCString();

test.each([
  ['an hour of the epoch ago', String(NOW / 1000 - 3600), true],
  ['an hour ago, in milliseconds', String(NOW - 3_600_000), true],
  ['a minute ago', String(NOW / 1000 - 60), true],
  ['an HTTP date of a minute ago', new Date(NOW - 60_000).toUTCString(), true],
  ['a date of last week', '2029-12-24T00:00:00Z', true],
  ['five hours ago, without a zone', '2029-12-31T19:00:01', false],
  ['an HTTP date without a zone', 'Mon, 31 Dec 2029 19:00:01', false],
  ['an hour ago, with an offset', '2030-01-01T00:00:00+01:00', true],
  ['two numbers', '1, 30', false],
  ['a negative number', '-1', true],
  ['five seconds ago', String(NOW / 1000 - 5), false],
  ['in the future', String(NOW / 1000 + 60), false],
  ['a time without a zone, in the future', '2030-01-01T00:00:02', false],
  ['seconds from now', '5', false],
  ['half a second, in nanoseconds', '500000000', false],
  ['a word', 'soon', false],
  ['nothing', ' ', false],
])('whether the given time is past: %s', (_, value, past) => {
  expect(isExpiredReset(value, DATE, NOW)).toBe(past);
});

test.each([
  ['without a Date header', undefined],
  ['with a Date without its zone', 'Mon, 31 Dec 2029 22:00:00'],
])('%s, clocks may differ by some minutes from the time of the request', (_, date) => {
  expect(isExpiredReset(new Date(NOW - 300_000).toUTCString(), date, NOW)).toBe(false);
  expect(isExpiredReset(new Date(NOW - 900_000).toUTCString(), date, NOW)).toBe(true);
});

test.each<[string, string, string | undefined, number | null]>([
  ['seconds from now', '5', undefined, 5000],
  ['zero', '0', undefined, 0],
  ['epoch seconds with a Date', String(NOW / 1000 + 7), DATE, 7000],
  ['epoch seconds without a Date', String(NOW / 1000 + 7), undefined, null],
  ['an HTTP date with a Date', 'Tue, 01 Jan 2030 00:00:30 GMT', DATE, 30_000],
  ['an HTTP date without a Date', 'Tue, 01 Jan 2030 00:00:30 GMT', undefined, null],
  ['a time without a zone', '2030-01-01T00:00:03', DATE, null],
  ['a word', 'soon', DATE, null],
  ['nothing', ' ', DATE, null],
])('whether the response itself shows the wait: %s', (_, value, date, wait) => {
  expect(certainRateLimitWaitMs(value, date)).toBe(wait);
});
