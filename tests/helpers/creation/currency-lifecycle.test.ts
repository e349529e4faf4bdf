import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../engine/model/messages.ts';
import { createCurrencyInvoices } from '../../../helpers/creation/currency-amounts.ts';
import { expectAmountsKeptByTransitions } from '../../../helpers/creation/currency-lifecycle.ts';
import { scripted } from '../support/contexts.ts';

const LEADS_TO: Record<string, string> = { submit: 'SUBMITTED', approve: 'APPROVED', settle: 'SETTLED' };

type Fields = Record<string, unknown>;

/** A service whose response to a settlement has other fields than the invoice, in some currencies. */
function service({ settled, rejects = [] }: { settled: Fields; rejects?: readonly string[] }) {
  const invoices = new Map<string, Fields>();
  const { ctx, asks } = scripted(({ operation, path, body }: ApiRequest) => {
    if (operation === 'create') {
      const { currency } = body as { currency: string };
      if (rejects.includes(currency)) return { status: 400, json: { error: 'currency', code: 'INV002' } };
      const record = { id: `i${invoices.size}`, status: 'DRAFT', ...(body as object) };
      invoices.set(record.id, record);
      return { status: 201, json: record };
    }
    if (operation === 'list') return { status: 200, json: { items: [...invoices.values()] } };
    const record = invoices.get(path.split('/').at(-1) ?? '') as Fields;
    record.status = LEADS_TO[operation] ?? record.status;
    return { status: 200, json: operation === 'settle' ? { ...record, ...settled } : record };
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  const submitted = () =>
    asks.flatMap(({ operation, path }) =>
      operation === 'submit' ? [String(invoices.get(path.split('/').at(-1) ?? '')?.currency)] : [],
    );
  return { ctx, submitted };
}

const judge = async ({ ctx }: ReturnType<typeof service>) =>
  await expectAmountsKeptByTransitions(ctx, await createCurrencyInvoices(ctx));

test('the response to a settlement may be a receipt in the currency of the payer', async () => {
  expect(await judge(service({ settled: { amount: '0.07', currency: 'USD' } }))).toBe(true);
});

test('the response to a settlement must not show another amount in the currency of the invoice', async () => {
  await expect(judge(service({ settled: { amount: '0.07' } }))).rejects.toThrow('the response to settle shows amount');
});

test('three currencies are submitted, also if a server rejects some', async () => {
  const all = service({ settled: {} });
  await judge(all);
  expect(all.submitted().sort()).toEqual(['ISK', 'JPY', 'KWD']);
  const some = service({ settled: {}, rejects: ['JPY', 'ISK'] });
  await judge(some);
  expect(some.submitted()).toHaveLength(3);
});
