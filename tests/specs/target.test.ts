import { describe, expect, test } from 'vitest';
import { targetFile } from '../../specs/target-file/target.ts';

const seller = { key: 'svc_sand_0123456789', secret: 'a-secret-of-the-seller' };
const least = { baseUrl: 'https://api.example.com', actors: { seller } };

describe('a target file', () => {
  test('needs a base URL and one actor, and has defaults for the other fields', () => {
    expect(targetFile.parse(least)).toMatchObject({
      counterparties: {},
      operations: {},
      limits: { concurrency: 16, requestsPerSecond: 'none', requestTimeoutMs: 10_000, settleWithinMs: 5_000 },
      allow: { reset: false, rateLimitProbe: false },
    });
  });

  test('may name only the buyer, and a base URL with a path', () => {
    const buyerOnly = { baseUrl: 'http://[::1]:8080/tenant/a/', actors: { buyer: seller } };
    expect(targetFile.safeParse(buyerOnly).success).toBe(true);
  });

  test('may bind several actions to one path that differ by their body', () => {
    const patch = (status: string) => ({ method: 'PATCH', path: '/api/v1/invoices/{id}', body: { status } });
    const operations = { approve: patch('APPROVED'), cancel: patch('CANCELLED') };
    expect(targetFile.safeParse({ ...least, operations }).success).toBe(true);
  });

  test('may name the invoice in the body instead of the path', () => {
    const approve = { method: 'POST', path: '/api/v1/approvals', body: { invoice: '{id}' } };
    expect(targetFile.safeParse({ ...least, operations: { approve } }).success).toBe(true);
  });

  test.each([
    ['no actor', { actors: {} }],
    ['only an outsider', { actors: { outsider: seller } }],
    ['an empty secret', { actors: { seller: { ...seller, secret: '' } } }],
    ['a key with a line break', { actors: { seller: { ...seller, key: 'svc_sand_1\r\nX-Evil: 1' } } }],
    ['a secret that ends with a space', { actors: { seller: { ...seller, secret: 'secret ' } } }],
    ['a base URL of another scheme', { baseUrl: 'ftp://api.example.com' }],
    ['credentials in the base URL', { baseUrl: 'https://user:pass@api.example.com' }],
    ['a query in the base URL', { baseUrl: 'https://api.example.com/?tenant=a' }],
    ['an action that does not name the invoice', { operations: { approve: { method: 'POST', path: '/approve' } } }],
    ['a path without a slash', { operations: { read: { method: 'GET', path: 'invoices/{id}' } } }],
    ['an unknown operation', { operations: { archive: { method: 'POST', path: '/x/{id}' } } }],
    ['a concurrency of 0', { limits: { concurrency: 0 } }],
    ['a misspelt field', { limit: { concurrency: 1 } }],
  ])('is rejected with %s', (_, change) => {
    expect(targetFile.safeParse({ ...least, ...change }).success).toBe(false);
  });

  test('is rejected with a base URL without a scheme', () => {
    expect(targetFile.safeParse({ ...least, baseUrl: 'api.example.com' }).success).toBe(false);
  });
});
