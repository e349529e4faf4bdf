import { describe, expect, test } from 'vitest';
import { GuardError, NONEXISTENT_ORGANIZATION_ID, ProductionGuard } from '../../../engine/http/production-guard.ts';
import { Blocked } from '../../../engine/model/outcomes.ts';
import { production, seller, targetAt } from '../support/targets.ts';

const target = targetAt('https://api.example.com/prefix', { actors: { seller, production } });
const url = 'https://api.example.com/prefix/api/v1/invoices';
type Headers = [string, string][];

function trial(method: string, headers: Headers, at = url, mutations = true): () => void {
  return () => new ProductionGuard(target).assertMayBeSent({ method, url: at, headers }, mutations);
}

const MUTATIONS = ['POST', 'PUT', 'PATCH', 'DELETE'];
const ofProduction: [string, Headers][] = [
  ['the production key', [['X-API-Key', production.key]]],
  ['the production key in another header', [['Authorization', `Bearer ${production.key}`]]],
  ['the production secret', [['X-API-Secret', production.secret]]],
  ['a key with the prefix of production', [['x-api-key', 'svc_prod_unknown']]],
  ['the prefix of production in upper case', [['X-API-KEY', 'SVC_PROD_UNKNOWN']]],
  ['X-Environment: PRODUCTION', [['X-Environment', 'PRODUCTION']]],
  ['X-Environment: production', [['x-environment', 'production']]],
  ['X-ENVIRONMENT with spaces around its value', [['X-ENVIRONMENT', ' Production ']]],
];

describe('a mutation', () => {
  test.each(MUTATIONS.flatMap((method) => ofProduction.map(([what, headers]) => ({ method, what, headers }))))(
    '$method is never sent with $what',
    ({ method, headers }) => {
      expect(trial(method, [['X-API-Secret', seller.secret], ...headers])).toThrow(GuardError);
    },
  );

  test.each(MUTATIONS)('%s may be sent with sandbox credentials, invalid credentials and none', (method) => {
    expect(trial(method, [['X-API-Key', seller.key]])).not.toThrow();
    expect(trial(method, [['X-API-Key', 'svc_sand_']])).not.toThrow();
    expect(trial(method, [['X-API-Key', '']])).not.toThrow();
    expect(trial(method, [['X-Environment', 'SANDBOX']])).not.toThrow();
    expect(trial(method, [])).not.toThrow();
  });

  const namingProduction: Headers = [
    ['X-API-Key', seller.key],
    ['X-Environment', 'PRODUCTION'],
  ];

  test('may name production for one record with an id of the sandbox', () => {
    expect(trial('POST', namingProduction, `${url}/7d1f3b6e-2f1a-4c3b-9f4e-0a1b2c3d4e5f/submit`)).not.toThrow();
    // After or before a verb, and with the kind of record in front.
    for (const path of [':approve', ';v=1']) {
      expect(trial('POST', namingProduction, `${url}/7d1f3b6e-2f1a-4c3b-9f4e-0a1b2c3d4e5f${path}`)).not.toThrow();
    }
    expect(trial('POST', namingProduction, `${url}/inv-7d1f3b6e-2f1a-4c3b-9f4e-0a1b2c3d4e5f`)).not.toThrow();
    for (const id of ['inv_RiG6AAq3oDpLxHo5', '01HXYZ4T9QK7M2N8V3B6C5D0EF', '65a1f09c3be7d24581f0a9c2'])
      expect(trial('POST', namingProduction, `${url}/${id}/submit`), id).not.toThrow();
    for (const id of [
      '17',
      'INV2026000000000123',
      '1798245091273465857',
      '0000000000000a1f',
      'abcdefghijklmnopqrst',
      'INV-2026-000017',
      '00000000-0000-0000-0000-000000000017',
      '07d1f3b6e-2f1a-4c3b-9f4e-0a1b2c3d4e5f',
    ]) {
      expect(trial('POST', namingProduction, `${url}/${id}/submit`)).toThrow(GuardError);
    }
  });

  test.each([
    [
      'an invoice for a nonexistent buyer',
      JSON.stringify({ buyerId: NONEXISTENT_ORGANIZATION_ID, amount: '1.00' }),
      true,
    ],
    ['a subscription with an invalid URL', JSON.stringify({ url: 42, eventTypes: [] }), true],
    ['an invoice', JSON.stringify({ buyerId: '7d1f3b6e-2f1a-4c3b-9f4e-0a1b2c3d4e5f' }), false],
    [
      'an invoice with the nonexistent id in another field',
      JSON.stringify({ buyerId: '1', description: NONEXISTENT_ORGANIZATION_ID }),
      false,
    ],
    ['several invoices', JSON.stringify([{ buyerId: NONEXISTENT_ORGANIZATION_ID }]), false],
    ['a subscription', JSON.stringify({ url: 'https://receiver.example.com/' }), false],
    ['a body that is not JSON', `{"buyerId":"${NONEXISTENT_ORGANIZATION_ID}"`, false],
    ['no body', null, false],
  ])('may name production for %s: %#', (_, body, may) => {
    const trying = expect(() =>
      new ProductionGuard(target).assertMayBeSent({ method: 'POST', url, headers: namingProduction, body }, true),
    );
    if (may) trying.not.toThrow();
    else trying.toThrow(GuardError);
  });

  test('may not name production for a universal id in the base URL or in the query', () => {
    const id = '7d1f3b6e-2f1a-4c3b-9f4e-0a1b2c3d4e5f';
    const tenant = targetAt(`https://api.example.com/${id}`, { actors: { seller, production } });
    const sent = { method: 'POST', url: `https://api.example.com/${id}/api/v1/invoices`, headers: namingProduction };
    expect(() => new ProductionGuard(tenant).assertMayBeSent(sent, true)).toThrow(GuardError);
    expect(trial('POST', namingProduction, `${url}?id=${id}`)).toThrow(GuardError);
  });

  test.each(MUTATIONS)('%s is never sent in a run that only reads', (method) => {
    expect(trial(method, [['X-API-Key', seller.key]], url, false)).toThrow('only reads');
  });
});

