import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { listedSubscriptions, subscriptionId } from '../../../helpers/context/created-subscriptions.ts';
import { removeSubscriptions } from '../../../helpers/webhooks/subscription-removal.ts';
import { subscribe } from '../../../helpers/webhooks/subscriptions.ts';
import { type Reply, scripted } from '../support/contexts.ts';

const URL_ONE = 'https://receiver.example.com/conformance-01234567/one';
const OPERATIONS = {
  webhookList: { method: 'GET', path: '/webhooks' },
  webhookDelete: { method: 'DELETE', path: '/webhooks/{id}' },
};

async function removed(created: unknown, operations: object, listed: unknown = { items: [] }, deletion = 204) {
  const reply = ({ operation }: ApiRequest): Reply => {
    if (operation === 'webhookCreate') return { status: 201, json: created };
    return operation === 'webhookList' ? { status: 200, json: listed } : { status: deletion };
  };
  const { ctx, asks } = scripted(reply, { operations });
  await subscribe(ctx, { url: URL_ONE });
  await removeSubscriptions(ctx);
  return {
    left: ctx.run.leftovers.entries().map(([, { reason }]) => reason),
    deleted: asks.filter(({ operation }) => operation === 'webhookDelete').map(({ path }) => path),
  };
}

describe('the subscriptions of a run', () => {
  test('are removed by the id that the response shows', async () => {
    expect(await removed({ data: { id: 7 } }, OPERATIONS)).toEqual({ left: [], deleted: ['/webhooks/7'] });
  });

  test('are found in the list by their url if the response shows no id', async () => {
    const listed = {
      webhooks: [
        { id: 'other', url: 'https://example.com/' },
        { id: 'own', url: URL_ONE },
      ],
    };
    expect(await removed(undefined, OPERATIONS, listed)).toEqual({ left: [], deleted: ['/webhooks/own'] });
  });

  test('remain with the reason if no removal is bound', async () => {
    const unbound = await removed({ id: 'own' }, {});
    expect(unbound).toEqual({ left: ['operations.webhookDelete of the target file is not bound'], deleted: [] });
    const declared = await removed({ id: 'own' }, { webhookDelete: 'not-offered' });
    expect(declared.left).toEqual(['operations.webhookDelete of the target file is not-offered']);
    const refused = await removed({ id: 'own' }, OPERATIONS, { items: [] }, 403);
    expect(refused.left).toEqual(['webhookDelete was rejected with 403']);
    const { webhookDelete } = OPERATIONS;
    expect((await removed(undefined, { webhookDelete })).left).toEqual([
      'the response to its creation has no id, and operations.webhookList is not bound',
    ]);
  });
});

test('the id of a subscription is next to its url', () => {
  const body = { id: 'request', organization: { id: 'org' }, webhook: { webhookId: 'own', url: URL_ONE } };
  expect(subscriptionId({ json: body }, URL_ONE)).toBe('own');
  expect(subscriptionId({ json: [{ id: 'bare' }] }, URL_ONE)).toBe('bare');
  expect(subscriptionId({ json: null }, URL_ONE)).toBeNull();
});

test('a list of subscriptions may have any shape', () => {
  const own = { id: 'own', url: URL_ONE };
  for (const json of [[own], { items: [own] }, { data: { subscriptions: [own] } }])
    expect(listedSubscriptions({ json })).toEqual([own]);
  expect(listedSubscriptions({ json: { items: [{ id: 'own' }] } })).toEqual([]);
});
