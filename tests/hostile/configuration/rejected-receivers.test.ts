import { expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules, type RuleChange } from '../../../reference/overrides/override-rules.ts';
import type { SubscriptionInput } from '../../../reference/service/inputs.ts';
import { RejectionError, rejections } from '../../../reference/service/rejection.ts';
import { startReference } from '../../../reference/service/start.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const DELIVERED = [
  'HOOK-04.every-settlement',
  'HOOK-04.full-url',
  'HOOK-04.settlement',
  'HOOK-04.several-subscriptions',
  'HOOK-05.third-organization',
  'HOOK-07.other-event-kind',
  'HOOK-07.several-event-kinds',
];

function rejecting(isRejected: (input: SubscriptionInput) => boolean): RuleChange {
  return overrideRules((base) => ({
    validateSubscription: (call) => {
      const input = base.validateSubscription(call);
      if (isRejected(input)) throw rejections.invalidRequest('not accepted here');
      return input;
    },
  }));
}

async function run(rules: RuleChange) {
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  return await judged({ ...service.target, allow: {} }, { only: DELIVERED });
}

test('a server that rejects the address of the receiver blocks every check of a delivery by webhooks.publicUrl', async () => {
  const found = await run(rejecting(({ url }) => url.startsWith('http:')));
  expect([found.exitCode, having(found, 'blocked').sort()], found.said).toEqual([3, DELIVERED]);
  const causes = found.report?.checks.map(({ blockedBy, reason }) => [blockedBy, reason?.replace(/: 400.*;/s, ';')]);
  const because =
    "the server rejects a subscription to the kit's own receiver; set webhooks.publicUrl to a URL that the server accepts";
  expect(causes).toEqual(DELIVERED.map(() => ['webhooks.publicUrl of the target file', because]));
});

test('a server that rejects another part of a subscription does not blame the address', async () => {
  const found = await run(rejecting(({ url, eventTypes }) => url.includes('?') || eventTypes.length > 1));
  expect(having(found, 'blocked'), found.said).toEqual([]);
  expect(having(found, 'not-applicable').sort()).toEqual([
    'HOOK-04.full-url',
    'HOOK-07.other-event-kind',
    'HOOK-07.several-event-kinds',
  ]);
});

test('a subscription beyond the maximum of the server is not called replaced', async () => {
  let sent = 0;
  const rules = overrideRules((base) => ({
    validateSubscription: (call) => {
      sent += 1;
      if (sent > 3) throw new RejectionError(412, 'HOOK010', 'At most 3 subscriptions');
      return base.validateSubscription(call);
    },
  }));
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  const found = await judged({ ...service.target, allow: {} }, { only: ['HOOK-07.several-event-kinds'] });
  expect(found.report?.checks[0]?.reason).toMatch(/^the server rejects a subscription to the kit's own receiver: 412/);
});
