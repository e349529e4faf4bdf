import { expect, onTestFinished, test, vi } from 'vitest';
import { startFront } from '../support/hostile-proxy.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const NEWEST_FIRST = /sortBy=createdAt&sortOrder=desc/;

test('a list that closes the connection from the middle of a run on blocks checks by the one that fails', async () => {
  const front = await startFront({
    strikes: (count, { method, url = '' }) =>
      count >= 60 && method === 'GET' && NEWEST_FIRST.test(url) ? (socket) => socket.destroy() : null,
  });
  onTestFinished(() => front.close());
  const run = await judged(front.target());
  const failed = having(run, 'fail');
  const unanswered =
    run.report?.checks.filter(({ reason }) => /^no response to GET \S+sortBy=createdAt/.test(reason)) ?? [];
  const blocked = unanswered.filter(({ verdict }) => verdict === 'blocked');
  expect(run.exitCode).toBe(1);
  expect(blocked.length).toBeGreaterThan(2 * failed.length);
  expect(blocked.filter(({ blockedBy }) => !failed.includes(String(blockedBy)))).toEqual([]);
});
