import { describe, expect, test } from 'vitest';
import { findListDefect } from '../../../helpers/lists/list-control.ts';
import { visibilityChecks } from '../../../suites/lists/visibility.ts';
import { type Reply, scripted } from '../support/contexts.ts';

const MADE = { id: 'made', createdAt: '2026-11-21T12:00:09.000Z' };
const CREATED = { ...MADE, invoiceNumber: 'INV-1', status: 'DRAFT', amount: '12.00', dueDate: '2027-01-31' };

interface Listed {
  id: string;
  createdAt: string;
}

/** Newest first. */
const others = (count: number): Listed[] =>
  Array.from({ length: count }, (_, at) => ({ id: `other-${at}`, createdAt: '2026-11-21T12:00:05.000Z' }));

/** The result of the control for a list. `page` returns the content of a page of `limit` records. */
async function defect(page: (page: number, limit: number) => { items: Listed[]; total: number }) {
  const { ctx } = scripted(
    ({ operation, path }): Reply => {
      if (operation === 'create') return { status: 201, json: CREATED };
      const query = new URL(path, 'http://here').searchParams;
      return { status: 200, json: page(Number(query.get('page')), Number(query.get('limit'))) };
    },
    {},
    { organizations: { seller: 'org-seller', buyer: 'org-buyer' } },
  );
  return await findListDefect(ctx);
}

const paged = (all: Listed[], page: number, limit: number) => ({
  items: all.slice(page * limit, (page + 1) * limit),
  total: all.length,
});

describe('the control of all lists', () => {
  test('finds nothing if the new invoice is on page 0', async () => {
    expect(await defect((page, limit) => paged([MADE, ...others(120)], page, limit))).toBeNull();
  });

  test('finds pages that are counted from one, even if the list grows', async () => {
    for (const grown of [0, 1, 30]) {
      let all = [MADE, ...others(199)];
      const found = await defect((page, limit) => {
        const served = paged(all, page + 1, limit);
        all = [...all, ...others(page === 0 ? grown : 0)];
        return served;
      });
      expect(found).toMatchObject({
        owner: 'LIST-04.first-is-zero',
        because: expect.stringContaining('is not on page 0'),
      });
    }
  });

  test('finds a list that lacks its own invoices', async () => {
    for (const count of [30, 150, 199, 250]) {
      const all = others(count);
      const found = await defect((page, limit) => ({ ...paged(all, page, limit), total: count + 1 }));
      expect(found).toMatchObject({ owner: 'LIST-09.own-invoice-listed' });
    }
  });
});

describe('LIST-09.own-invoice-listed', () => {
  const ownInvoiceListed = visibilityChecks.find(({ id }) => id === 'LIST-09.own-invoice-listed');

  /** Runs the check. The control finds its invoice, and 30 other invoices are newer than the invoice of the check. */
  async function run(pageSize: number) {
    let created = 0;
    const { ctx } = scripted(
      ({ operation }): Reply => {
        if (operation === 'create') {
          created += 1;
          return { status: 201, json: { ...CREATED, id: `made-${created}` } };
        }
        const all = created > 1 ? others(250) : [{ ...MADE, id: 'made-1' }, ...others(249)];
        return { status: 200, json: { items: all.slice(0, pageSize), total: 250, page: 0, limit: 100, totalPages: 3 } };
      },
      { limits: { settleWithinMs: 50 } },
      { organizations: { seller: 'org-seller', buyer: 'org-buyer' } },
    );
    await ownInvoiceListed?.body(ctx);
  }

  test('is blocked by LIST-05.applied if the page is shorter than its limit', async () => {
    await expect(run(20)).rejects.toMatchObject({
      blockedBy: 'LIST-05.applied',
      message: expect.stringContaining('page 0 has 20 records with limit 100 and total 250'),
    });
  });
});
