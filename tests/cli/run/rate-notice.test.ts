import { expect, test } from 'vitest';
import { rateNotice } from '../../../cli/run/rate-notice.ts';
import { targetAt } from '../../engine/support/targets.ts';

const noticeAt = (limits: object) => rateNotice(targetAt('https://a.example', { limits }), 'smoke');

test('a low rate is announced with the duration of the preflight and of a whole run', () => {
  expect(noticeAt({ requestsPerMinute: 20 })).toMatch(
    /^limits\.requestsPerMinute: 20: the preflight takes about \d+ s, and a whole run of profile smoke about \d+ min/,
  );
  expect(noticeAt({ requestsPerSecond: 0.1 })).toMatch(
    /^limits\.requestsPerSecond: 0\.1: the preflight takes about 2 min/,
  );
  expect(noticeAt({ requestsPerMinute: 100, requestsPerSecond: 0.1 })).toMatch(/^limits\.requestsPerSecond: 0\.1:/);
});

test('an ordinary rate is not', () => {
  expect([noticeAt({}), noticeAt({ requestsPerMinute: 120 })]).toEqual([null, null]);
});
