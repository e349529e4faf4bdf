import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../engine/records/invoice-records.ts';
import { isCreatedFrom } from '../../../helpers/data/invoice-body.ts';
import {
  findCreatedInvoice,
  findInvoice,
  newestInvoices,
  waitForInvoice,
} from '../../../helpers/invoices/find-invoice.ts';
import { recentInvoicesReader, skipUnlessListedFirst } from '../../../helpers/invoices/recent-invoices.ts';
import { answerOf, type Reply, scripted } from '../support/contexts.ts';
import { body, record } from './support/sent-invoice.ts';

describe('an invoice matches a body', () => {
  test('if amount, due date and buyer are those of the body', () => {
    expect(isCreatedFrom(record, body)).toBe(true);
    expect(isCreatedFrom({ ...record, description: undefined }, body)).toBe(true);
    expect(isCreatedFrom({ ...record, description: 'upper-cased by the server' }, body)).toBe(true);
  });

  test.each<[string, JsonObject]>([
    ['amount', { amount: '12.35' }],
    ['due date', { dueDate: '2027-02-01' }],
    ['buyer', { buyerOrganizationId: 'org-else' }],
    ['mark', { description: 'Chair (conformance fedcba98 7)' }],
  ])('but not if it has another %s', (_, changes) => {
    expect(isCreatedFrom({ ...record, ...changes }, body)).toBe(false);
  });

  test('with any value of the field with the defect', () => {
    expect(isCreatedFrom({ ...record, amount: '0.00' }, body, 'amount')).toBe(true);
    expect(isCreatedFrom({ ...record, dueDate: '2020-01-01' }, body, 'dueDate')).toBe(true);
    expect(isCreatedFrom({ ...record, buyerOrganizationId: 'org-else' }, body, 'buyerId')).toBe(true);
    expect(isCreatedFrom({ ...record, description: 'Chair (conformance fedcba98 7)' }, body, 'description')).toBe(true);
    expect(isCreatedFrom({ ...record, amount: '0.00' }, body, 'dueDate')).toBe(false);
  });

  test('by its description if amount or due date are the defect', () => {
    for (const defect of ['amount', 'dueDate'] as const) {
      expect(isCreatedFrom({ ...record, description: 'Chair' }, body, defect)).toBe(false);
      expect(isCreatedFrom({ ...record, description: undefined }, body, defect)).toBe(true);
      expect(isCreatedFrom({ ...record, description: null }, body, defect)).toBe(true);
    }
    expect(isCreatedFrom({ ...record, description: 'Chair' }, body, 'buyerId')).toBe(true);
  });
});

const full = Array.from({ length: 100 }, (_, at) => ({ ...record, id: `other-${at}`, amount: '99.99' }));
const listed =
  (...pages: JsonObject[][]) =>
  (path: string): Reply => {
    const page = Number(new URL(path, 'http://here').searchParams.get('page'));
    return { status: 200, json: { items: pages[page] ?? [] } };
  };

