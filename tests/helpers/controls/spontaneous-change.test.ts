import { describe, expect, test } from 'vitest';
import { Breach, NotApplicable } from '../../../engine/model/outcomes.ts';
import { isBusinessRule } from '../../../helpers/api/error-codes.ts';
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

  test('may be rejected by a business rule', async () => {
    await expect(judged(412, { code: 'DISP003' })).rejects.toThrow(NotApplicable);
  });
});
