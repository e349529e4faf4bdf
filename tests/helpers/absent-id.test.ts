import { expect, test } from 'vitest';
import { absentLike } from '../../helpers/absent-id.ts';

const UUID = '7d4f9a52-8a6f-4c4e-9d3e-0123456789ab';

test.each([
  ['a UUID', UUID, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
  ['a UUID in capitals', UUID.toUpperCase(), /^[0-9a-f-]{36}$/i],
  ['a short number', '17', /^9\d{8}$/],
  ['a long number', '100200300400500', /^\d{15}$/],
  ['a prefix with characters behind it', 'inv_01hzy3k4m5n6p7q8r9', /^inv_01hzy3[a-f0-9]{12}$/],
  ['hexadecimal digits', '507f1f77bcf86cd799439011', /^[0-9a-f]{24}$/],
  ['capitals', 'INV2ABCDEFGH', /^[A-F]{3}\d[A-F]{8}$/],
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
