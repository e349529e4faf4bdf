import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Breach } from '../../../engine/model/outcomes.ts';
import { expectFamilyRejected, type InvalidBodyFamily } from '../../../helpers/creation/generated-rejections.ts';
import type { InvoiceBody } from '../../../helpers/data/invoice-body.ts';
import { type Reply, scripted } from '../support/contexts.ts';

/** Bodies that contain an invalid number. */
const family: InvalidBodyFamily<number> = {
  draws: fc.nat(1000),
  addDefect: (valid, wrong) => ({ ...valid, wrong }),
  code: 'INV002',
};

const refused: Reply = { status: 400, json: { code: 'INV002' } };

function server(rule: (wrong: number) => Reply, keeps = (_: number) => false) {
  const rows: Record<string, unknown>[] = [];
  return scripted(({ operation, body }) => {
    if (operation !== 'create') return { status: 200, json: { items: rows } };
    const { wrong, amount, dueDate, buyerId } = body as InvoiceBody & { wrong?: number };
    const id = `inv-${rows.length}`;
    const row = {
      id,
      invoiceNumber: id,
      status: 'DRAFT',
      amount,
      dueDate,
      currency: 'EUR',
      buyerOrganizationId: buyerId,
    };
    if (wrong === undefined || keeps(wrong)) rows.push(row);
    return wrong === undefined ? { status: 201, json: row } : rule(wrong);
  });
}

describe('a family of bodies', () => {
  test('is rejected completely and creates nothing', async () => {
    const { ctx, asks } = server(() => refused);
    await expectFamilyRejected(ctx, family);
    // The control, the request for the currency, the generated bodies, and the read of the list.
    expect(asks.map(({ operation }) => operation)).toEqual([...Array(12).fill('create'), 'list']);
  });

  test('has all the optional fields in every other body', async () => {
    const { ctx, asks } = server(() => refused);
    await expectFamilyRejected(ctx, family);
    const drawn = asks.flatMap(({ body }) =>
      body && 'wrong' in (body as object) ? [Object.keys(body as object)] : [],
    );
    const whole = drawn.filter((names) => names.includes('requestId') && names.includes('currency'));
    expect(whole).toHaveLength(drawn.length / 2);
    expect(drawn.filter((names) => names.includes('requestId'))).toHaveLength(whole.length);
  });

  test('is the same for the same seed', async () => {
    const drawn = async () => {
      const { ctx, asks } = server(() => refused);
      await expectFamilyRejected(ctx, family);
      return asks.map(({ body }) => (body as { wrong?: number } | undefined)?.wrong);
    };
    expect(await drawn()).toEqual(await drawn());
  });

  test('with an accepted body is reported with the smallest one', async () => {
    const { ctx } = server((wrong) => (wrong >= 10 ? { status: 201, json: {} } : refused));
    const found = await expectFamilyRejected(ctx, family).catch((error: unknown) => error);
    expect(found).toBeInstanceOf(Breach);
    expect((found as Breach).message).toMatch(/the server accepted the request with 201.*"wrong":10\}/);
  });

  test('with another code or status for one body is a breach', async () => {
    const other = server(() => ({ status: 400, json: { code: 'OTHER' } }));
    await expect(expectFamilyRejected(other.ctx, family)).rejects.toThrow(/the code is "OTHER".*"wrong":0\}/);
    const crashing = server(() => ({ status: 500 }));
    await expect(expectFamilyRejected(crashing.ctx, family)).rejects.toThrow(/the server returned 500.*"wrong":0\}/);
  });

  test('with an invoice of a rejected body is a breach', async () => {
    const { ctx } = server(
      () => refused,
      (wrong) => wrong > 100,
    );
    await expect(expectFamilyRejected(ctx, family)).rejects.toThrow('but invoice');
    const marked = server(
      () => refused,
      (wrong) => wrong > 100,
    );
    await expect(expectFamilyRejected(marked.ctx, { ...family, defect: 'amount' })).rejects.toThrow('but invoice');
  });

  test('with a wrong amount is retried if a foreign invoice looks like one of its own', async () => {
    let kept = 0;
    const { ctx } = server(
      () => refused,
      (wrong) => wrong > 100 && kept++ === 0,
    );
    await expectFamilyRejected(ctx, { ...family, defect: 'amount' });
    expect(kept).toBeGreaterThan(1);
  });

  test('that cannot be sent is an error of the kit, not of the server', async () => {
    const { ctx } = server(() => refused);
    const addDefect = () => {
      throw new TypeError('cannot be defective');
    };
    await expect(expectFamilyRejected(ctx, { ...family, addDefect })).rejects.toBeInstanceOf(TypeError);
  });
});
