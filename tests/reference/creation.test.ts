import { describe, expect, test } from 'vitest';
import { client, type Sent } from './client.ts';

const { send, invoice, actors, counterparties, total, read, create } = client();
const post = (sent: Sent, actor: 'seller' | 'buyer' | 'outsider' = 'seller') =>
  send(actor, 'POST /api/v1/invoices', sent);

test('a created invoice is a DRAFT with all sent fields', async () => {
  const sent = invoice({ currency: 'USD', description: 'ein “Test” <b>✓</b>', requestId: 'creation-1' });
  const { status, type, body } = await post({ body: sent });
  expect(status).toBe(201);
  expect(type).toBe('application/json');
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    invoiceNumber: expect.stringMatching(/^INV-\d{4}-\d{6}$/),
    status: 'DRAFT',
    amount: '120.50',
    currency: 'USD',
    buyerOrganizationId: sent.buyerId,
    sellerOrganizationId: sent.sellerId,
    dueDate: '2030-02-28',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    description: 'ein “Test” <b>✓</b>',
  });
  expect(await read(body.id)).toEqual(body);
});

test('the default currency is EUR, and a missing description is omitted', async () => {
  const body = await create();
  expect(body.currency).toBe('EUR');
  expect(body).not.toHaveProperty('description');
});

test.each(['0.10', '1.10', '7199254740993.01', '9999999999999.99'])(
  'the amount %s is returned digit for digit',
  async (amount) => {
    expect((await create({ amount })).amount).toBe(amount);
  },
);

test('concurrent creations get different numbers', async () => {
  const made = await Promise.all(Array.from({ length: 50 }, () => create()));
  expect(new Set(made.map(({ invoiceNumber }) => invoiceNumber)).size).toBe(50);
});

test('organization ids are compared case-insensitively', async () => {
  const { status, body } = await post({ body: invoice({ buyerId: actors.buyer.organizationId.toUpperCase() }) });
  expect([status, body.buyerOrganizationId]).toEqual([201, actors.buyer.organizationId]);
});

describe('an invalid body is 400 INV002 and creates nothing', () => {
  const { sellerId, buyerId, amount, dueDate } = invoice();
  const changed: Record<string, unknown>[] = [
    { invoiceNumber: 'INV-1' },
    { id: 'x' },
    { status: 'DRAFT' },
    { surprise: null },
    { constructor: 'x' },
    { Amount: '1.00' },
    { amount: undefined },
    { sellerId: undefined },
    { buyerId: undefined },
    { dueDate: undefined },
    ...[1, 1.5, null, true, ['1.00'], '', 'ten', '1.00x', '1,00', '1.0.0', 'NaN', '0x10', '-1.00', '1e3', '+1.00'].map(
      (bad) => ({ amount: bad }),
    ),
    ...['0.00', '00.00', '1', '1.0', '1.000', ' 1.00', '1.00\n', '12345678901234.00'].map((bad) => ({ amount: bad })),
    ...[1, null, [sellerId], 'seller', sellerId.slice(0, -1), ''].map((bad) => ({ sellerId: bad })),
    ...[1, null, [buyerId], 'buyer', buyerId.slice(0, -1), ''].map((bad) => ({ buyerId: bad })),
    ...[1, null, [dueDate], '', 'soon', '28/02/2030', '20300228', '2030-02-28T00:00:00Z', '2030-2-28'].map((bad) => ({
      dueDate: bad,
    })),
    ...['2030-13-01', '2030-01-32', '2030-02-30', '2029-02-29'].map((bad) => ({ dueDate: bad })),
    ...[1, null, 'eur', 'EURO', 'EU', '123', ''].map((bad) => ({ currency: bad })),
    ...[1, null, {}].map((bad) => ({ description: bad })),
    ...[1, null, {}].map((bad) => ({ requestId: bad })),
  ];
  test.each(changed)('%j', async (change) => {
    const before = await total();
    const { status, body } = await post({ body: invoice(change) });
    expect([status, body.code, typeof body.error, typeof body.message]).toEqual([400, 'INV002', 'string', 'string']);
    expect(await total()).toBe(before);
  });

  test('a __proto__ field', async () => {
    const raw = `{"__proto__": {"amount": "1.00"}, ${JSON.stringify({ sellerId, buyerId, amount, dueDate }).slice(1)}`;
    expect((await post({ raw })).body.code).toBe('INV002');
  });

  test('an empty body and an empty object', async () => {
    expect((await post({})).body.code).toBe('INV002');
    expect((await post({ body: {} })).body.code).toBe('INV002');
  });
});

test('a leap day is a date', async () => {
  expect((await post({ body: invoice({ dueDate: '2028-02-29' }) })).status).toBe(201);
});

test.each(['{', JSON.stringify(invoice()).slice(0, -3), `${JSON.stringify(invoice())} x`, '[]', '"text"', 'null', '1'])(
  'a body that is not a JSON object is rejected with 400: %s',
  async (raw) => {
    const { status, body } = await post({ raw });
    expect([status, body.code, typeof body.error, typeof body.message]).toEqual([400, 'REQ002', 'string', 'string']);
  },
);

test('a body of another content type is rejected with 400', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
    expect((await post({ body: invoice(), headers: { 'Content-Type': type } })).status).toBe(400);
  }
  const utf8 = { 'Content-Type': 'Application/JSON; charset=utf-8' };
  expect((await post({ body: invoice(), headers: utf8 })).status).toBe(201);
});

test('a creation without a connection is rejected with CONN003', async () => {
  const strangers = [
    invoice({ buyerId: counterparties.unconnected }),
    invoice({ buyerId: crypto.randomUUID() }),
    invoice({ buyerId: actors.seller.organizationId }),
    invoice({ sellerId: actors.outsider.organizationId }),
  ];
  for (const body of strangers) {
    const response = await post({ body });
    expect([response.status, response.body.code]).toEqual([404, 'CONN003']);
  }
});

test('a connection between two other organizations is rejected with CONN003', async () => {
  const { status, body } = await post({ body: invoice() }, 'outsider');
  expect([status, body.code]).toEqual([404, 'CONN003']);
});

test('a creation over a connection that is not active is rejected with CONN010', async () => {
  const before = await total();
  const { status, body } = await post({ body: invoice({ buyerId: counterparties.suspended }) });
  expect([status, body.code]).toEqual([412, 'CONN010']);
  expect(await total()).toBe(before);
});

test('a buyer cannot create invoices in the name of its seller', async () => {
  expect((await post({ body: invoice() }, 'buyer')).status).toBe(403);
});
