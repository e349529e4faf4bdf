import { describe, expect, test } from 'vitest';
import { initialization, KEYS, LIST, SELLER } from './support/initialization.ts';
import { INVOICE, listOf, startServer } from './support/server.ts';

const { init, serve } = initialization();

describe('a server that conforms', () => {
  const routes = {
    [LIST]: listOf(INVOICE),
    [`${LIST}/inv-1`]: [200, INVOICE],
    '/api/v1/treasury/balance': [200, { available: '1.00' }],
    '/api/v1/settings/webhooks': [200, { items: [] }],
  } as const;

  test('shows what reading can show, and gets nothing but GET', async () => {
    const server = await serve(routes);
    const { target, written, lines } = await init({ baseUrl: server.baseUrl, environment: KEYS });
    expect(target).toMatchObject({
      baseUrl: server.baseUrl,
      actors: { seller: { organizationId: 'org-seller' }, buyer: { organizationId: 'org-buyer' } },
    });
    expect(written).toContain('  read: { method: GET, path: "/api/v1/invoices/{id}" } # returned 200\n');
    expect(written).toContain('  treasuryBalance: { method: GET, path: "/api/v1/treasury/balance" } # returned 200\n');
    expect(written).toContain('  webhookList: { method: GET, path: "/api/v1/settings/webhooks" } # returned 200\n');
    expect(written).toMatch(/^ {2}approve: .* # usual path, not tried$/m);
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(lines).toContain(`found        baseUrl: GET ${server.baseUrl}${LIST} returned 200`);
    expect(lines).toContain('found        actors.seller.organizationId: org-seller (from existing invoices)');
    expect(lines.filter((line) => line.startsWith('wrong'))).toEqual([]);
  });

  test('gets no request with --no-probe', async () => {
    const server = await serve(routes);
    const { written } = await init({ baseUrl: server.baseUrl, environment: KEYS, probe: false });
    expect(server.requests).toEqual([]);
    expect(written).toContain('  read: { method: GET, path: "/api/v1/invoices/{id}" }\n');
  });

  test('gets no credentials where a document may be public', async () => {
    const server = await serve(routes);
    await init({ baseUrl: server.baseUrl, environment: KEYS });
    const places = server.requests.filter(({ path }) => /openapi|swagger|api-docs/.test(path));
    expect(places.length).toBeGreaterThan(5);
    expect(places.filter(({ key }) => key !== undefined)).toEqual([]);
  });

  test('without keys is only searched for a document', async () => {
    const server = await serve(routes);
    const { lines } = await init({ baseUrl: server.baseUrl });
    expect(server.requests.filter(({ path }) => path.startsWith('/api/v1/invoices'))).toEqual([]);
    expect(lines).toContain('missing      actors.seller: set SELLER_KEY and SELLER_SECRET');
  });
});

describe('another base URL', () => {
  test.each([
    ['', '/api', '/api'],
    ['', '/v1', '/v1'],
    ['/api/v1', '', ''],
    ['/api/v1/invoices', '', ''],
    ['/old/', '', ''],
    ['/gateway', '/gateway/api', '/gateway/api'],
  ])('given %j, the list below %j is found', async (given, place, written) => {
    const server = await serve({ [`${place}${LIST}`]: listOf(INVOICE), [`${place}${LIST}/inv-1`]: [200, INVOICE] });
    const { target, lines } = await init({ baseUrl: `${server.baseUrl}${given}`, environment: SELLER });
    expect(target.baseUrl).toBe(`${server.baseUrl}${written}`);
    expect(lines.find((line) => line.startsWith('found        baseUrl'))).toContain('returned 200, and');
    expect(lines).toContain('found        operations.read: GET /api/v1/invoices/{id} (returned 200)');
  });

  test('is not believed if another service lists something', async () => {
    const server = await serve({ [`/api${LIST}`]: [200, [{ name: 'x' }]] });
    const { target } = await init({ baseUrl: server.baseUrl, environment: SELLER });
    expect(target.baseUrl).toBe(server.baseUrl);
  });
});

describe('a server that gives no list', () => {
  const wrong = (lines: readonly string[]) => lines.filter((line) => line.startsWith('wrong'));

  test('because the key is wrong', async () => {
    const server = await serve(() => [401, { error: 'Unauthorized', message: 'Invalid' }]);
    const { lines, written } = await init({ baseUrl: server.baseUrl, environment: SELLER });
    expect(wrong(lines)).toEqual([
      `wrong        actors.seller: GET ${server.baseUrl}${LIST} returns 401; correct SELLER_KEY and SELLER_SECRET`,
    ]);
    expect(written).toContain('seller: { key: "${SELLER_KEY}", secret: "${SELLER_SECRET}" }');
    expect(lines.filter((line) => line.includes('organizationId'))).toEqual([]);
  });

  test('because the key or the prefix is wrong', async () => {
    const server = await serve(() => [401, {}]);
    const { lines } = await init({ baseUrl: `${server.baseUrl}/api/v1`, environment: SELLER });
    expect(wrong(lines)[0]).toMatch(/correct SELLER_KEY and SELLER_SECRET, or remove \/api\/v1 from baseUrl/);
  });

  test('because only the key of another actor is wrong', async () => {
    const server = await serve((path, request) => {
      if (request.headers['x-api-key'] === KEYS.BUYER_KEY) return [401, {}];
      return path === LIST ? listOf(INVOICE) : undefined;
    });
    const { lines, target } = await init({ baseUrl: server.baseUrl, environment: KEYS });
    expect(wrong(lines)).toEqual([
      'wrong        actors.buyer: the list returns 401; correct BUYER_KEY and BUYER_SECRET',
    ]);
    expect(target.actors.buyer.organizationId).toBeUndefined();
    expect(lines.join('\n')).not.toContain('actors.buyer.organizationId');
  });

  test('because a revoked key still works', async () => {
    const server = await serve({ [LIST]: listOf(INVOICE) });
    const environment = { ...SELLER, REVOKED_KEY: 'svc_sand_r', REVOKED_SECRET: 'r' };
    const { lines } = await init({ baseUrl: server.baseUrl, environment });
    expect(wrong(lines)).toEqual([
      'wrong        actors.revoked: the list returns 200; revoke the key, or correct REVOKED_KEY and REVOKED_SECRET',
    ]);
  });

  test('because nothing listens there', async () => {
    const server = await startServer({});
    await server.close();
    const { lines } = await init({ baseUrl: server.baseUrl, environment: SELLER });
    expect(wrong(lines)).toEqual([
      expect.stringMatching(
        /^wrong {8}baseUrl: no response from \S+: no connection \(ECONNREFUSED\); .*correct baseUrl$/,
      ),
    ]);
  });

  test.each([
    ['a web page', [200, '<!doctype html><html></html>', 'text/html'], 'returns 200 with a web page'],
    ['other JSON', [200, { status: 'up' }], 'returns 200 with JSON that is not a list of invoices'],
    ['an error', [503, { error: 'down' }], 'returns 503'],
    ['a page and control characters', [404, 'a\u001b[2Jb', 'text/plain'], 'returns 404'],
  ] as const)('but %s', async (_, route, said) => {
    const server = await serve(() => route);
    const { lines } = await init({ baseUrl: server.baseUrl, environment: SELLER });
    expect(wrong(lines)).toEqual([expect.stringContaining(`baseUrl: `)]);
    expect(wrong(lines)[0]).toContain(said);
    expect(wrong(lines)[0]).toMatch(/; correct /);
  });

  test('but a redirect, which is not followed', async () => {
    const other = await serve({ [LIST]: listOf(INVOICE) });
    const server = await serve(() => [302, '', 'text/plain']);
    const { lines } = await init({ baseUrl: server.baseUrl, environment: SELLER });
    expect(wrong(lines)[0]).toContain('redirects to');
    expect(other.requests).toEqual([]);
  });
});

describe('reading operations', () => {
  test('of a mock that responds to every path are not believed', async () => {
    const server = await serve((path) => (path === LIST ? listOf(INVOICE) : [200, INVOICE]));
    const { lines } = await init({ baseUrl: server.baseUrl, environment: SELLER });
    expect(lines.filter((line) => line.startsWith('found        operations'))).toEqual([]);
  });

  test('that return another status keep the usual path, with the status', async () => {
    const server = await serve({ [LIST]: listOf(INVOICE), [`${LIST}/inv-1`]: [200, { ...INVOICE, id: 'other' }] });
    const { written } = await init({ baseUrl: server.baseUrl, environment: SELLER });
    expect(written).toMatch(/^ {2}read: .* # usual path, but it returned 200$/m);
    expect(written).toMatch(
      /^ {2}# treasuryBalance: .* # usual path, but it returned 404; or method: POST, with body: \{ requestId: "\{requestId\}" \}$/m,
    );
  });

  test('cannot be tried without an invoice', async () => {
    const server = await serve({ [LIST]: listOf() });
    const { written, lines } = await init({ baseUrl: server.baseUrl, environment: SELLER });
    expect(written).toMatch(/^ {2}read: .* # usual path, no invoice to try it with$/m);
    expect(lines).toContain(
      'missing      actors.seller.organizationId: no listed invoice shows it; copy it from the dashboard',
    );
  });

  test('are found at another usual path', async () => {
    const server = await serve({ [LIST]: listOf(INVOICE), '/invoices/inv-1': [200, { data: INVOICE }] });
    const { target } = await init({ baseUrl: server.baseUrl, environment: SELLER });
    expect(target.operations.read).toEqual({ method: 'GET', path: '/invoices/{id}' });
  });

  test('take no hostile organization id', async () => {
    const hostile = { ...INVOICE, sellerOrganizationId: '${SELLER_SECRET}', buyerOrganizationId: 'a"\n# b' };
    const server = await serve({ [LIST]: listOf(hostile) });
    const { target } = await init({ baseUrl: server.baseUrl, environment: KEYS });
    expect(target.actors.seller).toEqual({ key: '${SELLER_KEY}', secret: '${SELLER_SECRET}' });
    expect(target.actors.buyer).toEqual({ key: '${BUYER_KEY}', secret: '${BUYER_SECRET}' });
  });
});
