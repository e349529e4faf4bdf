import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CheckId } from '../../../specs/generated/ids.ts';
import type { ActorName } from '../../../specs/target-file/target.ts';
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

describe('a key that is replaced after the preflight is named', () => {
  test.each<[ActorName, CheckId]>([
    // Without the key, this check can bring no invoice into its state.
    ['buyer', 'LIFE-02.approved-cancel'],
    // This check asks only whether the key may list.
    ['readOnly', 'LIST-09.other-key'],
  ])('by the field of %s, for %s', async (actor, id) => {
    let isListed = false;
    const front = await startFront({
      changes: (response, { headers, url = '' }) => {
        if (headers['x-api-key'] !== front.service.target.actors[actor]?.key) return response;
        if (!isListed) {
          isListed = url.startsWith('/api/v1/invoices?');
          return response;
        }
        return { ...response, status: 401, body: Buffer.from('{"error":"Unauthorized","message":"Invalid"}') };
      },
    });
    onTestFinished(() => front.close());
    const { report, exitCode, said } = await judged(front.target(), { only: [id] });
    expect(report?.checks, said).toMatchObject([
      {
        id,
        verdict: 'blocked',
        blockedBy: `actors.${actor} of the target file`,
        reason: expect.stringContaining('accepted this key earlier in this run and rejects it now (401)'),
      },
    ]);
    expect(exitCode).toBe(3);
  });
});
