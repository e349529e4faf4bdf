import { expect, test } from 'vitest';
import { isSandboxOnlyBody, isSandboxOnlyPath } from '../../../helpers/api/environment-header.ts';

const PATH = '/api/v1/invoices/{id}/status?expand=buyer';

test.each([
  ['a UUID', '7d1f3b6e-2f1a-4c3b-9f4e-0a1b2c3d4e5f', true],
  ['a random text after a prefix', 'inv_RiG6AAq3oDpLxHo5', true],
  ['a ULID', '01HXYZ4T9QK7M2N8V3B6C5D0EF', true],
  ['a number', '1798245091273465857', false],
  ['a number after a prefix', 'INV2026000000000123', false],
])('%s (%s) in a path can only name a record of the sandbox: %s', (_, id, isUnique) => {
  expect(isSandboxOnlyPath(PATH, id)).toBe(isUnique);
  expect(isSandboxOnlyPath('/api/v1/invoice-actions?id={id}', id)).toBe(false);
  expect(isSandboxOnlyBody({ body: { target: { invoice: '{id}' } } }, id)).toBe(isUnique);
});

test('a body names a record of the sandbox only by a member that is its id', () => {
  const id = '7d1f3b6e-2f1a-4c3b-9f4e-0a1b2c3d4e5f';
  expect(isSandboxOnlyBody({ body: { note: 'all but {id}' } }, id)).toBe(false);
  expect(isSandboxOnlyBody({}, id)).toBe(false);
});
