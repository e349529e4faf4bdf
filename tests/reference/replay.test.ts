import { expect, test } from 'vitest';
import { client } from './client.ts';

const { send, invoice, create, act, read, total, reference, actors, counterparties } = client();
const post = (more: Record<string, unknown>) => send('seller', 'POST /api/v1/invoices', { body: invoice(more) });
const withdraw = (body: unknown) => send('seller', 'POST /api/v1/treasury/withdraw', { body });
const balance = async (body?: unknown) =>
  (await send('seller', 'POST /api/v1/treasury/balance', body ? { body } : {})).body.available;

test('a repeated requestId returns the original response with no new invoice', async () => {
  const before = await total();
  const first = await post({ requestId: 'a' });
  await act('seller', first.body.id, 'submit');
  const second = await post({ requestId: 'a', amount: '7.00' });
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  expect(await total()).toBe(before + 1);
});

test('concurrent duplicates have one effect', async () => {
  const before = await total();
  const responses = await Promise.all(Array.from({ length: 20 }, () => post({ requestId: 'simultaneous' })));
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(await total()).toBe(before + 1);
});

test('concurrent duplicates have one effect even if the rules are slow', async () => {
  const slow = client({
    rules: (honest) => ({
      ...honest,
      replay: (call, key, perform) =>
        honest.replay(call, key, async () => {
          await new Promise((resolve) => setTimeout(resolve, 10));
          return perform();
        }),
    }),
  });
  const before = await slow.total();
  const made = await Promise.all(Array.from({ length: 10 }, () => slow.create({ requestId: 'slow' })));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(await slow.total()).toBe(before + 1);
});

test('a rejected request is not an original', async () => {
  const refused = await post({ requestId: 'b', buyerId: counterparties.unconnected });
  expect(refused.status).toBe(404);
  expect((await post({ requestId: 'b' })).status).toBe(201);
});

test('concurrent duplicates of a rejected request are rejected one by one', async () => {
  const sent = { requestId: 'c', buyerId: counterparties.unconnected };
  const responses = await Promise.all([post(sent), post(sent), post(sent)]);
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test('requestIds are compared exactly', async () => {
  const before = await total();
  for (const requestId of ['Case', 'case', 'case ', 'cas', '', '["case"]']) await post({ requestId });
  expect(await total()).toBe(before + 6);
});

test('a requestId belongs to its organization', async () => {
  const first = await withdraw({ amount: '1.00', requestId: 'mine' });
  const other = await send('buyer', 'POST /api/v1/treasury/withdraw', { body: { amount: '1.00', requestId: 'mine' } });
  expect(other.body.id).not.toBe(first.body.id);
});

test('a requestId belongs to its operation and its invoice', async () => {
  const one = await create({ requestId: 'shared' });
  const two = await create();
  expect((await act('seller', one.id, 'submit', { requestId: 'shared' })).body).toMatchObject({
    id: one.id,
    status: 'SUBMITTED',
  });
  expect((await act('seller', two.id, 'submit', { requestId: 'shared' })).body).toMatchObject({
    id: two.id,
    status: 'SUBMITTED',
  });
});

test('a requestId belongs to its environment', async () => {
  const spend = { body: { amount: '1.00', requestId: 'world' } };
  const sandbox = await send('seller', 'POST /api/v1/treasury/withdraw', spend);
  const production = await send('production', 'POST /api/v1/treasury/withdraw', spend);
  expect(production.body.id).not.toBe(sandbox.body.id);
});

test('a submission is replayed even after the approval, and rejected without a requestId', async () => {
  const { id } = await create();
  const first = await act('seller', id, 'submit', { requestId: 's' });
  await act('buyer', id, 'approve');
  const second = await act('seller', id, 'submit', { requestId: 's' });
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  expect((await read(id)).status).toBe('APPROVED');
  expect((await act('seller', id, 'submit')).body.code).toBe('INV004');
});

test('a withdrawal is replayed and paid once', async () => {
  const before = Number(await balance());
  const first = await withdraw({ amount: '10.00', requestId: 'w' });
  const second = await withdraw({ amount: '10.00', requestId: 'w' });
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect(Number(await balance())).toBe(before - 10);
  await withdraw({ amount: '10.00' });
  await withdraw({ amount: '10.00' });
  expect(Number(await balance())).toBe(before - 30);
});

test('a balance is replayed unchanged', async () => {
  const first = await balance({ requestId: 'then' });
  await withdraw({ amount: '5.00' });
  expect(await balance({ requestId: 'then' })).toBe(first);
  expect(await balance({ requestId: 'now' })).not.toBe(first);
});

test('the balance can be read with GET, too', async () => {
  expect((await send('seller', 'GET /api/v1/treasury/balance')).body.available).toBe(await balance());
});

test('a withdrawal that exceeds the funds is rejected with 412 TREAS007 and changes nothing', async () => {
  const before = await balance();
  const { status, body } = await withdraw({ amount: '999999999999999999.00' });
  expect([status, body.code]).toEqual([412, 'TREAS007']);
  expect(await balance()).toBe(before);
});

test.each([{}, { amount: 1 }, { amount: '0.00' }, { amount: '1.00', x: 1 }, { amount: '1.00', requestId: 1 }])(
  'a withdrawal of %j is rejected with 400',
  async (body) => {
    expect((await withdraw(body)).status).toBe(400);
  },
);

test('a settlement transfers sandbox funds from buyer to seller and no production funds', async () => {
  const other = client();
  const available = async (actor: 'seller' | 'buyer' | 'production') =>
    Number((await other.send(actor, 'GET /api/v1/treasury/balance')).body.available);
  const before = [await available('seller'), await available('buyer'), await available('production')];
  const { id } = await other.create({ amount: '100.00' });
  for (const [actor, action] of [
    ['seller', 'submit'],
    ['buyer', 'approve'],
    ['buyer', 'settle'],
  ] as const) {
    await other.act(actor, id, action);
  }
  const after = [await available('seller'), await available('buyer'), await available('production')];
  expect(after.map((value, index) => value - (before[index] ?? 0))).toEqual([100, -100, 0]);
});

test('only successful responses are stored, by caller', () => {
  const { replays, pendingRequests } = reference.service.store.worlds.SANDBOX;
  expect([...replays.values()].every(({ answer: response }) => response.status < 300)).toBe(true);
  expect([...replays.values()].some(({ organizationId }) => organizationId === actors.seller.organizationId)).toBe(
    true,
  );
  expect(pendingRequests.size).toBe(0);
});