describe('a reading request', () => {
  test.each(ofProduction)('may be sent with %s', (_, headers) => {
    expect(trial('GET', headers)).not.toThrow();
    expect(trial('GET', headers, url, false)).not.toThrow();
  });
});

describe('the origin', () => {
  test.each([
    ['another host', 'https://evil.example.com/api/v1/invoices'],
    ['another port', 'https://api.example.com:8443/api/v1/invoices'],
    ['another scheme', 'http://api.example.com/api/v1/invoices'],
    ['a host with the same prefix', 'https://api.example.com.evil.org/'],
    ['another host after a user name', 'https://api.example.com@evil.org/'],
  ])('%s is rejected even for a reading request', (_, at) => {
    expect(trial('GET', [], at)).toThrow(GuardError);
  });

  test('of the target is allowed with every path', () => {
    expect(trial('GET', [], 'https://api.example.com/elsewhere')).not.toThrow();
  });
});

test('the message names the header but not its value', () => {
  expect(trial('POST', [['X-API-Secret', production.secret]])).toThrow(
    /^a POST with a production credential in X-API-Secret$/,
  );
});

describe('content from a server or a target file', () => {
  const credentials = [production.key, production.secret];

  test.each(credentials)('never makes a mutation contain a production credential in its path or body', (value) => {
    const sent = (method: string, at: string, body: string | null) => () =>
      new ProductionGuard(target).assertMayBeSent({ method, url: at, headers: [], body }, true);
    expect(sent('POST', `${url}/${encodeURIComponent(value)}/submit`, null)).toThrow(Blocked);
    expect(sent('POST', url, JSON.stringify({ id: value }))).toThrow(
      /was not sent: it would carry a production credential/,
    );
    expect(sent('GET', `${url}/${value}`, null)).not.toThrow();
  });
});
