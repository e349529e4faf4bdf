import { describe, expect, test } from 'vitest';
import { saysOnly } from '../../engine/binding-words.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import type { OperationTemplate } from '../../specs/target.ts';

const I = '/api/v1/invoices/{id}';
const post = (path: string, body?: OperationTemplate['body']): OperationTemplate => ({
  method: 'POST',
  path,
  ...(body && { body }),
});

describe('a binding', () => {
  test.each<[InvoiceAction, OperationTemplate]>([
    ['approve', post(`${I}/approve`)],
    ['approve', post(`${I}/actions/approve`)],
    ['approve', post(`${I}/approvals`)],
    ['approve', { method: 'PATCH', path: I, body: { status: 'APPROVED' } }],
    ['approve', post('/api/v1/invoices/actions', { id: '{id}', action: 'approve' })],
    ['settle', post(`${I}/payments`, { amount: '{amount}' })],
    ['dispute', post(`${I}/dispute`, { reason: '{text}' })],
    ['delete', { method: 'DELETE', path: I }],
    ['submit', post(`${I}/submission`)],
    ['cancel', post(`${I}:cancel`)],
  ])('says %s and nothing else: %o', (action, template) => {
    expect(saysOnly(action, template)).toBe(true);
  });

  test.each<[InvoiceAction, OperationTemplate]>([
    ['approve', post(`${I}/approve/reminder`)],
    ['approve', post(`${I}/approval-requests`)],
    ['approve', post(`${I}/approve?dryRun=true`)],
    ['approve', post(`${I}/approve`, { validateOnly: true })],
    ['settle', post(`${I}/payments/schedule`)],
    ['settle', post(`${I}/settlementPreview`)],
    ['dispute', post(`${I}/notes`, { note: '{text}' })],
    ['cancel', post(I)],
  ])('says more than %s, or something else: %o', (action, template) => {
    expect(saysOnly(action, template)).toBe(false);
  });
});
