import { expect, onTestFinished, test, vi } from 'vitest';
import { startFront } from '../support/hostile-proxy.ts';
import { judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

/** At this request the preflight is complete and many checks are not. */
const MIDWAY = 500;

test('keys that another user revokes in the middle of a run do not fail the server', async () => {
  const front = await startFront({
    strikes: (count) => {
      if (count === MIDWAY) {
        const { key, secret } = front.service.target.actors.seller;
        void fetch(`${front.service.baseUrl}/api/v1/settings/api-keys/sandbox/reset`, {
          method: 'POST',
          headers: { 'X-API-Key': key, 'X-API-Secret': secret },
        });
      }
      return null;
    },
  });
  onTestFinished(() => front.close());
  const { report, exitCode, said } = await judged(front.target(), { only: ['*'] });
  const of = (verdict: string) => report?.checks.filter((check) => check.verdict === verdict) ?? [];
  expect(of('fail').map(({ id, reason }) => `${id} ${reason}`)).toEqual([]);
  expect(of('blocked').map(({ blockedBy }) => blockedBy)).toContain('actors.seller of the target file');
  expect([exitCode, report?.verdict]).toEqual([3, 'inconclusive']);
  expect(said).toContain('the sandbox was reset, or the key was revoked or locked');
});
