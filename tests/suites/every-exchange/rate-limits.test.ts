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
const times = (count: number, method = 'GET') => Array.from({ length: count }, (_, at) => after(at * 1100, method));

tryEach(rateLimitRules, {
  'RATE-01.reset-header': {
    keeps: {
      'a 429 with seconds': limited('5'),
      'a 429 with an HTTP date': limited('Tue, 01 Jan 2030 00:00:30 GMT', DATE),
      'a 429 with a time of a clock that is behind': limited('Mon, 31 Dec 2029 23:59:55 GMT', DATE),
      'a 429 with a local time that is in the future as UTC': limited('2030-01-01T02:00:00', DATE),
    },
    breaks: {
      'a 429 without the header': limited(),
      'a 429 with a header that is no time': limited('soon'),
      'a 429 with an empty header': limited(''),
      'a 429 with the start of its window': limited('Mon, 31 Dec 2029 23:59:15 GMT', DATE),
      'a 429 with a negative number': limited('-1', DATE),
    },
    silent: { success: received({ json: {} }), 'another rejection': received({ status: 409, json }) },
  },
  'RATE-04.reset-reached': {
    keeps: {
      'a first 429': after(0),
      'three waits in vain': times(4),
      'many 429 responses of one moment': Array.from({ length: 9 }, (_, at) => after(at)),
      'waits in vain of several keys': [0, 1, 2, 3].flatMap((at) => [
        after(at * 1100),
        received({ actor: 'buyer', status: 429, headers: [['x-ratelimit-reset', '1']], sentAt: at * 1100, json }),
      ]),
      'a request that is accepted in between': [...times(4), accepted(4400), after(5500), after(6600)],
      'writes that wait while reads are accepted': [...times(6, 'POST'), accepted(5600), after(6700, 'POST')],
      'retries without a time to wait for': Array.from({ length: 9 }, (_, at) =>
        received({ status: 429, sentAt: at * 5000, json }),
      ),
    },
    breaks: {
      'four waits in vain': times(5),
      'eight waits of writes in vain, while reads are accepted': Array.from({ length: 9 }, (_, at) => [
        after(at * 2200, 'POST'),
        accepted(at * 2200 + 1),
      ])
        .flat()
        .slice(0, -1),
    },
    silent: { success: received({ json: {} }), 'another rejection': received({ status: 503, json }) },
  },
});
