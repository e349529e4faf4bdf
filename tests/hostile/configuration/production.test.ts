import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { NONEXISTENT_ORGANIZATION_ID } from '../../../engine/http/production-guard.ts';
import type { TargetInput } from '../../../specs/target-file/target.ts';
import { answering, type Front, type FrontOptions, startFront } from '../support/hostile-proxy.ts';
import { having, type Judged, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

/** Checks that read from production, and checks that change something. */
const SOME = ['ENV', 'ORG', 'KEY', 'CREATE-01', 'CREATE-11', 'LIFE-01', 'IDEM-01', 'REC'];

type Change = (target: ReturnType<Front['target']>) => TargetInput;

async function run(
  options: FrontOptions,
  change: Change = (target) => target,
  only: readonly string[] = SOME,
): Promise<{ front: Front; judged: Judged }> {
  const front = await startFront(options);
  onTestFinished(() => front.close());
  const target = front.target({ concurrency: 16, requestTimeoutMs: 30_000 });
  return { front, judged: await judged(change(target), { only }) };
}

/** A path with an id that cannot exist in production. */
const OF_ONE_RECORD = /\/api\/v1\/invoices\/[0-9a-f]{8}-[0-9a-f-]{27}\b/;

/** Whether the body can have no effect: it names a nonexistent buyer, or a URL that is no text. */
function asksForNothing(body: string): boolean {
  if (!body.startsWith('{')) return false;
  const { buyerId, url } = JSON.parse(body);
  return buyerId === NONEXISTENT_ORGANIZATION_ID || typeof url === 'number';
}

/** Every mutation that contains a credential of the production actor or names production, and could have an effect. */
function trespasses({ requests, service }: Front): string[] {
  const { key, secret } = service.target.actors.production;
  return requests
    .filter(({ method }) => method !== 'GET' && method !== 'HEAD')
    .filter((request) => {
      const text = JSON.stringify(request);
      const environment = String(request.headers['x-environment'] ?? '');
      const named = environment.trim().toUpperCase() === 'PRODUCTION';
      const harmful = () => !OF_ONE_RECORD.test(request.url) && !asksForNothing(request.body);
      return text.includes(key) || text.includes(secret) || (named && harmful());
    })
    .map(({ method, url }) => `${method} ${url}`);
}

describe('no mutation is sent with a credential of the production actor', () => {
  test('in a run of every check, which reads with it', async () => {
    const { front, judged } = await run({}, (target) => ({ ...target, allow: { reset: true } }), ['*']);
    expect(judged.exitCode, judged.said).toBe(0);
    const { key } = front.service.target.actors.production;
    expect(front.requests.some(({ headers }) => headers['x-api-key'] === key)).toBe(true);
    expect(front.requests.some(({ method }) => method === 'POST')).toBe(true);
    expect(trespasses(front)).toEqual([]);
  });

  const production = (target: ReturnType<Front['target']>) => target.actors.production;
  test.each<[string, Change]>([
    [
      'has the production key as the key of the seller',
      (target) => ({ ...target, actors: { ...target.actors, seller: production(target) } }),
    ],
    [
      'has the production key as the key of every actor',
      (target) => ({
        ...target,
        actors: Object.fromEntries(Object.keys(target.actors).map((name) => [name, production(target)])),
      }),
    ],
    [
      'contains the production key in paths',
      (target) => ({
        ...target,
        operations: { submit: { method: 'POST', path: `/api/v1/invoices/{id}/submit?key=${production(target).key}` } },
      }),
    ],
    [
      'contains the production secret in bodies',
      (target) => ({
        ...target,
        operations: {
          read: { method: 'GET', path: '/api/v1/invoices/{id}' },
          submit: { method: 'POST', path: '/api/v1/invoices/{id}/submit', body: { secret: production(target).secret } },
        },
      }),
    ],
  ])('for any target file that %s', async (_, change) => {
    const { front } = await run({}, change);
    expect(front.requests).not.toEqual([]);
    expect(trespasses(front)).toEqual([]);
  });

  test('for a read operation that a target file binds to POST, and the report says why it was not sent', async () => {
    const { front, judged } = await run({});
    expect(front.service.target.operations.treasuryBalance.method).toBe('POST');
    expect(having(judged, 'error')).toEqual([]);
    expect(judged.report?.checks.map(({ reason }) => reason)).toContainEqual(
      expect.stringMatching(
        /^operations\.treasuryBalance uses POST; without allow\.productionWrites the kit sends only GET requests with/,
      ),
    );
    expect(trespasses(front)).toEqual([]);
  });

  test('for a server that returns the production key as the id of an invoice', async () => {
    let key = '';
    const { front, judged } = await run(
      {
        changes: (response) => ({
          ...response,
          body: Buffer.from(response.body.toString().replaceAll(/"id":"[^"]*"/g, () => `"id":${JSON.stringify(key)}`)),
        }),
      },
      (target) => {
        key = target.actors.production.key;
        return target;
      },
    );
    expect(having(judged, 'error')).toEqual([]);
    expect(front.requests.some(({ method }) => method === 'POST')).toBe(true);
    expect(trespasses(front)).toEqual([]);
    expect(judged.said).toContain('it would carry a production credential in its path or body');
  });

  test('for a server that redirects', async () => {
    const elsewhere = await startFront();
    onTestFinished(() => elsewhere.close());
    const to = { Location: `${elsewhere.baseUrl}/api/v1/invoices` };
    const { front } = await run({ strikes: (count) => (count > 40 ? answering('307 Elsewhere', '', to) : null) });
    expect(trespasses(front)).toEqual([]);
    expect(elsewhere.requests).toEqual([]);
  });
});

test('mutations contain the production key and its secret only in their headers if the target file allows it', async () => {
  const allow = { reset: true, productionWrites: true };
  const { front, judged } = await run({}, (target) => ({ ...target, allow }), ['ENV', 'ISO', 'ORG', 'RESET']);
  expect(judged.exitCode, judged.said).toBe(0);
  const { key, secret } = front.service.target.actors.production;
  const writes = front.requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
  const holding = writes.filter((request) => [key, secret].some((value) => JSON.stringify(request).includes(value)));
  expect(holding.length).toBeGreaterThan(20);
  for (const { headers, url, body } of holding) {
    expect(headers).toMatchObject({ 'x-api-key': key, 'x-api-secret': secret });
    const { 'x-api-key': _, 'x-api-secret': __, ...others } = headers;
    const elsewhere = JSON.stringify([others, url, body]);
    expect([key, secret].filter((value) => elsewhere.includes(value))).toEqual([]);
  }
});

describe('credentials are sent only to the origin of the target, for any path in its file:', () => {
  test.each(['//{host}/{id}', '/..//{host}/{id}', '/@{host}/{id}', '/\\{host}/{id}'])('%s', async (path) => {
    const elsewhere = await startFront();
    onTestFinished(() => elsewhere.close());
    const host = new URL(elsewhere.baseUrl).host;
    const { front } = await run({}, (target) => ({
      ...target,
      operations: { read: { method: 'GET', path: path.replace('{host}', host) } },
    }));
    expect(front.requests).not.toEqual([]);
    expect(elsewhere.requests).toEqual([]);
  });
});
