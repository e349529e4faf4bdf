import { describe, expect, test } from 'vitest';
import { NotApplicable } from '../../../engine/model/outcomes.ts';
import {
  expectCreationRejected,
  expectNoInvoiceCreated,
  expectNoInvoiceCreatedLater,
} from '../../../helpers/creation/rejected-creation.ts';
import { type InvoiceBody, validBody } from '../../../helpers/data/invoice-body.ts';
import { answerOf, type Reply, scripted } from '../support/contexts.ts';

type Row = Record<string, unknown>;

function rowOf(id: string, { amount, dueDate, buyerId, description }: InvoiceBody): Row {
  return { id, invoiceNumber: `N-${id}`, status: 'DRAFT', amount, dueDate, buyerOrganizationId: buyerId, description };
}

/** A server that accepts valid bodies and treats others as given. Pages hold a hundred invoices, newest first. */
function shop(refuse: (body: InvoiceBody, keep: (body: InvoiceBody) => Row) => Reply, rows: Row[] = []) {
  const keep = (body: InvoiceBody) => {
    rows.unshift(rowOf(`inv-${rows.length}`, body));
    return rows[0] as Row;
  };
  const { ctx, asks } = scripted(({ operation, path, body }) => {
    if (operation === 'create') {
      const sent = body as InvoiceBody & { defective?: true };
      return sent.defective ? refuse(sent, keep) : { status: 201, json: keep(sent) };
    }
    const page = Number(new URL(path, 'http://here').searchParams.get('page'));
    const totalPages = Math.ceil(rows.length / 100);
    return { status: 200, json: { items: rows.slice(page * 100, page * 100 + 100), totalPages } };
  });
  return { ctx, asks, rows };
}

const addDefect = (valid: InvoiceBody) => ({ ...valid, defective: true });
const withoutAmount = (valid: InvoiceBody) => ({ ...valid, amount: '0', defective: true });
const refused: Reply = { status: 400, json: { code: 'INV002' } };

describe('a creation with a defect', () => {
  test('is rejected and creates nothing', async () => {
    const { ctx, asks } = shop(() => refused);
    await expectCreationRejected(ctx, { addDefect, statuses: [400], code: 'INV002' });
    expect(asks.map(({ operation }) => operation)).toEqual(['create', 'create', 'list']);
  });

  test('may not be rejected with another status or code', async () => {
    await expect(expectCreationRejected(shop(() => refused).ctx, { addDefect, statuses: [404] })).rejects.toThrow(
      'the server returned 400',
    );
    const other = expectCreationRejected(shop(() => refused).ctx, { addDefect, statuses: [400], code: 'INV003' });
    await expect(other).rejects.toThrow('the code is "INV002"');
  });

  test('may not be accepted; the created invoice is noted for removal', async () => {
    const { ctx } = shop((body, keep) => ({ status: 201, json: keep(body) }));
    await expect(expectCreationRejected(ctx, { addDefect, statuses: [400] })).rejects.toThrow(
      'the server accepted the request with 201',
    );
    expect(ctx.run.leftovers.entries().map(([id]) => id)).toEqual(['inv-0', 'inv-1']);
    const told = shop(() => ({ status: 201, json: { done: true } }));
    await expect(expectCreationRejected(told.ctx, { addDefect, statuses: [400] })).rejects.toThrow(
      'the server accepted the request with 201',
    );
    expect(told.ctx.run.leftovers.entries()).toHaveLength(1);
  });

  test('may not create an invoice in spite of the rejection', async () => {
    const { ctx } = shop((body, keep) => {
      keep(body);
      return refused;
    });
    await expect(expectCreationRejected(ctx, { addDefect, statuses: [400] })).rejects.toThrow('but invoice inv-1');
    await expect(
      expectCreationRejected(ctx, { addDefect: withoutAmount, defect: 'amount', statuses: [400] }),
    ).rejects.toThrow(/but invoice inv-\d was created: .*"amount":"0"/);
  });

  test('is not mistaken for an older one if its defect leaves few fields', async () => {
    const { ctx, rows } = shop(() => refused);
    const next = shop(() => refused).ctx;
    // An invoice like the second body of this run, created before it.
    validBody(next);
    rows.push({ ...rowOf('old', validBody(next)), amount: '5.00' });
    await expectCreationRejected(ctx, { addDefect: withoutAmount, defect: 'amount', statuses: [400] });
  });

  test('without an amount is not mistaken for a foreign invoice of one cent', async () => {
    const { ctx, rows } = shop((sent) => {
      rows.push({ ...rowOf(`strange-${rows.length}`, sent), amount: '0.01', description: undefined });
      return refused;
    });
    const noAmount = (valid: InvoiceBody) => ({ ...valid, amount: undefined, defective: true });
    await expectCreationRejected(ctx, { addDefect: noAmount, defect: 'amount', statuses: [400] });
  });

  test('is blocked if even the valid one is rejected', async () => {
    const { ctx } = scripted(() => refused);
    await expect(expectCreationRejected(ctx, { addDefect, statuses: [400] })).rejects.toMatchObject({
      blockedBy: 'CREATE-13.required-only',
    });
  });
});

