import { beforeAll, expect, test } from 'vitest';
import { client, type Json } from './client.ts';

const { send, create, actors, total } = client();
const list = async (query = '', actor: 'seller' | 'buyer' | 'outsider' | 'production' = 'seller') =>
  (await send(actor, `GET /api/v1/invoices${query}`)).body;
const values = (body: Json, field: string) => body.items.map((item) => item[field]);

beforeAll(async () => {
  // 5 invoices existed before. Equal due dates make ties, and the amounts have another order as text.
  for (let index = 0; index < 25; index++) {
    await create({
      amount: `${(index * 7) % 25}.99`,
      dueDate: `2030-01-0${(index % 3) + 1}`,
      description: `n${index}`,
    });
  }
});

test('the envelope contains totals, page and limit', async () => {
  const body = await list('?page=1&limit=12');
  expect(body).toEqual({ items: expect.any(Array), total: 30, totalPages: 3, page: 1, limit: 12 });
  expect(body.items).toHaveLength(12);
});

test('the default page contains the 20 newest invoices', async () => {
  const body = await list();
  expect(body).toMatchObject({ page: 0, limit: 20, totalPages: 2 });
  expect(values(body, 'createdAt')).toEqual(values(body, 'createdAt').toSorted().reverse());
});

test('totalPages is exact for an exact multiple and for an empty list', async () => {
  expect((await list('?limit=15')).totalPages).toBe(2);
  expect((await list('?limit=1')).totalPages).toBe(30);
  const other = client();
  other.reference.service.store.worlds.PRODUCTION.invoices.clear();
  expect((await other.send('production', 'GET /api/v1/invoices')).body).toMatchObject({
    total: 0,
    totalPages: 0,
    items: [],
  });
});

test.each(['createdAt', 'dueDate', 'currency', 'amount'])(
  'pages sorted by %s contain every record once',
  async (field) => {
    const ids: unknown[] = [];
    for (let page = 0; page < 5; page++) ids.push(...values(await list(`?page=${page}&limit=7&sortBy=${field}`), 'id'));
    expect(new Set(ids).size).toBe(30);
    expect(ids).toHaveLength(30);
  },
);

test('a page past the end is empty', async () => {
  expect(await list('?page=9&limit=10')).toMatchObject({ items: [], total: 30, totalPages: 3, page: 9, limit: 10 });
});

test('amounts sort by value, in both orders', async () => {
  const descending = values(await list('?limit=100&sortBy=amount&sortOrder=desc'), 'amount').map(Number);
  expect(descending).toEqual(descending.toSorted((left, right) => right - left));
  const ascending = values(await list('?limit=100&sortBy=amount&sortOrder=asc'), 'amount').map(Number);
  expect(ascending).toEqual(descending.toReversed());
});

test.each([
  'id',
  'invoiceNumber',
  'status',
  'dueDate',
  'createdAt',
  'buyerOrganizationId',
  'sellerOrganizationId',
  'currency',
])('sorts by %s', async (field) => {
  const sorted = values(await list(`?limit=100&sortBy=${field}&sortOrder=asc`), field);
  expect(sorted).toEqual(sorted.toSorted());
});

test.each([
  'limit=0',
  'limit=-1',
  'limit=101',
  'limit=1.5',
  'limit=ten',
  'limit=',
  'page=-1',
  'page=one',
  'page=0x1',
  'page=99999999999999999999',
  'sortBy=secret',
  'sortBy=notes',
  'sortOrder=up',
])('%s is rejected with 400', async (query) => {
  const { status, body } = await send('seller', `GET /api/v1/invoices?${query}`);
  expect([status, body.code, typeof body.message]).toEqual([400, 'REQ001', 'string']);
});

test('limit 1 and 100 are applied, and unknown parameters are ignored', async () => {
  expect((await list('?limit=1')).items).toHaveLength(1);
  expect((await list('?limit=100&colour=red')).limit).toBe(100);
});

test('a caller sees only its own sales and purchases', async () => {
  const involved = (body: Json, organizationId: string) =>
    body.items.every((item) => [item.sellerOrganizationId, item.buyerOrganizationId].includes(organizationId));
  expect(involved(await list('?limit=100'), actors.seller.organizationId)).toBe(true);
  const { id } = await create();
  expect(values(await list('?limit=100', 'buyer'), 'id')).toContain(id);
  const outsider = await list('?limit=100', 'outsider');
  expect(outsider.total).toBe(3);
  expect(involved(outsider, actors.outsider.organizationId)).toBe(true);
});

test('sandbox and production are separate', async () => {
  const production = await list('?limit=100', 'production');
  expect(production.total).toBe(3);
  await create();
  expect(await total('production')).toBe(3);
  const sandboxIds = new Set(values(await list('?limit=100'), 'id'));
  for (const { id } of production.items) {
    expect(sandboxIds.has(id)).toBe(false);
    expect((await send('seller', `GET /api/v1/invoices/${id}`)).body.code).toBe('INV001');
    expect((await send('production', `GET /api/v1/invoices/${id}`)).body.id).toBe(id);
  }
});
