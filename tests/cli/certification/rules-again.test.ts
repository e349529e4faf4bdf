import { expect, test } from 'vitest';
import { judgeRulesAgain } from '../../../cli/certification/judge-rules-again.ts';
import { exchange, footer, header, response, result } from '../../reporting/journal/journal-builders.ts';

const SENT = '2026-01-31T09:30:00.000Z';
const limited = (at: number, reset: string) => {
  const sent = response('{"error":"Too many requests","code":"RATE001"}', 429);
  if (sent === null) throw new Error('no response');
  return exchange(`x${at}`, {
    at: new Date(Date.parse(SENT) + at).toISOString(),
    response: { ...sent, headers: [...sent.headers, ['X-RateLimit-Reset', reset]] },
  });
};

/** The rules that the evidence breaks, although the run passed them. */
async function broken(exchanges: ReturnType<typeof limited>[]): Promise<string[]> {
  const records = [
    header(),
    ...exchanges,
    result('RATE-01.reset-header', 'pass'),
    result('RATE-04.reset-reached', 'pass'),
    footer(),
  ];
  const blockers = await judgeRulesAgain(async function* () {
    yield records;
  });
  return blockers.map(({ problem }) => problem.split(' ')[0] ?? '');
}

const secondsAfter = (seconds: number) => new Date(Date.parse(SENT) + seconds * 1000).toUTCString();

test('a reset time is compared with the time of the request and not with the time of the verification', async () => {
  expect(await broken([limited(0, secondsAfter(30))])).toEqual([]);
  expect(await broken([limited(0, secondsAfter(-3600))])).toEqual(['RATE-01.reset-header']);
});

test('fruitless waits are counted by the times of the requests', async () => {
  const every = (ms: number) => [0, 1, 2, 3, 4].map((at) => limited(at * ms, '1'));
  expect(await broken(every(15_010))).toEqual(['RATE-04.reset-reached']);
  expect(await broken(every(14_900))).toEqual([]);
  // The evidence rounds the times.
  expect(await broken(every(15_000))).toEqual([]);
});
