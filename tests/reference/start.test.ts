import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningReference, startReference } from '../../reference/service/start.ts';
import { parseTarget } from '../../specs/target-file/target.ts';

let running: RunningReference;
beforeAll(async () => {
  running = await startReference();
});
afterAll(() => running.close());

const headers = (name: 'seller' | 'buyer') => ({
  'X-API-Key': running.target.actors[name].key,
  'X-API-Secret': running.target.actors[name].secret,
  'Content-Type': 'application/json',
});
const call = async (actor: 'seller' | 'buyer', method: string, path: string, body?: unknown) => {
  const init = { method, headers: headers(actor), ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return fetch(running.baseUrl + path, init);
};

test('the target is a valid target file', () => {
  expect(parseTarget(running.target)).toMatchObject({ baseUrl: running.baseUrl });
  expect(JSON.parse(JSON.stringify(running.target))).toEqual(running.target);
});

test('the service listens on the loopback address and a free port', () => {
  expect(running.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('every operation of the target is served', async () => {
  const { actors, operations } = running.target;
  const create = async () => {
    const parties = { sellerId: actors.seller.organizationId, buyerId: actors.buyer.organizationId };
    const response = await call('seller', 'POST', '/api/v1/invoices', {
      ...parties,
      amount: '1.00',
      dueDate: '2030-01-01',
    });
    return ((await response.json()) as { id: string }).id;
  };
  const use = async (name: keyof typeof operations, id = '') => {
    const { method, path, actor = 'seller', body } = operations[name];
    const filled = body && JSON.parse(JSON.stringify(body).replace('{text}', 'words').replace('{amount}', '1.00'));
    if (filled?.requestId) filled.requestId = crypto.randomUUID();
    return (await call(actor, method, path.replace('{id}', id), filled)).status;
  };
  const [paid, cancelled, deleted] = [await create(), await create(), await create()];
  expect(await use('delete', deleted)).toBe(204);
  for (const id of [paid, cancelled]) expect(await use('submit', id)).toBe(200);
  expect(await use('cancel', cancelled)).toBe(200);
  for (const name of ['read', 'dispute', 'resolve', 'approve', 'settle'] as const)
    expect(await use(name, paid)).toBe(200);
  expect(await use('treasuryBalance')).toBe(200);
  expect(await use('treasuryWithdraw')).toBe(201);
});

test('two services share neither keys nor ids', async () => {
  const other = await startReference();
  expect(other.target.actors.seller).not.toEqual(running.target.actors.seller);
  const answer = await fetch(`${other.baseUrl}/api/v1/invoices`, { headers: headers('seller') });
  expect(answer.status).toBe(401);
  await other.close();
});

test('no server listens after close', async () => {
  const other = await startReference();
  await fetch(other.baseUrl);
  await other.close();
  await other.close();
  await expect(fetch(other.baseUrl)).rejects.toThrow();
});

test('a fault can be started on a socket, and its rewrite sees the request', async () => {
  const faulty = await startReference({ rewrite: ({ method }) => new Response(`heard ${method}`) });
  expect(await (await fetch(faulty.baseUrl, { method: 'POST', body: 'this' })).text()).toBe('heard POST');
  await faulty.close();
});