describe('a lookup of an invoice', () => {
  const looked = (reply: Reply) => findInvoice(scripted(() => reply).ctx, 'inv-1');

  test('finds it by the read operation', async () => {
    const { ctx, asks } = scripted(() => ({ status: 200, json: { data: record } }));
    expect((await findInvoice(ctx, 'inv-1')).record).toEqual(record);
    expect(asks).toMatchObject([{ path: '/invoices/inv-1', actor: 'seller' }]);
    await findInvoice(ctx, 'inv-1', 'buyer');
    expect(asks[1]).toMatchObject({ actor: 'buyer' });
  });

  test('reports it as gone only for 404 and 410', async () => {
    for (const status of [404, 410]) expect((await looked({ status })).record).toBeNull();
    for (const reply of [{ status: 400, json: record }, { status: 500 }])
      await expect(looked(reply)).rejects.toMatchObject({ blockedBy: 'CREATE-14.readable' });
    await expect(looked({ status: 403 })).rejects.toMatchObject({ blockedBy: 'actors.seller of the target file' });
  });

  test('finds it in the list if the read response contains no record', async () => {
    const document = { status: 200, json: { document: { title: 'INV-1' } } };
    const { ctx, asks } = scripted(({ path }) => (path.includes('?') ? listed([record])(path) : document));
    expect((await findInvoice(ctx, 'inv-1', 'buyer')).record).toEqual(record);
    expect(asks).toMatchObject([{ path: '/invoices/inv-1' }, { actor: 'buyer' }]);
  });

  const unbound = { operations: {} };

  test('finds it in the list if no read operation is bound', async () => {
    const pages = listed(full, [{ ...record, id: 7 }, record]);
    const { ctx, asks } = scripted(({ path }) => pages(path), unbound);
    expect((await findInvoice(ctx, 'inv-1')).record).toEqual(record);
    expect((await findInvoice(ctx, '7', 'buyer')).record).toMatchObject({ id: 7 });
    expect(asks.map(({ actor }) => actor)).toEqual(['seller', 'seller', 'buyer', 'buyer']);
    expect(asks[1]?.path).toMatch(/\?page=1&limit=100&sortBy=createdAt&sortOrder=desc$/);
  });

  test('reports it as gone if a page ends the list', async () => {
    const pages = listed(full, full.slice(1), [record]);
    const { ctx, asks } = scripted(({ path }) => pages(path), unbound);
    expect((await findInvoice(ctx, 'inv-1')).record).toBeNull();
    expect(asks).toHaveLength(2);
  });

  test('treats a rejected page after a full last page as the end of the list', async () => {
    for (const status of [400, 404]) {
      const reply = (path: string): Reply =>
        path.includes('page=0') ? { status: 200, json: { items: full } } : { status };
      expect((await findInvoice(scripted(({ path }) => reply(path), unbound).ctx, 'inv-1')).record).toBeNull();
      const { ctx } = scripted(({ path }) => reply(path), { limits: { settleWithinMs: 0 } });
      expect((await findCreatedInvoice(ctx, body)).record).toBeNull();
      const again = recentInvoicesReader(ctx);
      await again();
      expect((await again()).records).toHaveLength(100);
    }
  });

  test('searches further back the second time', async () => {
    const pages = listed(full, [record]);
    const { ctx } = scripted(({ path }) => pages(path));
    const again = recentInvoicesReader(ctx);
    expect((await again()).records).toHaveLength(100);
    expect((await again()).records).toHaveLength(101);
  });

  test('searches the whole list at last, and again for invoices that moved to an earlier page', async () => {
    const fillers = Array.from({ length: 5 }, () => full);
    const far = listed(...fillers, [record]);
    const ids = ({ records }: { records: JsonObject[] }) => records.map(({ id }) => id);
    const last = recentInvoicesReader(scripted(({ path }) => far(path)).ctx);
    expect(ids(await last())).not.toContain('inv-1');
    expect(ids(await last())).not.toContain('inv-1');
    expect(ids(await last(true))).toContain('inv-1');
    // Before its page is requested, one invoice in front of it is removed.
    const nearer = listed(...fillers.slice(1), [...full.slice(1), record], []);
    let asked = 0;
    const { ctx } = scripted(({ path }) => {
      asked += 1;
      return asked < 6 ? far(path) : nearer(path);
    });
    expect(ids(await recentInvoicesReader(ctx)(true)).filter((id) => id === 'inv-1')).toHaveLength(1);
  });

  test('may miss an invoice behind all others within the time unit of the list', async () => {
    const { ctx } = scripted(() => ({ status: 404 }));
    const invoice = { id: 'inv-1', created: answerOf(201, { ...record, createdAt: '2026-11-21T12:30:05.500Z' }) };
    const shown = (...moments: string[]) => moments.map((createdAt) => ({ ...record, createdAt }));
    const inFront = (...moments: string[]) => skipUnlessListedFirst(ctx, invoice, shown(...moments));
    await expect(inFront('2026-11-21T12:30:07Z', '2026-11-21T12:30:05Z')).rejects.toThrow('dated no earlier');
    await expect(inFront('2026-11-21T12:31:00Z', '2026-11-21T12:30:00Z')).rejects.toThrow('dated no earlier');
    await expect(inFront('2026-11-21T12:30:05.500Z')).rejects.toThrow('dated no earlier');
    await expect(inFront('2026-11-21T12:30:07Z', '2026-11-21T12:30:04Z')).resolves.toBeUndefined();
    await expect(inFront('2026-11-21T12:30:05.400Z')).resolves.toBeUndefined();
    await expect(inFront()).resolves.toBeUndefined();
  });

  test('is blocked if the list is endless or fails', async () => {
    const endless = scripted(() => ({ status: 200, json: { items: full } }), unbound);
    await expect(findInvoice(endless.ctx, 'inv-1')).rejects.toMatchObject({
      blockedBy: 'operations.read of the target file',
    });
    expect(endless.asks).toHaveLength(10);
    const { ctx } = scripted(() => ({ status: 500, json: { items: [record] } }), unbound);
    await expect(findInvoice(ctx, 'inv-1')).rejects.toMatchObject({ blockedBy: 'LIST-06.created-at-desc' });
  });
});

