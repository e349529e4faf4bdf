import { expect, test } from 'vitest';
import { client } from './client.ts';

const RESET = 'POST /api/v1/settings/api-keys/sandbox/reset';

test("a reset ends the organization's sandbox keys and clears its invoices, bookings and logs", async () => {
  const { send, total, reference, actors } = client();
  const { SANDBOX, PRODUCTION } = reference.service.store.worlds;
  const production = structuredClone([...PRODUCTION.invoices.values()]);
  const seller = actors.seller.organizationId;
  await total();
  await total('outsider');

  const { status, body } = await send('seller', RESET);
  expect([status, body.cleared]).toEqual([200, { apiKeys: 2, logs: 1, invoices: 5, bookings: 1 }]);

  const refused = { error: 'Unauthorized', message: 'Invalid API key or secret' };
  expect((await send('seller', 'GET /api/v1/invoices')).body).toEqual(refused);
  expect((await send('readOnly', 'GET /api/v1/invoices')).body).toEqual(refused);
  expect(await total('buyer')).toBe(0);
  expect([...SANDBOX.bookings.values()].filter(({ organizationIds }) => organizationIds.includes(seller))).toEqual([]);
  expect(SANDBOX.logs.map(({ method, path }) => `${method} ${path}`)).toContain('GET /api/v1/invoices');

  expect(await total('outsider')).toBe(3);
  expect(await total('production')).toBe(3);
  expect([...PRODUCTION.invoices.values()]).toEqual(production);
  expect(PRODUCTION.bookings.size).toBe(1);
});

test('a replayed creation does not restore a cleared invoice', async () => {
  const { send, create, reference } = client();
  await create({ requestId: 'before' });
  await send('seller', RESET);
  expect(reference.service.store.worlds.SANDBOX.replays.size).toBe(0);
});

test('a production key may not reset the sandbox', async () => {
  const { send, total } = client();
  expect((await send('production', RESET)).status).toBe(403);
  expect(await total()).toBe(5);
});

test('a reset accepts no payload', async () => {
  const { send, total } = client();
  expect((await send('seller', RESET, { body: { everything: true } })).status).toBe(400);
  expect(await total()).toBe(5);
});

test('the logs are limited in size', async () => {
  const { total, reference } = client();
  for (let index = 0; index < 2_100; index++) await total();
  expect(reference.service.store.worlds.SANDBOX.logs.length).toBeLessThanOrEqual(2_000);
});
