import { expect, test } from 'vitest';
import { createResolvedInvoice } from '../../../helpers/adaptation/invoice-variants.ts';
import { scripted } from '../support/contexts.ts';

/** A service whose resolution leads to the given state. */
function resolvingTo(end: string) {
  const invoices = new Map<string, Record<string, unknown>>();
  const operations = Object.fromEntries(
    ['submit', 'dispute', 'resolve'].map((name) => [name, { method: 'POST', path: `/invoices/{id}/${name}` }]),
  );
  const { ctx } = scripted(
    ({ operation, path, body }) => {
      if (operation === 'create') {
        const id = `i${invoices.size + 1}`;
        invoices.set(id, { id, status: 'SUBMITTED', ...(body as object) });
        return { status: 201, json: invoices.get(id) };
      }
      const id = path.split('/').find((part) => invoices.has(part)) ?? '';
      const invoice = invoices.get(id) ?? {};
      if (operation === 'dispute') invoice.status = 'DISPUTED';
      if (operation === 'resolve') invoice.status = end;
      return { status: 200, json: invoice };
    },
    { operations: { read: { method: 'GET', path: '/invoices/{id}' }, ...operations } },
  );
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  return ctx;
}

test('a resolution is tested on a disputed invoice', async () => {
  await expect(createResolvedInvoice(resolvingTo('SUBMITTED'))).resolves.toMatchObject({ state: 'SUBMITTED' });
});

test('an invoice that stays DISPUTED may still be resolved a moment later', async () => {
  await expect(createResolvedInvoice(resolvingTo('DISPUTED'))).rejects.toThrow(
    'cannot see when this server completes a resolution',
  );
});
