import { expect, onTestFinished, test, vi } from 'vitest';
import { overrideRules } from '../../../reference/overrides/override-rules.ts';
import { startReference } from '../../../reference/service/start.ts';
import { judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const CHECKS = ['HOOK-04.settlement', 'HOOK-04.every-settlement', 'HOOK-04.invoice-variants'];

interface Removals {
  /** Whether all subscriptions disappear after a delivery to this URL. */
  after: (url: string) => boolean;
  isListBound: boolean;
}

/** The verdict and the reason of each check. */
async function run({ after, isListBound }: Removals): Promise<Record<string, [string, string]>> {
  const rules = overrideRules((base) => ({
    deliver: (service, subscription, event) => {
      base.deliver(service, subscription, event);
      if (after(subscription.url)) service.store.worlds[event.environment].subscriptions.length = 0;
    },
  }));
  const service = await startReference({ rules });
  onTestFinished(() => service.close());
  const { webhookList, ...operations } = service.target.operations;
  const bound = isListBound ? { ...operations, webhookList } : operations;
  const { report } = await judged({ ...service.target, operations: bound, allow: {} }, { only: CHECKS });
  return Object.fromEntries((report?.checks ?? []).map(({ id, verdict, reason }) => [id, [verdict, reason]]));
}

/** A job that removes all subscriptions once, after the last subscription has received its first delivery. */
function removedOnce(): Removals['after'] {
  const seen = new Set<string>();
  let isDone = false;
  return (url) => {
    seen.add(url.replace(/.*\/conformance-[^/]*/, ''));
    if (isDone || !['/settlement', '/every-settlement', '/unusual-settlements'].every((path) => seen.has(path)))
      return false;
    isDone = true;
    return true;
  };
}

const disturbed = (path: string, sign: RegExp) => [
  'not-applicable',
  expect.stringMatching(
    new RegExp(
      `the subscription to ${path} has disappeared during the run: ${sign.source}; either another user of the sandbox removed it, or the server forgets subscriptions`,
    ),
  ),
];

test.each([
  [true, /webhookList does not show it any more/],
  [false, /older subscriptions of the run, which received deliveries before, receive none any more either/],
])(
  'a job that removes all subscriptions is not taken for a breach (webhookList bound: %s)',
  async (isListBound, sign) => {
    const found = await run({ after: removedOnce(), isListBound });
    expect(found['HOOK-04.every-settlement']).toEqual(disturbed('/every-settlement', sign));
    expect(found['HOOK-04.invoice-variants']).toEqual(disturbed('/unusual-settlements', sign));
    expect(found['HOOK-04.settlement']?.[0]).toBe('pass');
  },
);

test('a server that forgets each subscription after its first delivery is found, and the warning says both causes', async () => {
  const found = await run({ after: (url) => url.includes('/every-settlement'), isListBound: true });
  expect(found['HOOK-04.every-settlement']).toEqual([
    'warn',
    expect.stringMatching(
      /no delivery about a second settlement arrived .*; confirmed in 2 attempts, because the first subscription disappeared; either the server forgets subscriptions, or another user of the sandbox removes them/,
    ),
  ]);
});