test('a read is repeated until the condition holds, and returns whether it did', async () => {
  let looks = 0;
  const { ctx } = scripted(() => {
    looks += 1;
    return { status: 200, json: { ...record, status: looks > 1 ? 'SUBMITTED' : 'DRAFT' } };
  });
  expect(await waitForInvoice(ctx, 'inv-1', (seen) => seen?.status === 'SUBMITTED', 5000)).toMatchObject({
    isMet: true,
  });
  expect(looks).toBe(2);
  expect(await waitForInvoice(ctx, 'inv-1', (seen) => seen === null, 'no longer reads a deleted draft')).toMatchObject({
    isMet: false,
    record: { id: 'inv-1' },
  });
});

test('the newest invoices are those that the caller can see', async () => {
  const { ctx, asks } = scripted(() => ({ status: 200, json: { items: [record] } }));
  expect((await newestInvoices(ctx)).records).toEqual([record]);
  await newestInvoices(ctx, 'buyer');
  expect(asks.map(({ actor }) => actor)).toEqual(['seller', 'buyer']);
});

describe('the invoice of a body', () => {
  test('is found on the first pages', async () => {
    const pages = listed(full, full, [record]);
    const { ctx, asks } = scripted(({ path }) => pages(path));
    expect(await findCreatedInvoice(ctx, body)).toMatchObject({ isMet: true, record });
    expect(asks).toHaveLength(3);
  });

  const behind = (count: number) => listed(...Array.from({ length: count }, () => full), [record]);

  test('is searched for in the whole list long before the time is over', async () => {
    let looks = 0;
    const { ctx } = scripted(
      ({ path }) => {
        if (path.includes('page=0')) looks += 1;
        return behind(5)(path);
      },
      { limits: { settleWithinMs: 60_000 } },
    );
    expect(await findCreatedInvoice(ctx, body)).toMatchObject({ isMet: true, record });
    expect(looks).toBe(5);
  });

  test('is searched for on three pages at first, and in the whole list at last', async () => {
    let looks = 0;
    const { ctx } = scripted(
      ({ path }) => {
        if (path.includes('page=0')) looks += 1;
        // Many other invoices are created after the first read, so it is on the fourth page.
        return behind(3)(looks > 1 ? path.replace('page=2', 'page=3') : path);
      },
      { limits: { settleWithinMs: 5000 } },
    );
    expect(await findCreatedInvoice(ctx, body)).toMatchObject({ isMet: true, record });
    expect(looks).toBe(2);
    expect(await findCreatedInvoice(scripted(({ path }) => behind(9)(path)).ctx, body)).toMatchObject({
      isMet: true,
      record,
    });
    expect(await findCreatedInvoice(scripted(({ path }) => behind(10)(path)).ctx, body)).toMatchObject({
      isMet: false,
    });
  });

  test('cannot be located behind a thousand invoices with future dates', async () => {
    const createdAt = `${new Date().getUTCFullYear() + 1}-12-30T03:14:15Z`;
    const future = full.map((each) => ({ ...each, createdAt }));
    const pages = listed(...Array.from({ length: 10 }, () => future), [record]);
    const { ctx } = scripted(({ path }) => pages(path));
    await expect(findCreatedInvoice(ctx, body)).rejects.toThrow('1000 invoices are dated in the future');
  });

  test('is not searched for past the end of the list', async () => {
    const ended = listed([], [record]);
    expect(await findCreatedInvoice(scripted(({ path }) => ended(path)).ctx, body)).toMatchObject({
      isMet: false,
      record: null,
    });
  });

  test('cannot be searched for without a list', async () => {
    const { ctx } = scripted(() => ({ status: 503 }));
    await expect(findCreatedInvoice(ctx, body)).rejects.toMatchObject({ blockedBy: 'LIST-06.created-at-desc' });
    await expect(newestInvoices(ctx)).rejects.toMatchObject({ blockedBy: 'LIST-06.created-at-desc' });
  });
});
