import { expect, onTestFinished, test, vi } from 'vitest';
import { startReference } from '../../../reference/service/start.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

test('a read-only key of the seller as buyer blocks its checks, although it lists the subscriptions of the seller', async () => {
  const service = await startReference();
  onTestFinished(() => service.close());
  const { readOnly, buyer, ...others } = service.target.actors;
  const actors = { ...others, buyer: { ...readOnly, organizationId: buyer.organizationId } };
  const found = await judged({ ...service.target, actors, allow: {} }, { only: ['ISO-07.webhook-list', 'AUTH-01'] });
  expect([found.exitCode, having(found, 'fail')], found.said).toEqual([3, []]);
  expect(found.report?.checks.find(({ id }) => id === 'ISO-07.webhook-list')).toMatchObject({
    blockedBy: 'actors.buyer of the target file',
    reason: expect.stringMatching(/^the key of actors\.buyer may not send POST \S+ \(403 /),
  });
});
