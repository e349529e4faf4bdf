import { describe, expect, test } from 'vitest';
import type { Ask } from '../../engine/answer.ts';
import type { Client } from '../../engine/client.ts';
import { Breach } from '../../engine/outcome.ts';
import { createdRecord, defaultCurrency, expectKept, optionalFields, otherCurrency } from '../../helpers/created.ts';
import type { InvoiceBody } from '../../helpers/invoice-body.ts';
import { freshInvoice } from '../../helpers/invoices.ts';
import { answerTo, labOf, type Reply, scripted } from './labs.ts';

const record = { id: 'inv-1', invoiceNumber: 'INV-1', status: 'DRAFT', amount: '1.00', dueDate: '2027-01-31' };
const SELLER = '7d4f9a52-8a6f-4c4e-9d3e-0123456789ab';

/** Creates an invoice whose answer says the one, and which is read as the other. */
async function made(created: object, read: Reply, listed: object[] = []) {
  const { lab } = scripted(({ operation }) => {
    if (operation === 'create') return { status: 201, json: { ...record, ...created } };
    return operation === 'list' ? { status: 200, json: { items: listed } } : read;
  });
  return { lab, invoice: await freshInvoice(lab) };
}

describe('a field is kept', () => {
  const kept = async (created: object, read: object | null, value = SELLER) => {
    const reply = read ? { status: 200, json: { ...record, ...read } } : { status: 404 };
    const { lab, invoice } = await made(created, reply);
    await expectKept(lab, invoice, 'sellerOrganizationId', value);
  };

  test('where the answer and the record show what was sent', async () => {
    await kept({ sellerOrganizationId: SELLER }, { sellerOrganizationId: SELLER });
    await kept({}, { sellerOrganizationId: SELLER });
    await kept({ sellerOrganizationId: SELLER.toUpperCase() }, { sellerOrganizationId: SELLER.toUpperCase() });
  });

  test.each<[string, RegExp, object, object | null, string?]>([
    [
      'the answer shows something else',
      /the answer says "x"/,
      { sellerOrganizationId: 'x' },
      { sellerOrganizationId: SELLER },
    ],
    ['the answer shows null', /the answer says null/, { sellerOrganizationId: null }, { sellerOrganizationId: SELLER }],
    ['the record does', /it is "x"/, { sellerOrganizationId: SELLER }, { sellerOrganizationId: 'x' }],
    ['neither the record nor the list has it', /it is not to be found/, {}, {}],
    ['the record is gone', /it is not to be found/, {}, null],
    ['letters are of other case in what is no UUID', /it is "ABZ"/, {}, { sellerOrganizationId: 'ABZ' }, 'abz'],
    ['it is a number', /it is 1/, {}, { sellerOrganizationId: 1 }, '1'],
    [
      'letters are of other case in what only holds a UUID',
      /it is/,
      {},
      { sellerOrganizationId: `x${SELLER.toUpperCase()}` },
      `X${SELLER}`,
    ],
    [
      'letters are of other case in what only begins with a UUID',
      /it is/,
      {},
      { sellerOrganizationId: `${SELLER.toUpperCase()}y` },
      `${SELLER}Y`,
    ],
  ])('and not where %s', async (_, because, created, read, value) => {
    await expect(kept(created, read, value)).rejects.toThrow(because);
  });
});

describe('an invoice that is listed and cannot be read', () => {
  const missing = { status: 404, json: { code: 'INV001' } };
  const kept = async (listed: object, value = '1.00') => {
    const { lab, invoice } = await made({}, missing, [{ ...record, ...listed }]);
    return await expectKept(lab, invoice, 'amount', value).catch((error: unknown) => error);
  };

  test('is what CREATE-14 judges, not what was kept', async () => {
    expect(await kept({})).toEqual(expect.objectContaining({ by: 'CREATE-14.readable' }));
  });

  test('does not excuse what the list shows otherwise', async () => {
    expect(await kept({ amount: '2.00' })).toBeInstanceOf(Breach);
  });
});

test('the invoice that others look at is made once', async () => {
  const { lab, asks } = scripted(() => ({ status: 201, json: { data: record } }));
  const [one, other] = await Promise.all([createdRecord(lab), createdRecord(lab)]);
  expect(one.record).toEqual(record);
  expect(one.invoice).toBe(other.invoice);
  expect(one.answer).toBe(one.invoice.created);
  expect(asks).toHaveLength(1);
});

describe('a currency', () => {
  test('is the one that the answer shows, or the record', async () => {
    expect(await defaultCurrency((await made({ currency: 'EUR' }, { status: 404 })).lab)).toBe('EUR');
    expect(await defaultCurrency((await made({}, { status: 200, json: { ...record, currency: 'CHF' } })).lab)).toBe(
      'CHF',
    );
  });

  test('is not known where neither does', async () => {
    const { lab } = await made({}, { status: 200, json: { ...record, currency: 7 } });
    await expect(defaultCurrency(lab)).rejects.toMatchObject({ by: 'REC-05.currency' });
  });

  test('beside the usual one is the first that is accepted', async () => {
    const taking = (...currencies: (string | undefined)[]) =>
      scripted(({ body }) => {
        const { currency } = body as InvoiceBody;
        const status = currency === undefined || currencies.includes(currency) ? 201 : 400;
        return { status, json: { ...record, currency: currency ?? 'EUR' } };
      });
    expect(await otherCurrency(taking('GBP', 'CHF').lab)).toBe('GBP');
    const only = taking('EUR');
    expect(await otherCurrency(only.lab)).toBeNull();
    expect(only.asks.map(({ body }) => (body as InvoiceBody).currency)).toEqual([undefined, 'USD', 'GBP', 'CHF']);
  });
});

describe('the optional fields', () => {
  test('are the usual currency and a requestId of their own', async () => {
    const { lab } = await made({ currency: 'CHF' }, { status: 404 });
    const [one, other] = [await optionalFields(lab), await optionalFields(lab)];
    expect(one).toEqual({ currency: 'CHF', requestId: expect.stringMatching(/./) });
    expect(other.requestId).not.toBe(one.requestId);
  });

  test('are the requestId alone where no invoice shows a currency', async () => {
    const { lab } = await made({}, { status: 200, json: record });
    expect(Object.keys(await optionalFields(lab))).toEqual(['requestId']);
  });

  test('cannot be had where asking for them breaks', async () => {
    const { lab } = scripted(() => {
      throw new TypeError('broken');
    });
    await expect(optionalFields(lab)).rejects.toThrow('broken');
  });
});

test('the created record is of a sum that any rounding would change, whatever the seed', async () => {
  for (let seed = 0; seed < 40; seed += 1) {
    const sums: string[] = [];
    const send = async (ask: Ask) => {
      const { amount } = ask.body as { amount: string };
      sums.push(amount);
      return answerTo(ask, { status: 201, json: { ...record, amount } });
    };
    await createdRecord(labOf({ seed }, { send } as unknown as Client));
    expect(sums).toEqual([expect.stringMatching(/^\d+\.\d[1-9]$/)]);
  }
});
