import { describe, expect, test } from 'vitest';
import type { Ask } from '../../engine/answer.ts';
import { absentId, absentLike } from '../../helpers/absent-id.ts';
import { labOf, type Reply, scripted } from './labs.ts';

const UUID = '7d4f9a52-8a6f-4c4e-9d3e-0123456789ab';

test.each([
  ['a UUID', UUID, /^[0-9a-f]{8}-[0-9a-f]{4}-4c4e-9d3e-[0-9a-f]{12}$/],
  ['a UUID in capitals', UUID.toUpperCase(), /^[0-9a-f-]{36}$/i],
  ['a short number', '17', /^9\d{8}$/],
  ['a long number', '100200300400500', /^\d{15}$/],
  ['a prefix with characters behind it', 'inv_01hzy3k4m5n6p7q8r9', /^inv_01hzy3[a-f0-9]{12}$/],
  ['hexadecimal digits', '507f1f77bcf86cd799439011', /^[0-9a-f]{24}$/],
  ['capitals', 'INV2ABCDEFGH', /^[A-F]{3}\d[A-F]{8}$/],
  ['a number behind letters', 'INV17', /^[A-F]{3}\d\d$/],
  ['a number before letters', '17INV', /^\d\d[A-F]{3}$/],
  ['a UUID within a name', `urn:uuid:${UUID}`, /^urn:uuid:7d4f9a52-8a6f-4c4e-9d3e-[0-9a-f]{12}$/],
  ['a UUID with more behind it', `${UUID}-1`, /^7d4f9a52-8a6f-4c4e-9d3e-01[0-9a-f]{10}-\d$/],
  ['signs between its parts', 'ab-1:2_c.3', /^[a-f]{2}-\d:\d_[a-f]\.\d$/],
])('an absent id is like %s', (_, id, form) => {
  expect(absentLike(id)).toMatch(form);
});

test('an absent id is another one every time', () => {
  const ids = Array.from({ length: 50 }, () => absentLike('inv_01hzy3k4m5n6p7q8r9'));
  expect(new Set(ids).size).toBe(50);
});

test('an absent number is far ahead of any counter', () => {
  for (const id of ['1', '99', '1234567', '12345678'])
    expect(Number(absentLike(id))).toBeGreaterThanOrEqual(900_000_000);
});

test('an absent UUID is of the version of the one it is like', () => {
  const ordered = '01932c07-209c-7cd3-aad6-a0b1c2d3e4f5';
  expect(absentLike(ordered)).toMatch(/^01932c07-209c-7cd3-aad6-[0-9a-f]{12}$/);
  expect(absentLike(ordered)).not.toBe(ordered);
});

describe('the form of an id', () => {
  const listing = (items: object[]): Reply => ({ status: 200, json: { items } });

  test('is that of a listed invoice, asked for once', async () => {
    const { lab, asks } = scripted(() => listing([{ id: 'INV2ABCDEFGH' }]));
    expect(await absentId(lab)).toMatch(/^[A-F]{3}\d[A-F]{8}$/);
    expect(await absentId(lab)).toMatch(/^[A-F]{3}\d[A-F]{8}$/);
    expect(asks.map(({ path }) => path)).toEqual(['/api/v1/invoices?page=0&limit=1']);
  });

  test('is that of a new invoice where the list shows none with an id', async () => {
    for (const items of [[], [{ id: 17 }]]) {
      const created = {
        id: 'inv_01hzy3k4m5n6p7q8r9',
        invoiceNumber: 'I-1',
        status: 'DRAFT',
        amount: '1.00',
        dueDate: '2030-01-01',
      };
      const { lab, asks } = scripted(({ operation }) =>
        operation === 'create' ? { status: 201, json: created } : listing(items),
      );
      expect(await absentId(lab)).toMatch(/^inv_01hzy3[a-f0-9]{12}$/);
      expect(asks.map(({ operation }) => operation)).toEqual(['list', 'create']);
    }
  });

  test('is a UUID where nothing may be created, or for nobody', async () => {
    for (const changes of [{ mutations: false }, { organizations: { seller: 'org-seller' } }]) {
      const { lab } = scripted(() => listing([]));
      const client = { send: (ask: Ask) => lab.send(ask) } as never;
      expect(await absentId(labOf(changes, client))).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
