import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { nonexistentId, nonexistentIdLike } from '../../../helpers/invoices/nonexistent-id.ts';
import { labOf, type Reply, scripted } from '../support/contexts.ts';

const UUID = '7d4f9a52-8a6f-4c4e-9d3e-0123456789ab';

test.each([
  ['a UUID', [UUID], /^7d4f9a52-8a6f-4c4e-9d3e-[0-9a-f]{12}$/],
  ['a UUID in capitals', [UUID.toUpperCase()], /^[0-9A-F-]{36}$/],
  ['a short number', ['17'], /^9\d{8}$/],
  ['a long number', ['100200300400500'], /^9\d{14}$/],
  ['a prefix with random characters', ['inv_01hzy3k4m5n6p7q8r9'], /^inv_01hzy3[a-z0-9]{12}$/],
  ['hexadecimal digits', ['507f1f77bcf86cd799439011'], /^507f1f77bcf8[0-9a-f]{12}$/],
  ['a prefix and a digit', ['INV2ABCDEFGH'], /^INV\d[A-Z]{8}$/],
  ['letters and a number', ['INV17'], /^INV9\d{8}$/],
  ['a number and letters', ['17INV'], /^\d\d[A-Z]{3}$/],
  ['a UUID inside a name', [`urn:uuid:${UUID}`], /^urn:uuid:7d4f9a52-8a6f-4c4e-9d3e-[0-9a-f]{12}$/],
  ['parts with separators', ['ab-1:2_c3d'], /^ab-1:2_c\d[a-f]$/],
  ['numbers of the same width', ['IN3597287', 'IN8111286', 'IN2597285'], /^IN9\d{6}$/],
  ['numbers with leading zeros', ['IN-0041', 'IN-0040', 'IN-0039'], /^IN-9\d{3}$/],
  ['years and numbers', ['2026-00000123', '2026-00000122'], /^2026-9\d{7}$/],
  ['numbers with letters in the middle', ['17-X-3', '18-X-3', '19-X-3'], /^9\d{8}-X-3$/],
  ['a base-36 counter', ['f', 'e', 'd', 'c', 'b', 'a', '9'], /^[a-f]{9}$/],
  ['a base-36 counter that begins with digits', ['1', 'b', '3'], /^[1-9]\d{8}$/],
  ['a base-36 counter after words', ['new-9t', 'null-9s', 'true-9r'], /^null-[0-9a-z]{9}$/],
  ['a counter after varying letters', ['AB70', 'ab70', 'AB69', 'ab69'], /^AB9\d{8}$/],
  ['the longest of several forms', ['31', UUID, 'INV~29'], /^7d4f9a52-8a6f-4c4e-9d3e-[0-9a-f]{12}$/],
  ['a common prefix of letters', ['EC-AB12', 'EC-CD34', 'EC-EF45'], /^EC-AB\d\d$/],
  ['consecutive ids', ['01HZY3K4M5N6', '01HZY3K4M5N7', '01HZY3K4M5N8'], /^\d\d[A-Z]{3}\d[A-Z]\d[A-Z]\d[A-Z]\d$/],
])('an absent id has the form of %s', (_, known, form) => {
  for (let times = 0; times < 20; times += 1) {
    const id = nonexistentIdLike(known);
    expect(id).toMatch(form);
    expect(known).not.toContain(id);
  }
});

test('an absent id is different every time', () => {
  const ids = Array.from({ length: 50 }, () => nonexistentIdLike(['inv_01hzy3k4m5n6p7q8r9']));
  expect(new Set(ids).size).toBe(50);
});

test('an absent number is far ahead of any counter', () => {
  for (const id of ['1', '99', '1234', '12345', '98765'])
    expect(Number(nonexistentIdLike([id]))).toBeGreaterThanOrEqual(Math.min(9 * 10 ** (id.length - 1), 90_000));
});

test('an absent UUID has the version of its model', () => {
  const ordered = ['01932c07-209c-7cd3-aad6-a0b1c2d3e4f5', '01932c07-1f9c-7a13-bad6-c0b1c2d3e4f7'];
  expect(nonexistentIdLike(ordered)).toMatch(/^01932c07-209c-7cd3-aad6-[0-9a-f]{12}$/);
});

describe('the form of an id', () => {
  const listing = (items: object[]): Reply => ({ status: 200, json: { items } });

  const creating = (items: object[]) => {
    const created = { invoiceNumber: 'I-1', status: 'DRAFT', amount: '1.00', dueDate: '2030-01-01' };
    let made = 0;
    return scripted(({ operation }) => {
      if (operation !== 'create') return listing(items);
      made += 1;
      return { status: 201, json: { ...created, id: `inv_${made}-a` } };
    });
  };

  test('is that of listed invoices, requested once', async () => {
    const { ctx, asks } = creating([{ id: 'INV2ABCDEFGH' }, { id: 'INV3ABCDEFGI' }, { id: 'INV3ABCCEFGI' }]);
    expect(await nonexistentId(ctx)).toMatch(/^INV\d[A-Z]{8}$/);
    expect(await nonexistentId(ctx)).toMatch(/^INV\d[A-Z]{8}$/);
    expect(asks.map(({ path }) => path)).toEqual(['/api/v1/invoices?page=0&limit=20']);
  });

  test('is that of new invoices if the list shows few ids', async () => {
    for (const [items, made] of [
      [[], 3],
      [[{ id: 17 }, { id: 'inv_0-a' }], 2],
    ] as const) {
      const { ctx, asks } = creating([...items]);
      expect(await nonexistentId(ctx)).toMatch(/^inv_9\d{8}-a$/);
      // The first creations find the amounts and due dates that the server accepts.
      const calibration = ['list', 'create', 'create'];
      expect(asks.map(({ operation }) => operation)).toEqual(['list', ...calibration, ...Array(made).fill('create')]);
    }
  });

  test('is a UUID if nothing may be created, or without an actor', async () => {
    for (const changes of [{ mayMutate: false }, { organizations: { seller: 'org-seller' } }]) {
      const { ctx } = scripted(() => listing([]));
      const client = { send: (ask: ApiRequest) => ctx.send(ask) } as never;
      expect(await nonexistentId(labOf(changes, client))).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
