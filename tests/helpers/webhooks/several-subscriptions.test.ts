import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { expectEachSubscriptionNotified } from '../../../helpers/webhooks/several-subscriptions.ts';
import { keeping, scripted } from '../support/contexts.ts';

/** A service that delivers a settlement to all subscriptions, except those that `misses` selects. */
function service(misses: (path: string, settlement: number) => boolean) {
  const urls: string[] = [];
  let settlements = 0;
  const { states, reply } = keeping();
  const { ctx } = scripted((ask: ApiRequest) => {
    if (ask.operation === 'list')
      return { status: 200, json: { items: [...states].map(([id, status]) => ({ id, status })) } };
    if (ask.path.endsWith('/webhooks')) {
      urls.push((ask.body as { url: string }).url);
      return { status: 201 };
    }
    const response = reply(ask);
    if (ask.operation === 'settle') {
      settlements += 1;
      for (const url of urls)
        if (!misses(url, settlements)) void fetch(url, { method: 'POST', body: JSON.stringify(response.json) });
    }
    return response;
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  return ctx;
}

describe.concurrent('several subscriptions', () => {
  test('may miss one delivery that is lost', async () => {
    const ctx = service((url, settlement) => url.endsWith('/each/second') && settlement === 1);
    await expect(expectEachSubscriptionNotified(ctx)).resolves.toBeUndefined();
  });

  test('are all notified of one of two settlements', async () => {
    const ctx = service((url) => url.endsWith('/each/second'));
    await expect(expectEachSubscriptionNotified(ctx)).rejects.toThrow(
      /\/each\/second received no delivery about either of two settlements.*limits\.settleWithinMs/,
    );
  });

  test('are not judged if the second settlement is delivered to none of them', async () => {
    const ctx = service((url, settlement) => url.endsWith('/each/second') || settlement > 1);
    await expect(expectEachSubscriptionNotified(ctx)).rejects.toMatchObject({ name: 'Blocked' });
  });
});
