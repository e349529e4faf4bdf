import { expect, test } from 'vitest';
import type { JsonObject } from '../../../engine/records/invoice-records.ts';
import type { Invoice } from '../../../helpers/invoices/invoices.ts';
import { expectListedAsSent } from '../../../helpers/invoices/listed-as-sent.ts';
import { preconditionsOf } from '../../../specs/catalogue/preconditions.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { answerOf, scripted } from '../support/contexts.ts';
import { body, record } from './support/sent-invoice.ts';

const invoice: Invoice = { id: 'inv-1', body, state: 'DRAFT', created: answerOf(201, record) };

/** The result of looking for the invoice in a list of these records. */
async function look(items: JsonObject[]): Promise<unknown> {
  const { ctx } = scripted(() => ({ status: 200, json: { items, total: items.length } }));
  return await expectListedAsSent(ctx, invoice, 'the created invoice').catch(({ message }: Error) => message);
}

test('a list that shows the invoice as sent is accepted, with any id', async () => {
  expect(await look([record])).toMatchObject({ status: 200 });
  expect(await look([{ ...record, id: 'listed-1' }])).toMatchObject({ status: 200 });
});

test.each<[string, string, JsonObject]>([
  ['amount 12.33', '12.34', { amount: '12.33' }],
  ['dueDate 2027-01-30', '2027-01-31', { dueDate: '2027-01-30' }],
  ['buyerOrganizationId org-seller', body.buyerId, { buyerOrganizationId: 'org-seller' }],
])('the failure names the listed %s', async (shown, sent, changes) => {
  const because = `the list shows invoice inv-1 with ${shown}, created with ${sent}`;
  expect(
    await look([
      { ...record, id: 'other', amount: '99.00' },
      { ...record, ...changes },
    ]),
  ).toContain(because);
});

test('a list without the id of the invoice does not contain it', async () => {
  expect(await look([])).toContain('the list does not contain the invoice');
  expect(await look([{ ...record, id: 'other', amount: '99.00' }])).toContain('the list does not contain the invoice');
});

test('one check judges that the list shows other values than the sent ones', () => {
  const dependence = (id: CheckId) =>
    preconditionsOf(id).flatMap(({ owner, where }) => (owner === 'CREATE-14.listed' ? [where] : []));
  for (const id of ['ENV-03.sandbox-create', 'CREATE-16.left-out', 'CREATE-14.generated'] as const)
    expect(dependence(id)).toEqual(['the list shows']);
  expect(dependence('REC-15.listed')).toEqual([
    'key sees the invoice with amount',
    'key sees the invoice with dueDate',
  ]);
});
