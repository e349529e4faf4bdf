import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { NotApplicable } from '../../../engine/model/outcomes.ts';
import { skipIfVariantChanges } from '../../../helpers/controls/variant-spontaneous-change.ts';
import type { InvoiceBody } from '../../../helpers/data/invoice-body.ts';
import type { Invoice } from '../../../helpers/invoices/invoices.ts';
import { answerOf, scripted } from '../support/contexts.ts';

const body = { amount: '12.00', dueDate: '2027-01-31', description: 'Paper' } as InvoiceBody;
const invoice = (id: string): Invoice => ({ id, body, state: 'SUBMITTED', created: answerOf(201) });
const record = (id: string, status: string) => ({
  id,
  invoiceNumber: id,
  status,
  amount: '12.00',
  dueDate: '2027-01-31',
});

/** Whether the change of an invoice is excused if reads show these statuses. */
async function isExcused(
  moved: Invoice,
  statusOf: (id: string, readers: readonly string[]) => string,
): Promise<boolean> {
  const readers: string[] = [];
  const { ctx } = scripted(({ operation, path, actor }: ApiRequest) => {
    const id = operation === 'create' ? 'twin' : (path.split('/').at(-1) ?? '');
    if (operation === 'read') readers.push(String(actor));
    return { status: 200, json: record(id, operation === 'create' ? 'SUBMITTED' : statusOf(id, readers)) };
  });
  try {
    await skipIfVariantChanges(ctx, moved);
    return false;
  } catch (error) {
    if (error instanceof NotApplicable) return true;
    throw error;
  }
}

describe('an invoice that changes after a rejection is excused', () => {
  test('if another one with the same history changes spontaneously', async () => {
    const history = { name: 'disputed and resolved', repeat: async () => invoice('likewise') };
    const statusOf = (id: string) => (id === 'likewise' ? 'APPROVED' : 'SUBMITTED');
    expect(await isExcused({ ...invoice('one'), history }, statusOf)).toBe(true);
    expect(await isExcused(invoice('one'), statusOf)).toBe(false);
  });

  test('if another one changes because the buyer has read it', async () => {
    const statusOf = (_: string, readers: readonly string[]) => (readers.includes('buyer') ? 'APPROVED' : 'SUBMITTED');
    expect(await isExcused(invoice('one'), statusOf)).toBe(true);
  });

  test('but not if the buyer may not read, and a similar invoice is unchanged', async () => {
    const { ctx } = scripted(({ operation, path, actor }: ApiRequest) => {
      if (actor === 'buyer') return { status: 403 };
      return {
        status: 200,
        json: record(operation === 'create' ? 'twin' : (path.split('/').at(-1) ?? ''), 'SUBMITTED'),
      };
    });
    await skipIfVariantChanges(ctx, invoice('one'));
  });

  test('but not if a similar invoice is unchanged', async () => {
    expect(await isExcused(invoice('one'), () => 'SUBMITTED')).toBe(false);
  });
});
