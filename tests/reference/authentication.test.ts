import { expect, test } from 'vitest';
import { client } from './client.ts';

const LIST = 'GET /api/v1/invoices';
const { send, actors, reference, invoice, total } = client();
const { key, secret } = actors.seller;

const failures: Record<string, Record<string, string>> = {
  'missing credentials': {},
  'a missing key': { 'X-API-Secret': secret },
  'a missing secret': { 'X-API-Key': key },
  'an empty key': { 'X-API-Key': '', 'X-API-Secret': secret },
  'an unknown key': { 'X-API-Key': `${key}x`, 'X-API-Secret': secret },
  'a wrong secret': { 'X-API-Key': key, 'X-API-Secret': `${secret}x` },
  "another key's secret": { 'X-API-Key': key, 'X-API-Secret': actors.buyer.secret },
  'a secret in another case': { 'X-API-Key': key, 'X-API-Secret': secret.toUpperCase() },
  'a revoked key': { 'X-API-Key': actors.revoked.key, 'X-API-Secret': actors.revoked.secret },
};

test.each(Object.entries(failures))('%s gets 401 with the one body', async (_cause, headers) => {
  const { status, body } = await send(null, LIST, { headers });
  expect(status).toBe(401);
  expect(body).toEqual({ error: 'Unauthorized', message: 'Invalid API key or secret' });
});

test('an expired key gets 401', async () => {
  const other = client();
  other.actors.seller.state = 'expired';
  expect((await other.send('seller', LIST)).status).toBe(401);
});

test('credentials are judged before environment, body, existence and route', async () => {
  const environment = { headers: { 'X-Environment': 'MARS' } };
  expect((await send(null, LIST, environment)).status).toBe(401);
  expect((await send(null, 'POST /api/v1/invoices', { raw: '{' })).status).toBe(401);
  expect((await send(null, 'GET /api/v1/invoices/none')).status).toBe(401);
  expect((await send(null, 'GET /nowhere')).status).toBe(401);
});

test('keys begin with the prefix of their environment', () => {
  expect(key).toMatch(/^svc_sand_/);
  expect(actors.production.key).toMatch(/^svc_prod_/);
});

test.each(['MARS', '', 'sandbox', 'PROD', 'SANDBOX, SANDBOX'])('X-Environment %j is unknown', async (value) => {
  const { status, body } = await send('seller', LIST, { headers: { 'X-Environment': value } });
  expect([status, body.code]).toEqual([400, 'GW_UNKNOWN_ENVIRONMENT']);
  expect(body.message).toBeTypeOf('string');
});

test('X-Environment must not name the other environment', async () => {
  const sandbox = await send('seller', LIST, { headers: { 'X-Environment': 'PRODUCTION' } });
  expect([sandbox.status, sandbox.body.code]).toEqual([403, 'GW_ENVIRONMENT_KEY_MISMATCH']);
  const production = await send('production', LIST, { headers: { 'X-Environment': 'SANDBOX' } });
  expect([production.status, production.body.code]).toEqual([403, 'GW_ENVIRONMENT_KEY_MISMATCH']);
});

test("X-Environment may name the key's own environment", async () => {
  expect((await send('seller', LIST, { headers: { 'X-Environment': 'SANDBOX' } })).status).toBe(200);
  expect((await send('production', LIST, { headers: { 'X-Environment': 'PRODUCTION' } })).status).toBe(200);
});

test('an environment without instances is unavailable', async () => {
  const other = client();
  other.reference.service.store.deployed.delete('PRODUCTION');
  const { status, body } = await other.send('production', LIST);
  expect([status, body.code]).toEqual([503, 'GW_ENVIRONMENT_UNAVAILABLE']);
  expect((await other.send('seller', LIST)).status).toBe(200);
});

test('a read-only key lists, reads and asks for the balance, and changes nothing', async () => {
  const [first] = [...reference.service.store.worlds.SANDBOX.invoices.values()];
  const before = await total();
  expect((await send('readOnly', LIST)).status).toBe(200);
  expect((await send('readOnly', `GET /api/v1/invoices/${first?.id}`)).status).toBe(200);
  expect((await send('readOnly', 'POST /api/v1/treasury/balance')).status).toBe(200);
  const refused = [
    await send('readOnly', 'POST /api/v1/invoices', { body: invoice() }),
    await send('readOnly', `POST /api/v1/invoices/${first?.id}/submit`),
    await send('readOnly', `DELETE /api/v1/invoices/${first?.id}`),
    await send('readOnly', 'POST /api/v1/treasury/withdraw', { body: { amount: '1.00' } }),
    await send('readOnly', 'POST /api/v1/settings/webhooks', { body: {} }),
    await send('readOnly', 'POST /api/v1/settings/api-keys/sandbox/reset'),
  ];
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [403, 'AUTHZ001']));
  expect(await total()).toBe(before);
});

test('an unknown route is 404 with error and code', async () => {
  const { status, body } = await send('seller', 'PUT /api/v1/invoices');
  expect([status, body.code]).toEqual([404, 'REQ003']);
  expect(body.error).toBeTypeOf('string');
});
