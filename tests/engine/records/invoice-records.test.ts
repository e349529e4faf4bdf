import { describe, expect, test } from 'vitest';
import { findInvoiceRecord, invoicesOf, listItems } from '../../../engine/records/invoice-records.ts';
import { invoice, listAnswer, received } from '../support/responses.ts';

describe('the invoice of a body', () => {
  const record = invoice();
  const wrapped = (times: number): unknown => (times === 0 ? record : { within: wrapped(times - 1) });

  test.each([
    ['bare', record, []],
    ['wrapped', { invoice: record }, ['invoice']],
    ['nested', { data: { result: { invoice: record } } }, ['data', 'result', 'invoice']],
    ['in a list of one', { data: [record] }, ['data']],
    ['bare in a list', [record], []],
    ['next to other members', { ok: true, links: { self: '/x' }, data: record }, ['data']],
  ])('is found %s', (_, json, place) => {
    expect(findInvoiceRecord(json)).toEqual({ record, path: place, isAmbiguous: false });
  });

  test('is the outermost one', () => {
    const outer = { ...record, previous: invoice({ id: 'inv-0' }) };
    expect(findInvoiceRecord(outer)?.record.id).toBe('inv-1');
  });

  test('is the named one, among any others', () => {
    const json = { connection: { lastInvoice: invoice({ id: 'inv-0' }) }, result: { invoice: record } };
    expect(findInvoiceRecord(json)?.record.id).toBe('inv-0');
    expect(findInvoiceRecord(json, { requestLine: 'GET /api/v1/invoices/inv-1', sentBody: null })?.record.id).toBe(
      'inv-1',
    );
    expect(findInvoiceRecord(json, { requestLine: 'POST /actions', sentBody: '{"invoice":"inv-1"}' })?.record.id).toBe(
      'inv-1',
    );
  });

  test('is the one with the sent content, among any others', () => {
    const json = { last: invoice({ id: 'inv-0', amount: '7.00' }), created: { invoice: record } };
    const sent = JSON.stringify({ amount: '100.00', dueDate: '2030-02-28' });
    expect(findInvoiceRecord(json, { requestLine: 'POST /api/v1/invoices', sentBody: sent })?.record.id).toBe('inv-1');
  });

  test.each(['attributes', 'fields', 'properties'])('may have its id in %s', (name) => {
    const { id, ...rest } = record;
    expect(findInvoiceRecord({ data: { type: 'invoices', id, [name]: rest } })?.record).toEqual(record);
    expect(findInvoiceRecord({ data: { type: 'invoices', id: 'other', [name]: record } })?.record).toEqual(record);
    expect(findInvoiceRecord({ job: { id, invoice: rest } })?.record.id).toBeUndefined();
  });

  test('has no state if it appears in several', () => {
    const other = invoice({ id: 'inv-0', status: 'SETTLED' });
    expect(findInvoiceRecord({ versions: [record, record], other })?.isAmbiguous).toBe(false);
    expect(findInvoiceRecord({ versions: [record, { ...record, status: 'SETTLED' }] })?.isAmbiguous).toBe(true);
  });

  test('may be a part of a record with meaningful names', () => {
    const { id, status, amount, invoiceNumber } = record;
    expect(findInvoiceRecord({ id, status, amount, invoiceNumber })).not.toBeNull();
    expect(findInvoiceRecord({ id, status, amount })).toBeNull();
  });

  test('is recognised by its field names even if the values are wrong', () => {
    expect(findInvoiceRecord(invoice({ id: 7, status: null, amount: 1 }))).not.toBeNull();
  });

  test('is found at any depth of a plausible wrapper', () => {
    expect(findInvoiceRecord(wrapped(11))?.record).toEqual(record);
  });

  test.each([
    ['an event about something else', { id: 'e1', status: 'SENT', event: { id: 'b1', type: 'PAYMENT' } }],
    ['a text', 'invoice'],
    ['nothing', undefined],
    ['null', null],
    ['names that objects inherit', { toString: 1, constructor: 2 }],
    ['a record below the maximum depth', wrapped(12)],
  ])('is not %s', (_, json) => {
    expect(findInvoiceRecord(json)).toBeNull();
  });
});

describe('the records of a list', () => {
  test('are the objects among its items', () => {
    expect(listItems({ json: { items: [invoice(), 'x', null] } })).toEqual([invoice()]);
  });

  test.each([[undefined], [{}], [{ items: {} }], [[invoice()]]])('are none in %j', (json) => {
    expect(listItems({ json })).toEqual([]);
  });
});

describe('the invoices of a response', () => {
  test('are every item of a list, and the single one of other responses', () => {
    const two = [invoice(), invoice({ id: 'inv-2' })];
    expect(invoicesOf(listAnswer(two))).toMatchObject(two.map((record) => ({ record, isListed: true })));
    const created = received({ operation: 'create', status: 201, json: { data: invoice() } });
    expect(invoicesOf(created)).toMatchObject([{ record: invoice(), isListed: false }]);
  });

  test('have no status if several states appear', () => {
    const json = { before: invoice({ status: 'SUBMITTED' }), after: invoice({ status: 'APPROVED' }) };
    const [read] = invoicesOf(received({ operation: 'read', json }));
    expect(read?.record).toEqual({ ...invoice(), status: undefined });
    const [created] = invoicesOf(received({ operation: 'create', status: 201, json }));
    expect(created?.record.status).toBe('SUBMITTED');
  });

  test('are none in a rejection or in an operation without invoices', () => {
    expect(invoicesOf(received({ operation: 'create', status: 409, json: invoice() }))).toEqual([]);
    expect(invoicesOf(received({ operation: 'treasuryBalance', json: invoice() }))).toEqual([]);
  });
});
