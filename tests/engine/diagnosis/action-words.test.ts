import { describe, expect, test } from 'vitest';
import { isPlainRead, namesAction, namesOnlyAction } from '../../../engine/diagnosis/action-words.ts';
import type { InvoiceAction } from '../../../specs/contract/lifecycle.ts';
import type { OperationTemplate } from '../../../specs/target-file/target.ts';

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
    ['cancel', post('/api/v1/cancel/invoices/{id}')],
  ])('names only %s: %o', (action, template) => {
    expect(namesOnlyAction(action, template)).toBe(true);
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
    ['cancel', post('/api/v2/invoices/{id}/cancel')],
    ['cancel', post('/api/v1/invoices/bulk/cancel', { ids: ['{id}'] })],
    ['delete', { method: 'DELETE', path: `${I}/attachments` }],
  ])('names more than %s: %o', (action, template) => {
    expect(namesOnlyAction(action, template)).toBe(false);
  });
});

test.each<[string, boolean]>([
  ['/api/v1/invoices/{id}', true],
  ['/api/v1/invoices/{id}/summary', false],
  ['/api/v1/reports/invoices/{id}', false],
  ['/api/v2/invoices/{id}', false],
])('to read %s reads an invoice: %s', (path, only) => {
  expect(isPlainRead({ method: 'GET', path })).toBe(only);
});

test('a binding names its action by the verb or by the state', () => {
  expect(namesAction('cancel', post(`${I}/cancel`))).toBe(true);
  expect(namesAction('cancel', { method: 'PATCH', path: I, body: { status: 'CANCELLED' } })).toBe(true);
  expect(namesAction('cancel', post(`${I}/void`))).toBe(false);
});
