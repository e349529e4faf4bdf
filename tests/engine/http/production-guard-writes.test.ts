import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GuardError, type GuardedRequest, ProductionGuard } from '../../../engine/http/production-guard.ts';
import { Blocked } from '../../../engine/model/outcomes.ts';
import type { TargetInput } from '../../../specs/target-file/target.ts';
import { production, seller, targetAt } from '../support/targets.ts';

const BASE = 'https://api.example.com/prefix';
const LIST = `${BASE}/api/v1/invoices`;
const ID = '7d1f3b6e-2f1a-4c3b-9f4e-0a1b2c3d4e5f';

const targetWith = (productionWrites: boolean, actors: TargetInput['actors'] = { seller, production }) =>
  targetAt(BASE, { actors, allow: { productionWrites } });
const forbidden = targetWith(false);
const allowed = targetWith(true);

/** The result for a request: it is sent, or the name of the error that prevents it. */
function fate(request: GuardedRequest, target = allowed, mutations = true): string {
  try {
    new ProductionGuard(target).assertMayBeSent(request, mutations);
    return 'leaves';
  } catch (error) {
    return (error as Error).name;
  }
}

const OF_PRODUCTION: [string, string][] = [
  ['X-API-Key', production.key],
  ['X-API-Secret', production.secret],
];
const OF_SELLER: [string, string][] = [
  ['X-API-Key', seller.key],
  ['X-API-Secret', seller.secret],
];
const post = (headers: GuardedRequest['headers'], more: Partial<GuardedRequest> = {}): GuardedRequest => ({
  method: 'POST',
  url: LIST,
  headers,
  ...more,
});

const headerName = fc.constantFrom(
  'X-API-Key',
  'x-api-key',
  'X-API-Secret',
  'Authorization',
  'X-Environment',
  'X-Other',
);
const headerValue = fc.constantFrom(
  production.key,
  production.secret,
  `Bearer ${production.key}`,
  seller.key,
  seller.secret,
  'svc_prod_unknown',
  'PRODUCTION',
  ' PRODUCTION',
  'production',
  'SANDBOX',
);
const request = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
  url: fc.constantFrom(
    LIST,
    `${LIST}/${ID}/submit`,
    `${LIST}/17/submit`,
    `${LIST}/${production.key}`,
    'https://evil.example.com/api/v1/invoices',
    'https://api.example.com:8443/prefix/api/v1/invoices',
  ),
  headers: fc.oneof(
    fc.array(fc.tuple(headerName, headerValue), { maxLength: 4 }),
    fc.constantFrom(OF_PRODUCTION, [...OF_PRODUCTION, ['X-Environment', 'PRODUCTION'] as [string, string]]),
  ),
  body: fc.constantFrom(null, '{}', JSON.stringify({ key: production.key }), JSON.stringify({ buyerId: ID })),
});

const isReading = ({ method }: GuardedRequest) => method === 'GET' || method === 'HEAD';
const isOfOrigin = ({ url }: GuardedRequest) => url.startsWith('https://api.example.com/');
const holdsProduction = ({ headers }: GuardedRequest) =>
  headers.some(([, value]) => /svc_prod_/i.test(value) || value.includes(production.secret));
const namesProduction = ({ headers }: GuardedRequest) =>
  headers.some(([name, value]) => name === 'X-Environment' && value.trim().toUpperCase() === 'PRODUCTION');

describe('without allow.productionWrites', () => {
  test('no mutation is sent with a production credential or name in any header', () => {
    fc.assert(
      fc.property(request, (each) => {
        if (isReading(each) || !holdsProduction(each)) return;
        expect(fate(each, forbidden)).toBe('GuardError');
      }),
    );
  });

  test('no mutation that names production is sent, except to one record', () => {
    fc.assert(
      fc.property(request, (each) => {
        if (isReading(each) || !namesProduction(each) || each.url.includes(ID)) return;
        expect(fate(each, forbidden)).toBe('GuardError');
      }),
    );
  });
});

describe('with allow.productionWrites', () => {
  test('no request is sent to another origin, and no mutation in a run that only reads', () => {
    fc.assert(
      fc.property(request, (each) => {
        if (!isOfOrigin(each)) expect(fate(each)).toBe('GuardError');
        if (!isReading(each)) expect(fate(each, allowed, false)).toBe('GuardError');
      }),
    );
  });

  test('only complete production credentials and the exact name of production are allowed in addition', () => {
    fc.assert(
      fc.property(request, (each) => {
        if (fate(each) === fate(each, forbidden)) return;
        const credentials = each.headers.filter(([name]) => /^x-api-/i.test(name)).map(([, value]) => value);
        const whole = [production.key, production.secret].every((value) => credentials.includes(value));
        const named = each.headers.some(([name, value]) => name === 'X-Environment' && value === 'PRODUCTION');
        expect(whole || named).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('a mutation may be sent with the production key and secret, and with either environment', () => {
    for (const value of ['PRODUCTION', 'SANDBOX'])
      expect(fate(post([...OF_PRODUCTION, ['X-Environment', value]]))).toBe('leaves');
    expect(fate(post([...OF_SELLER, ['X-Environment', 'PRODUCTION']]))).toBe('leaves');
  });

  test.each<[string, GuardedRequest['headers']]>([
    ['the key without its secret', [['X-API-Key', production.key]]],
    [
      'the key with another secret',
      [
        ['X-API-Key', production.key],
        ['X-API-Secret', seller.secret],
      ],
    ],
    [
      'another key with the secret',
      [
        ['X-API-Key', seller.key],
        ['X-API-Secret', production.secret],
      ],
    ],
    ['the key twice', [...OF_PRODUCTION, ['X-API-Key', production.key]]],
    ['the key in another header, too', [...OF_PRODUCTION, ['Authorization', `Bearer ${production.key}`]]],
    [
      'a production key that the target file does not name',
      [
        ['X-API-Key', 'svc_prod_unknown'],
        ['X-API-Secret', 'x'],
      ],
    ],
    ['production named in another spelling', [...OF_SELLER, ['X-Environment', 'production']]],
  ])('a mutation is never sent with %s', (_, headers) => {
    expect(() => new ProductionGuard(allowed).assertMayBeSent(post(headers), true)).toThrow(GuardError);
  });

  test('a mutation is never sent with the production key if another actor has the same key', () => {
    const swapped = targetWith(true, { seller: production, production });
    expect(fate(post(OF_PRODUCTION), swapped)).toBe('GuardError');
  });

  test('a mutation never contains a production credential in its path or body', () => {
    const inBody = post(OF_PRODUCTION, { body: JSON.stringify({ note: production.secret }) });
    const inPath = post(OF_PRODUCTION, { url: `${LIST}/${production.key}/submit` });
    for (const each of [inBody, inPath])
      expect(() => new ProductionGuard(allowed).assertMayBeSent(each, true)).toThrow(Blocked);
  });
});
