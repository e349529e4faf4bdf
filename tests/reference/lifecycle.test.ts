import { describe, expect, test } from 'vitest';
import type { ActorName } from '../../reference/fixtures/fixtures.ts';
import type { Action } from '../../reference/service/lifecycle.ts';
import type { InvoiceStatus } from '../../reference/service/store.ts';
import { client } from './client.ts';

const { act, create, read, send, total } = client();

const bodies: Partial<Record<Action, unknown>> = { dispute: { reason: 'wrong' }, resolve: { note: 'agreed' } };
const parties: Record<Action, 'seller' | 'buyer'> = {
  submit: 'seller',
  delete: 'seller',
  approve: 'buyer',
  dispute: 'buyer',
  cancel: 'seller',
  settle: 'buyer',
  resolve: 'seller',
};
const ways: Record<InvoiceStatus, Action[]> = {
  DRAFT: [],
  SUBMITTED: ['submit'],
  APPROVED: ['submit', 'approve'],
  DISPUTED: ['submit', 'dispute'],
  SETTLED: ['submit', 'approve', 'settle'],
  CANCELLED: ['submit', 'cancel'],
};

const perform = (action: Action, id: string, actor: ActorName = parties[action]) =>
  act(actor, id, action, bodies[action]);

async function reach(status: InvoiceStatus, more: Record<string, unknown> = {}): Promise<string> {
  const { id } = await create(more);
  for (const action of ways[status]) expect((await perform(action, id)).status).toBe(200);
  return id;
}

// Written out and not derived from the table of the service: the response to each action in each state.
const table: Record<InvoiceStatus, Record<Action, string>> = {
  DRAFT: {
    submit: 'SUBMITTED',
    delete: 'gone',
    approve: '412 INV004',
    dispute: '412 INV004',
    cancel: '412 INV004',
    settle: '412 INV004',
    resolve: '412 INV004',
  },
  SUBMITTED: {
    submit: '412 INV004',
    delete: '412 INV004',
    approve: 'APPROVED',
    dispute: 'DISPUTED',
    cancel: 'CANCELLED',
    settle: '412 INV004',
    resolve: '412 INV004',
  },
  APPROVED: {
    submit: '412 INV004',
    delete: '412 INV004',
    approve: '412 INV004',
    dispute: '412 INV004',
    cancel: '412 INV004',
    settle: 'SETTLED',
    resolve: '412 INV004',
  },
  DISPUTED: {
    submit: '412 INV004',
    delete: '412 INV004',
    approve: '412 INV004',
    dispute: '412 INV004',
    cancel: '412 INV004',
    settle: '412 INV004',
    resolve: 'SUBMITTED',
  },
  SETTLED: {
    submit: '412 INV004',
    delete: '412 INV004',
    approve: '409 FLOW001',
    dispute: '412 INV004',
    cancel: '409 FLOW001',
    settle: '409 FLOW001',
    resolve: '412 INV004',
  },
  CANCELLED: {
    submit: '412 INV004',
    delete: '412 INV004',
    approve: '409 FLOW001',
    dispute: '412 INV004',
    cancel: '409 FLOW001',
    settle: '412 INV004',
    resolve: '412 INV004',
  },
};
const cells = Object.entries(table).flatMap(([status, row]) =>
  Object.entries(row).map(([action, expected]) => [status as InvoiceStatus, action as Action, expected] as const),
);

test('the table has 42 cells', () => {
  expect(cells).toHaveLength(42);
});

test.each(cells)('%s, %s: %s', async (status, action, expected) => {
  const id = await reach(status);
  const response = await perform(action, id);
  const after = await send('seller', `GET /api/v1/invoices/${id}`);
  if (/^\d/.test(expected)) {
    expect(`${response.status} ${response.body.code}`).toBe(expected);
    expect(after.body.status).toBe(status);
  } else if (expected === 'gone') {
    expect([response.status, response.text]).toEqual([204, '']);
    expect([after.status, after.body.code]).toEqual([404, 'INV001']);
  } else {
    expect([response.status, response.body.status, after.body.status]).toEqual([200, expected, expected]);
  }
});

test.each(Object.keys(parties) as Action[])(
  '%s by the other party is rejected with 403 and changes nothing',
  async (action) => {
    const status = cells.find((cell) => cell[1] === action && !/^\d/.test(cell[2]))?.[0] ?? 'DRAFT';
    const id = await reach(status);
    const other = parties[action] === 'seller' ? 'buyer' : 'seller';
    const response = await perform(action, id, other);
    expect([response.status, response.body.code]).toEqual([403, 'AUTHZ002']);
    expect((await read(id)).status).toBe(status);
  },
);

test.each(['read', ...Object.keys(parties)])(
  '%s by a foreign organization, or with an id that does not exist, is rejected with 404 INV001',
  async (action) => {
    const id = await reach('SUBMITTED');
    for (const [actor, target] of [
      ['outsider', id],
      ['production', id],
      ['seller', crypto.randomUUID()],
      ['seller', 'x%20y'],
    ] as const) {
      const response =
        action === 'read'
          ? await send(actor, `GET /api/v1/invoices/${target}`)
          : await perform(action as Action, target, actor);
      expect([response.status, response.body.code]).toEqual([404, 'INV001']);
    }
    expect((await read(id)).status).toBe('SUBMITTED');
  },
);

describe('bodies of actions', () => {
  test.each(['approve', 'cancel', 'settle', 'delete', 'submit'])('%s rejects undeclared fields', async (action) => {
    const { id } = await create();
    const { status, body } = await act(parties[action as Action], id, action, { surprise: 1 });
    expect([status, body.code]).toEqual([400, 'INV002']);
  });

  test('approve accepts no requestId', async () => {
    const id = await reach('SUBMITTED');
    expect((await act('buyer', id, 'approve', { requestId: 'x' })).status).toBe(400);
  });

  test('a dispute requires a reason', async () => {
    const id = await reach('SUBMITTED');
    expect((await act('buyer', id, 'dispute')).status).toBe(400);
    expect((await read(id)).status).toBe('SUBMITTED');
  });

  test('a dispute is resolved by an adjustment of the amount', async () => {
    const id = await reach('DISPUTED');
    expect((await act('seller', id, 'resolve', { adjustment: { amount: '99.00' } })).body.amount).toBe('99.00');
    expect(await read(id)).toMatchObject({ status: 'SUBMITTED', amount: '99.00' });
  });

  test.each([
    {},
    { note: '' },
    { adjustment: {} },
    { adjustment: { amount: 1 } },
    { adjustment: { amount: '1.00', x: 1 } },
  ])('a dispute is not resolved by %j', async (body) => {
    const id = await reach('DISPUTED');
    expect((await act('seller', id, 'resolve', body)).status).toBe(400);
    expect((await read(id)).status).toBe('DISPUTED');
  });
});

test('a payment that exceeds the funds is rejected with 412 TREAS007, and the invoice stays APPROVED', async () => {
  const id = await reach('APPROVED', { amount: '9999999999999.99' });
  const response = await perform('settle', id);
  expect([response.status, response.body.code]).toEqual([412, 'TREAS007']);
  expect((await read(id)).status).toBe('APPROVED');
});

test('deleting removes the invoice from both lists', async () => {
  const { id } = await create();
  const before = [await total(), await total('buyer')];
  await perform('delete', id);
  expect([await total(), await total('buyer')]).toEqual(before.map((count) => count - 1));
});
