import { expect, test } from 'vitest';
import type { Delivery } from '../../../engine/http/webhook-receiver.ts';
import { mentionOf } from '../../../helpers/webhooks/invoice-mention.ts';
import { scripted } from '../support/contexts.ts';

const ID = '7d4ac5f2-6d0b-4d8e-9a55-0c3f4f6f1a01';
const delivery = (payload: object) => ({ body: JSON.stringify(payload) }) as Delivery;

async function mention(record: object) {
  const { ctx } = scripted(() => ({ status: 200, json: { id: ID, status: 'SETTLED', ...record } }));
  return await mentionOf(ctx, ID);
}

test('a delivery names an invoice by its id', async () => {
  const isAbout = await mention({});
  expect(isAbout(delivery({ data: { invoiceId: ID } }))).toBe(true);
  expect(isAbout(delivery({ data: { invoiceNumber: 'INV-7', amount: '60.30' } }))).toBe(false);
});

test('a delivery names an invoice by its number with its amount, but not by one of them', async () => {
  const isAbout = await mention({ invoiceNumber: 'INV-7', amount: '60.30' });
  expect(isAbout(delivery({ number: 'INV-7', amount: '60.30' }))).toBe(true);
  expect(isAbout(delivery({ number: 'INV-77', amount: '60.30' }))).toBe(false);
  expect(isAbout(delivery({ number: 'INV-7', amount: '9.00' }))).toBe(false);
});
