import { describe, expect, test } from 'vitest';
import {
  bindingContradiction,
  missingOperationReason,
  namedActions,
  rejectedPayloadReason,
} from '../../../engine/diagnosis/operation-binding.ts';
import type { OperationName, OperationTemplate } from '../../../specs/target-file/target.ts';
import { unmasked } from '../support/responses.ts';

function response(status: number, body: unknown = '', headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const json = typeof body === 'string' ? undefined : body;
  return { status, text, json, headers: Object.entries(headers), mask: unmasked };
}

const PAGE = '<!doctype html><title>Not found</title>';
const INV001 = { error: 'no such invoice', code: 'INV001' };

describe('a missing operation', () => {
  test.each([
    [
      'a 404 without a code',
      'submit',
      response(404, { error: 'Not found' }),
      'returns 404 without a code of the contract; correct its method or path',
    ],
    [
      'a 404 with the code of a router',
      'submit',
      response(404, { error: 'x', code: 'ROUTE' }),
      'returns 404 with code ROUTE; correct its method or path',
    ],
    [
      'a 404 of a treasury operation, whatever its code',
      'treasuryBalance',
      response(404, INV001),
      'returns 404 with code INV001; correct its method or path',
    ],
    [
      'a 405',
      'approve',
      response(405, '', { allow: 'GET, POST' }),
      'returns 405; correct its method (the server allows GET, POST)',
    ],
    ['a 501', 'cancel', response(501), 'returns 501; correct its method or path'],
    [
      'a web page',
      'settle',
      response(200, PAGE, { 'content-type': 'text/html' }),
      'returns 200 with a web page; correct its path',
    ],
    [
      'a redirect',
      'delete',
      response(308, '', { location: '/v1/x/' }),
      'redirects to /v1/x/; bind the path of the service itself',
    ],
  ] as const)('is recognised by %s', (_, name, received, why) => {
    expect(missingOperationReason(name, received)).toBe(why);
  });

  test.each([
    ['404 with INV001', response(404, INV001)],
    ['412', response(412, { error: 'x', code: 'INV004' })],
    ['403', response(403, { error: 'x', code: 'AUTHZ' })],
    ['500', response(500, PAGE, { 'content-type': 'text/html' })],
    ['303', response(303, '', { location: '/invoices/1' })],
    ['204', response(204)],
  ])('is not recognised by %s', (_, received) => {
    expect(missingOperationReason('submit', received)).toBeNull();
  });
});

test('a rejected payload is described in the words of the server', () => {
  const received = response(400, { error: 'bad', code: 'INV002', message: 'reason is required' });
  expect(rejectedPayloadReason(received)).toBe('is rejected with 400: reason is required; correct its body');
  expect(rejectedPayloadReason(response(415))).toBe('is rejected with 415; correct its body');
  expect(rejectedPayloadReason(response(412, INV001))).toBeNull();
});

const at = (path: string, more: Partial<OperationTemplate> = {}): OperationTemplate => ({
  method: 'POST',
  path: `/api/v1/invoices/{id}/${path}`,
  ...more,
});

describe('a binding contradicts itself', () => {
  const why = (name: OperationName, operations: Partial<Record<OperationName, OperationTemplate>>) =>
    bindingContradiction(name, { operations });

  test('for the operation that it does not name, if two operations share a request', () => {
    const operations = { approve: at('approve'), settle: at('approve') };
    expect(why('settle', operations)).toMatch(/^is bound to the same request as operations\.approve/);
    expect(why('approve', operations)).toBeNull();
  });

  test('for an operation that is bound to a request of the contract', () => {
    for (const path of ['/api/v1/invoices', '/api/v1/invoices?limit=10']) {
      expect(why('webhookList', { webhookList: { method: 'GET', path } })).toBe(
        'is bound to the request of the contract for the list of invoices; correct its method or path',
      );
    }
    expect(why('read', { read: { method: 'GET', path: '/api/v1/invoices?id={id}' } })).toBeNull();
  });

  test('for the operation that the path does not name, if it is no action', () => {
    const path = '/api/v1/settings/webhooks';
    const operations = { webhookList: { method: 'GET', path }, treasuryBalance: { method: 'GET', path } } as const;
    expect(why('webhookList', operations)).toBeNull();
    expect(why('treasuryBalance', operations)).toMatch(/^is bound to the same request as operations\.webhookList/);
  });

  test('for both operations, if the shared request names neither', () => {
    const operations = { approve: at('next'), settle: at('next', { actor: 'buyer' }) };
    expect([why('approve', operations), why('settle', operations)]).toEqual([expect.any(String), expect.any(String)]);
  });

  test('but not if another party or another body distinguishes the two', () => {
    const parties = { submit: at('confirm', { actor: 'seller' }), approve: at('confirm', { actor: 'buyer' }) };
    const bodies = {
      submit: at('', { body: { status: 'SUBMITTED' } }),
      approve: at('', { body: { status: 'APPROVED' } }),
    };
    for (const operations of [parties, bodies]) {
      expect([why('submit', operations), why('approve', operations)]).toEqual([null, null]);
    }
  });

  test('if a withdrawal contains no amount', () => {
    const treasuryWithdraw = { method: 'POST', path: '/withdraw', body: { amount: '25.00' } } as const;
    expect(why('treasuryWithdraw', { treasuryWithdraw })).toMatch(/^contains no \{amount\}/);
    const named = { ...treasuryWithdraw, body: { amount: '{amount}' } };
    expect(why('treasuryWithdraw', { treasuryWithdraw: named })).toBeNull();
  });
});

test('the actions that a binding names are in its path, its body or its method', () => {
  expect(namedActions(at('approve'))).toEqual(['approve']);
  expect(namedActions(at('', { method: 'DELETE' }))).toEqual(['delete']);
  expect(namedActions(at('', { method: 'PATCH', body: { action: 'SETTLE' } }))).toEqual(['settle']);
});
