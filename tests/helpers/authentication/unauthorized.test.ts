import { describe, expect, test } from 'vitest';
import { isInvoiceList } from '../../../helpers/api/undeclared-paths.ts';
import { expectRejectedByAnyLayer } from '../../../helpers/authentication/unauthorized.ts';
import { answerOf, scripted } from '../support/contexts.ts';

describe('unusual credentials', () => {
  test.each([
    ['401 of the service', answerOf(401, { error: 'Unauthorized', code: 'AUTH001' })],
    ['a page of a firewall', answerOf(403)],
    ['406 of a proxy', answerOf(406, { message: 'Not Acceptable' })],
  ])('may get %s', (_, response) => {
    const { ctx } = scripted(() => ({ status: 401 }));
    expect(() => expectRejectedByAnyLayer(ctx, response)).not.toThrow();
  });

  test.each([
    ['a list', answerOf(200, { items: [] })],
    ['403 with a code of the contract', answerOf(403, { error: 'Forbidden', code: 'PERM001' })],
    ['an internal error', answerOf(500)],
  ])('must not get %s', (_, response) => {
    const { ctx } = scripted(() => ({ status: 401 }));
    expect(() => expectRejectedByAnyLayer(ctx, response)).toThrow();
  });
});

test('only a response with invoices or an empty list with a total is a list of invoices', () => {
  const invoice = { id: 'inv-1', amount: '1.00', status: 'DRAFT' };
  expect(isInvoiceList(answerOf(200, { items: [invoice], total: 1 }))).toBe(true);
  expect(isInvoiceList(answerOf(200, { items: [], total: 0 }))).toBe(true);
  expect(isInvoiceList(answerOf(200, { status: 'ok', items: [{ name: 'database' }], total: 1 }))).toBe(false);
  expect(isInvoiceList(answerOf(200, { status: 'ok', items: [] }))).toBe(false);
});
