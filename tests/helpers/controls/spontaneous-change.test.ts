import { describe, expect, test } from 'vitest';
import { Blocked, Breach, NotApplicable } from '../../../engine/model/outcomes.ts';
import { isBusinessRule } from '../../../helpers/api/responses.ts';
import { expectOffered } from '../../../helpers/controls/spontaneous-change.ts';
import type { Invoice } from '../../../helpers/invoices/invoices.ts';
import { answerOf, scripted } from '../support/contexts.ts';

describe('a business rule', () => {
  test('is a 412 with a code that the contract does not define', () => {
    for (const code of ['DISP003', 'LIMIT', 'TREAS007']) expect(isBusinessRule(answerOf(412, { code }))).toBe(true);
    for (const code of ['INV004', 'INV001', 'CONN010', 'GW_UNKNOWN_ENVIRONMENT', '', null, 7])
      expect(isBusinessRule(answerOf(412, { code }))).toBe(false);
    expect(isBusinessRule(answerOf(412))).toBe(false);
    expect(isBusinessRule(answerOf(409, { code: 'DISP003' }))).toBe(false);
  });
});

describe('an action that is offered', () => {
  const invoice = { id: 'inv-1', state: 'SUBMITTED', created: answerOf(201) } as Invoice;
  const record = { id: 'inv-1', invoiceNumber: 'INV-1', status: 'SUBMITTED', amount: '1.00', dueDate: '2027-01-31' };
  const judged = (status: number, json?: object) => {
    const { ctx } = scripted(() => ({ status: 200, json: record }));
    return expectOffered(ctx, invoice, answerOf(status, json), 'approve');
  };

  test('is accepted', async () => {
    await judged(204);
  });

  test('is not rejected because of the state or without a code', async () => {
    await expect(judged(412, { code: 'INV004' })).rejects.toThrow(Breach);
    await expect(judged(412)).rejects.toThrow(Breach);
    await expect(judged(409, { code: 'DISP003' })).rejects.toThrow(Breach);
  });

  test.each([
    ['is blocked by actors.buyer if the buyer neither reads nor lists the invoice', [], Blocked],
    ['fails if the buyer lists the invoice', [record], Breach],
  ])('%s', async (_, listed, outcome) => {
    const { ctx } = scripted(({ operation, actor }) => {
      if (operation === 'list')
        return { status: 200, json: { items: listed, page: 0, limit: 100, total: 1, totalPages: 1 } };
      return actor === 'buyer' ? { status: 404, json: { code: 'INV001' } } : { status: 200, json: record };
    });
    const rejection = answerOf(404, { code: 'INV001' });
    const asBuyer = { ...rejection, request: { ...rejection.request, actor: 'buyer' as const } };
    const judged = expectOffered(ctx, invoice, asBuyer, 'dispute');
    await expect(judged).rejects.toThrow(outcome);
    if (outcome === Blocked)
      await expect(judged).rejects.toMatchObject({ blockedBy: 'actors.buyer of the target file' });
  });

  test('may be rejected by a business rule', async () => {
    await expect(judged(412, { code: 'DISP003' })).rejects.toThrow(NotApplicable);
  });
});
