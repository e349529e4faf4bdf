import { describe, expect, test } from 'vitest';
import { postInvoice } from '../../../helpers/api/operations.ts';
import { createOriginal } from '../../../helpers/idempotency/replay.ts';
import { expectSingleInvoice } from '../../../helpers/idempotency/single-effect.ts';
import { type Invoice, resolveCreatedInvoice } from '../../../helpers/invoices/invoices.ts';
import { scripted } from '../support/contexts.ts';

interface Made extends Record<string, string> {
  id: string;
}

/** A sandbox with replays. Its lists show no descriptions, and other users copy some invoices. */
function sandbox({ copied, replays = true }: { copied: (at: number) => boolean; replays?: boolean }) {
  const made: Made[] = [];
  const originals = new Map<string, Made>();
  const { ctx } = scripted(({ operation, body }) => {
    if (operation !== 'create') {
      const copies = made.filter((_, at) => copied(at)).map((each) => ({ ...each, id: `copy-of-${each.id}` }));
      const items = [...made, ...copies];
      return { status: 200, json: { items, total: items.length, page: 0, limit: 100, totalPages: 1 } };
    }
    const { amount = '', dueDate = '', requestId = '' } = body as Record<string, string>;
    const known = replays ? originals.get(requestId) : undefined;
    if (known) return { status: 201, json: known };
    const invoice: Made = {
      id: `i${made.length}`,
      invoiceNumber: `n${made.length}`,
      status: 'DRAFT',
      amount,
      currency: 'USD',
      buyerOrganizationId: 'org-buyer',
      sellerOrganizationId: 'org-seller',
      dueDate,
      createdAt: new Date().toISOString(),
    };
    made.push(invoice);
    originals.set(requestId, invoice);
    return { status: 201, json: invoice };
  });
  Object.assign(ctx.run.plan.organizations, { seller: 'org-seller', buyer: 'org-buyer' });
  const repeated = async () => {
    const { body, invoice } = await createOriginal(ctx);
    const last = await postInvoice(ctx, body);
    return { body, invoice: invoice as Invoice, last };
  };
  return { ctx, repeated, made };
}

describe('a creation that is repeated', () => {
  test('leaves one invoice if it is replayed', async () => {
    const { ctx, repeated, made } = sandbox({ copied: () => false });
    await expectSingleInvoice(ctx, repeated);
    expect(made).toHaveLength(1);
  });

  test('is tried again if others may have created a similar one', async () => {
    const { ctx, repeated, made } = sandbox({ copied: (at) => at === 0 });
    await expectSingleInvoice(ctx, repeated);
    expect(made.length).toBeGreaterThan(1);
  });

  test('that leaves two invoices every time is a breach, with any status', async () => {
    const { ctx, repeated } = sandbox({ copied: () => true });
    await expect(expectSingleInvoice(ctx, repeated)).rejects.toThrow('there are 2 invoices: ');
  });

  test('that the list shows with another amount is not said to leave no invoice', async () => {
    const { ctx, repeated, made } = sandbox({ copied: () => false });
    const altered = async () => {
      const all = await repeated();
      for (const each of made) each.amount = '0.07';
      return all;
    };
    const because = /the list shows invoice i\d+ with amount 0\.07, created with /;
    await expect(expectSingleInvoice(ctx, altered)).rejects.toThrow(because);
  });

  test('whose response names another invoice is a breach at once', async () => {
    const { ctx, repeated } = sandbox({ copied: () => false, replays: false });
    let times = 0;
    const noted = async () => {
      times += 1;
      const all = await repeated();
      await resolveCreatedInvoice(ctx, all.body, all.last);
      return all;
    };
    await expect(expectSingleInvoice(ctx, noted)).rejects.toThrow('there are 2 invoices: i0, i1');
    expect(times).toBe(1);
  });
});
