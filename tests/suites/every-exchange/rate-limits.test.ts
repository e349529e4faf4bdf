import { rateLimitRules } from '../../../suites/every-exchange/rate-limits.ts';
import { received } from '../../engine/support/responses.ts';
import { tryEach } from './rule-cases.ts';

const json = { error: 'Too many requests', code: 'RATE001' };
const DATE = 'Tue, 01 Jan 2030 00:00:00 GMT';
const limited = (reset?: string, date?: string) =>
  received({
    status: 429,
    headers: [
      ...(reset === undefined ? [] : [['x-ratelimit-reset', reset] as const]),
      ...(date === undefined ? [] : [['date', date] as const]),
    ],
    json,
  });

/** A 429 that allows the next request after a second. */
const after = (sentAt: number, method = 'GET') =>
  received({ status: 429, method, headers: [['x-ratelimit-reset', '1']], sentAt, json });
const accepted = (sentAt: number, method = 'GET') => received({ method, sentAt, json: {} });
/** One 429 after another, each 20 seconds after the one before. */
const times = (count: number, method = 'GET') => Array.from({ length: count }, (_, at) => after(at * 20_000, method));
/** A 429 every 20 seconds, with headers that depend on the number of seconds since the first one. */
const headed = (headers: (seconds: number) => readonly (readonly [string, string])[]) =>
  Array.from({ length: 12 }, (_, at) =>
    received({ status: 429, headers: headers(at * 20), sentAt: at * 20_000, json }),
  );
const NOW = Date.parse(DATE);
const dateAt = (seconds: number) => ['date', new Date(NOW + seconds * 1000).toUTCString()] as const;

tryEach(rateLimitRules, {
  'RATE-01.reset-header': {
    keeps: {
      'a 429 with seconds': limited('5'),
      'a 429 with an HTTP date': limited('Tue, 01 Jan 2030 00:00:30 GMT', DATE),
      'a 429 with a time of a clock that is behind': limited('Mon, 31 Dec 2029 23:59:55 GMT', DATE),
      'a 429 with a local time': limited('2029-12-31T19:00:01', DATE),
      'a 429 with a date without a zone': limited('Mon, 31 Dec 2029 23:00:05', DATE),
      'a 429 with two numbers': limited('1, 30', DATE),
      'a 429 without a Date, with a time of when it was received': received({
        status: 429,
        headers: [['x-ratelimit-reset', new Date(performance.timeOrigin - 86_400_000).toUTCString()]],
        sentAt: -86_400_000,
        json,
      }),
    },
    breaks: {
      'a 429 without the header': limited(),
      'a 429 with a header that is no time': limited('soon'),
      'a 429 with an empty header': limited(''),
      'a 429 with the start of its window': limited('Mon, 31 Dec 2029 23:59:15 GMT', DATE),
      'a 429 with a past date': limited('Mon, 31 Dec 2029 23:00:05 GMT', DATE),
      'a 429 with a date of another year': limited('Thu, 01 Jan 2026 00:00:00 GMT', DATE),
      'a 429 with a negative number': limited('-1', DATE),
    },
    silent: { success: received({ json: {} }), 'another rejection': received({ status: 409, json }) },
  },
  'RATE-04.reset-reached': {
    keeps: {
      'a first 429': after(0),
      'three waits in vain': times(4),
      'many waits in vain in less than a minute': Array.from({ length: 18 }, (_, at) => after(at * 3500)),
      'many 429 responses of one moment': Array.from({ length: 9 }, (_, at) => after(at)),
      'many 429 responses of one moment, a minute after the first': [
        after(0),
        ...Array.from({ length: 9 }, (_, at) => after(60_000 + at)),
      ],
      'requests in flight at a reset time of zero': Array.from({ length: 12 }, (_, at) =>
        received({ status: 429, headers: [['x-ratelimit-reset', '0']], sentAt: at * 150, json }),
      ),
      'retries sooner than the tolerance after each reset time': Array.from({ length: 30 }, (_, at) =>
        after(at * 2900),
      ),
      'waits in vain of several keys': [0, 1, 2, 3].flatMap((at) => [
        after(at * 20_000),
        received({ actor: 'buyer', status: 429, headers: [['x-ratelimit-reset', '1']], sentAt: at * 20_000, json }),
      ]),
      'a request that is accepted in between': [...times(4), accepted(70_000), after(80_000), after(100_000)],
      'writes that wait while reads are accepted': [...times(6, 'POST'), accepted(110_000), after(120_000, 'POST')],
      'retries without a time to wait for': headed(() => []),
      'a later time in one of the responses': [
        after(0),
        received({ status: 429, headers: [['x-ratelimit-reset', '600']], sentAt: 100, json }),
        ...times(8).slice(1),
      ],
      'a clock that cannot be compared, without a Date': headed((seconds) => [
        ['x-ratelimit-reset', String(NOW / 1000 + seconds)],
      ]),
      'a local time': headed((seconds) => [
        dateAt(seconds),
        ['x-ratelimit-reset', new Date(NOW - 18_000_000 + seconds * 1000).toISOString().slice(0, 19)],
      ]),
    },
    breaks: {
      'four waits in vain': times(5),
      'an epoch time that is always the next second': headed((seconds) => [
        dateAt(seconds),
        ['x-ratelimit-reset', String(NOW / 1000 + seconds + 1)],
      ]),
      'eight waits of writes in vain, while reads are accepted': Array.from({ length: 9 }, (_, at) => [
        after(at * 20_000, 'POST'),
        accepted(at * 20_000 + 1),
      ])
        .flat()
        .slice(0, -1),
    },
    silent: { success: received({ json: {} }), 'another rejection': received({ status: 503, json }) },
  },
});
