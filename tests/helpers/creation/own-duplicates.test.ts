import { describe, expect, test } from 'vitest';
import { ownDuplicatesOf, replayDuplicatesOf } from '../../../helpers/creation/duplicate-creations.ts';
import { createInvoice } from '../../../helpers/invoices/invoices.ts';
import { recentInvoicesReader } from '../../../helpers/invoices/recent-invoices.ts';
import { scripted } from '../support/contexts.ts';

/** A sandbox whose lists show no descriptions. `beside` returns the foreign invoices in each list. */
function sandbox(beside: (own: object[], looks: number) => object[]) {
  const own: object[] = [];
  let looks = 0;
  const { ctx } = scripted(({ operation, body }) => {
    if (operation === 'create') {
      const { amount, dueDate, currency = 'USD' } = body as Record<string, string>;
      const invoice = { id: `i${own.length}`, amount, dueDate, currency, status: 'DRAFT' };
      const parties = { sellerOrganizationId: 'org-seller', buyerOrganizationId: 'org-buyer' };
      own.push({ ...invoice, ...parties, invoiceNumber: `n${own.length}`, createdAt: new Date().toISOString() });
      return { status: 201, json: own.at(-1) };
    }
    looks += 1;
    const items = [...own, ...beside(own, looks)];
    return { status: 200, json: { items, total: items.length, page: 0, limit: 100, totalPages: 1 } };
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  return ctx;
}

const copy = (each: object, at: number) => ({ ...each, id: `copy-${at}-${(each as { id: string }).id}` });

async function copiesIn(ctx: ReturnType<typeof sandbox>): Promise<number> {
  const { body } = await createInvoice(ctx);
  const { records } = await recentInvoicesReader(ctx)();
  return (await ownDuplicatesOf(ctx, records, body)).size;
}

describe('duplicates of an invoice', () => {
  test('are none if there is one invoice', async () => {
    await expect(copiesIn(sandbox(() => []))).resolves.toBe(1);
  });

  test('that were created at the same time are its own', async () => {
    await expect(copiesIn(sandbox((own) => own.map(copy)))).resolves.toBe(2);
  });

  test('are not reported if other users create more and more of them', async () => {
    const more = (own: object[], looks: number) =>
      Array.from({ length: looks }, (_, at) => own.map((each) => copy(each, at))).flat();
    await expect(copiesIn(sandbox(more))).rejects.toThrow(
      'other users of the sandbox create invoices with the same amounts',
    );
  });
});

test('duplicates of a few invoices among many without any belong to others', async () => {
  const ctx = sandbox((own) => own.slice(5).map(copy));
  for (let made = 0; made < 6; made += 1) await createInvoice(ctx);
  const { body } = await createInvoice(ctx);
  const { records } = await recentInvoicesReader(ctx)();
  await expect(ownDuplicatesOf(ctx, records, body)).rejects.toThrow(
    'other users of the sandbox create invoices with the same amounts',
  );
});

describe('duplicates of an invoice whose creation was repeated', () => {
  async function afterOthers(copied: (own: object[]) => object[]): Promise<number> {
    const ctx = sandbox((own) => copied(own).map(copy));
    for (let made = 0; made < 3; made += 1) await createInvoice(ctx);
    const { body } = await createInvoice(ctx);
    const { records } = await recentInvoicesReader(ctx)();
    return (await replayDuplicatesOf(ctx, records, body)).size;
  }

  test('are reported if only that invoice has some', async () => {
    await expect(afterOthers((own) => own.slice(3, 4))).resolves.toBe(2);
  });

  test('are not reported if a creation without a repetition has some, too', async () => {
    await expect(afterOthers((own) => own.slice(0, 4))).rejects.toThrow(
      'creations that the kit sent once, the list also shows other invoices',
    );
  });
});