test('the rejection that created an invoice is named among several', async () => {
  const { ctx, rows } = shop(() => refused);
  const [one, other] = [validBody(ctx), validBody(ctx)];
  await expectNoInvoiceCreated(ctx, [answerOf(400), answerOf(400)], [one, other]);
  await expectNoInvoiceCreated(ctx, [answerOf(400), answerOf(422)], [one]);
  rows.push(rowOf('late', other));
  await expect(expectNoInvoiceCreated(ctx, [answerOf(400), answerOf(422)], [one, other])).rejects.toThrow(
    'the server rejected the creation with 422',
  );
});

describe('at the end of the run', () => {
  test('no rejected creation has created an invoice', async () => {
    const { ctx } = shop(() => refused);
    await expect(expectNoInvoiceCreatedLater(ctx)).rejects.toBeInstanceOf(NotApplicable);
    await expectCreationRejected(ctx, { addDefect: withoutAmount, defect: 'amount', statuses: [400] });
    await expect(expectNoInvoiceCreatedLater(ctx)).rejects.toBeInstanceOf(NotApplicable);
    await expectCreationRejected(ctx, { addDefect, statuses: [400] });
    await expectNoInvoiceCreatedLater(ctx);
  });

  /** One rejection, then a number of other invoices in front of its result. */
  async function landedBehind(own: number, strange: number) {
    let body: InvoiceBody | undefined;
    const { ctx, asks, rows } = shop((sent) => {
      body = sent;
      return refused;
    });
    await expectCreationRejected(ctx, { addDefect, statuses: [400] });
    const filler = (id: string) => ({ id, invoiceNumber: id, status: 'DRAFT', amount: '0.01', dueDate: '2020-01-01' });
    const mine = Array.from({ length: own }, (_, at) => filler(`own-${at}`));
    for (const { id } of mine) ctx.run.leftovers.recordCreated(id, 'invoice DRAFT', 'not deleted');
    const others = Array.from({ length: strange }, (_, at) => filler(`other-${at}`));
    rows.splice(0, rows.length, ...mine, ...others, rowOf('landed', body as InvoiceBody));
    asks.splice(0);
    return { ctx, asks };
  }

  test('a late invoice is found, even behind the invoices of the run', async () => {
    for (const own of [0, 50, 100, 350]) {
      const { ctx } = await landedBehind(own, 0);
      await expect(expectNoInvoiceCreatedLater(ctx)).rejects.toThrow('but now invoice landed exists');
    }
  });

  test('a spontaneous invoice with the same amount and date is recognised by its description', async () => {
    for (const [description, found] of [
      ['demo invoice 3', false],
      [null, true],
    ] as const) {
      let body: InvoiceBody | undefined;
      const { ctx, rows } = shop((sent) => {
        body = sent;
        return refused;
      });
      await expectCreationRejected(ctx, { addDefect, statuses: [400] });
      // The valid invoice next to it has the mark of the run.
      expect(rows[0]?.description).toContain('(conformance');
      rows.push({ ...rowOf('alike', body as InvoiceBody), description });
      const looked = expectNoInvoiceCreatedLater(ctx);
      await (found ? expect(looked).rejects.toThrow('but now invoice alike exists') : looked);
    }
  });

  test('it is not searched for behind pages of foreign invoices, nor on more than twelve pages', async () => {
    const behind = await landedBehind(100, 100);
    await expectNoInvoiceCreatedLater(behind.ctx);
    expect(behind.asks).toHaveLength(2);
    const far = await landedBehind(1200, 0);
    await expectNoInvoiceCreatedLater(far.ctx);
    expect(far.asks).toHaveLength(12);
  });
});
