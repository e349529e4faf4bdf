import { createHmac } from 'node:crypto';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { ActorName } from '../../reference/fixtures/fixtures.ts';
import { type Client, client } from './client.ts';

interface Delivery {
  headers: IncomingHttpHeaders;
  text: string;
}

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A receiver that responds with these statuses in turn, then with 200. */
async function receiver(...statuses: number[]) {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    deliveries.push({ headers: request.headers, text });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => server.close());
  return { deliveries, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const subscribe = ({ send }: Client, actor: ActorName, url: string, more: Record<string, unknown> = {}) =>
  send(actor, 'POST /api/v1/settings/webhooks', {
    body: { url, eventTypes: ['PAYMENT_COMPLETED'], signingSecret: 'whisper', ...more },
  });

async function settleOne({ create, act, reference }: Client): Promise<string> {
  const { id } = await create();
  await act('seller', id, 'submit');
  await act('buyer', id, 'approve');
  await act('buyer', id, 'settle');
  await reference.service.background.waitUntilIdle();
  return id;
}

test('a subscription is created, and its response omits the secret', async () => {
  const { status, text, body } = await subscribe(client(), 'seller', 'https://receiver.example/hook');
  expect(status).toBe(201);
  expect(body).toMatchObject({ url: 'https://receiver.example/hook', eventTypes: ['PAYMENT_COMPLETED'] });
  expect(text).not.toContain('whisper');
});

test.each([
  { url: 1 },
  { url: 'nowhere' },
  { url: 'ftp://x.example' },
  { url: undefined },
  { eventTypes: 'PAYMENT_COMPLETED' },
  { eventTypes: [1] },
  { eventTypes: [] },
  { eventTypes: ['MOON_LANDING'] },
  { signingSecret: 1 },
  { surprise: true },
])('a subscription with %j is rejected with 400', async (change) => {
  const { status, body } = await subscribe(client(), 'seller', 'https://receiver.example', change);
  expect([status, body.code, typeof body.message]).toEqual([400, 'REQ001', 'string']);
});

test('a settlement is delivered to both parties with a signature, and to no other organization', async () => {
  const service = client();
  const [seller, buyer, outsider, production] = [
    await receiver(),
    await receiver(),
    await receiver(),
    await receiver(),
  ];
  await subscribe(service, 'seller', seller.url);
  await subscribe(service, 'buyer', buyer.url);
  await subscribe(service, 'outsider', outsider.url);
  await subscribe(service, 'production', production.url);

  const id = await settleOne(service);

  expect([seller, buyer, outsider, production].map(({ deliveries }) => deliveries.length)).toEqual([1, 1, 0, 0]);
  const { headers, text } = seller.deliveries[0] ?? { headers: {}, text: '{}' };
  expect(JSON.parse(text)).toMatchObject({
    eventType: 'PAYMENT_COMPLETED',
    environment: 'SANDBOX',
    data: { id, status: 'SETTLED' },
  });
  expect(headers['x-webhook-signature']).toBe(`sha256=${createHmac('sha256', 'whisper').update(text).digest('hex')}`);
  expect(headers['content-type']).toBe('application/json');
});

test('only the subscribed kinds are delivered', async () => {
  const service = client();
  const { url, deliveries } = await receiver();
  await subscribe(service, 'seller', url, { eventTypes: ['BOOKING_CREATED', 'INVOICE_APPROVED'] });
  await settleOne(service);
  expect(deliveries.map(({ headers }) => headers['x-webhook-event'])).toEqual(['INVOICE_APPROVED']);
});

test('a failed delivery is retried at most three times', async () => {
  const service = client();
  const [shaky, dead] = [await receiver(500, 503), await receiver(500, 500, 500, 500, 500)];
  await subscribe(service, 'seller', shaky.url);
  await subscribe(service, 'buyer', dead.url);
  await settleOne(service);
  expect([shaky.deliveries.length, dead.deliveries.length]).toEqual([3, 4]);
});

test.each(['https://example.com/hook', 'https://hooks.example', 'https://receiver.test', 'nowhere'])(
  'nothing is delivered to %s, which cannot have a receiver',
  async (url) => {
    const lookups = vi.spyOn(dns, 'lookup');
    const service = client();
    // A fault may have accepted an invalid URL.
    service.reference.service.store.worlds.SANDBOX.subscriptions.push({
      id: 'subscription-1',
      organizationId: service.reference.fixtures.actors.seller.organizationId,
      url,
      eventTypes: ['PAYMENT_COMPLETED'],
      signingSecret: undefined,
      createdAt: new Date().toISOString(),
    });
    await settleOne(service);
    expect(lookups).not.toHaveBeenCalled();
    lookups.mockRestore();
  },
);

test('an unreachable receiver does not delay the response, and closing ends the delivery', async () => {
  const service = client();
  const silent = createServer(() => {});
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  closers.push(async () => {
    silent.closeAllConnections();
    silent.close();
  });
  await subscribe(service, 'seller', `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const { id } = await service.create();
  await service.act('seller', id, 'submit');
  await service.act('buyer', id, 'approve');
  const started = performance.now();
  expect((await service.act('buyer', id, 'settle')).body.status).toBe('SETTLED');
  service.reference.close();
  await service.reference.service.background.waitUntilIdle();
  expect(performance.now() - started).toBeLessThan(1_500);
});

test('a subscription is listed and removed only by its own organization', async () => {
  const service = client();
  await subscribe(service, 'seller', 'https://receiver.test/one');
  const WEBHOOKS = '/api/v1/settings/webhooks';
  const listed = async (actor: 'seller' | 'buyer') => (await service.send(actor, `GET ${WEBHOOKS}`)).body.items;
  const [{ id, url } = { id: '', url: '' }] = await listed('seller');
  expect([url, await listed('buyer')]).toEqual(['https://receiver.test/one', []]);
  expect((await service.send('buyer', `DELETE ${WEBHOOKS}/${id}`)).status).toBe(404);
  expect((await service.send('readOnly', `DELETE ${WEBHOOKS}/${id}`)).status).toBe(403);
  expect((await service.send('seller', `DELETE ${WEBHOOKS}/${id}`)).status).toBe(204);
  expect(await listed('seller')).toEqual([]);
});
