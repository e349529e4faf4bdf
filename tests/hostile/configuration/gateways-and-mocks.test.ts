import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import { type Passing, startFront } from '../support/hostile-proxy.ts';
import { having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

const SOME = ['LIFE-01', 'LIFE-02', 'LIFE-04', 'AUTH-07', 'ISO-05', 'PERM-01', 'ERR-02', 'ERR-03', 'TREAS-01'];
const INVOICE = '/api/v1/invoices/{id}';

type Operations = RunningReference['target']['operations'];
type Rebound = (operations: Operations) => object;

const json = (status: number, body: object): Passing => ({
  status,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from(JSON.stringify(body)),
});

/** Responds to every request for which the service has no operation. */
const catchAll =
  (answerTo: (url: string) => Passing) =>
  (response: Passing, { url = '' }: IncomingMessage): Passing =>
    response.body.includes('"REQ003"') ? answerTo(url) : response;

/** Responds to one path and passes on all other requests. */
const mock =
  (path: string, said: Passing) =>
  (response: Passing, { url = '' }: IncomingMessage): Passing =>
    url.startsWith(path) ? said : response;

const typo = (name: string, path: string): Rebound => {
  return (operations) => ({ [name]: { ...operations[name as keyof typeof operations], path } });
};

const cases: [
  what: string,
  field: string,
  rebound: Rebound,
  changes: (response: Passing, of: IncomingMessage) => Passing,
][] = [
  [
    'a gateway that returns 403 for unknown paths',
    'approve',
    typo('approve', `${INVOICE}/aprove`),
    catchAll(() => json(403, { message: 'Missing Authentication Token' })),
  ],
  [
    'a gateway that returns 401 for unknown paths',
    'submit',
    typo('submit', `${INVOICE}/send`),
    catchAll(() => json(401, { message: 'Unauthorized' })),
  ],
  [
    'a framework that returns 500 with the path for unknown paths',
    'settle',
    typo('settle', `${INVOICE}/pay`),
    catchAll((path) => json(500, { timestamp: Date.now(), error: `No static resource ${path}`, code: 'GEN500' })),
  ],
  [
    'a mock that returns an empty object for unknown paths',
    'dispute',
    typo('dispute', `${INVOICE}/disput`),
    catchAll(() => json(200, {})),
  ],
  ['a mock of one action', 'approve', typo('approve', '/echo/{id}'), mock('/echo', json(200, { ok: true }))],
  ['a mock of deletions', 'delete', typo('delete', '/echo/{id}'), mock('/echo', json(200, { ok: true }))],
  [
    'a mock of withdrawals',
    'treasuryWithdraw',
    typo('treasuryWithdraw', '/echo'),
    mock('/echo', json(200, { ok: true })),
  ],
  ['a list in place of an invoice', 'read', typo('read', '/api/v1/invoices?id={id}&limit=100'), (response) => response],
  [
    'an approval and a settlement that are swapped',
    'approve',
    (operations) => ({
      approve: { ...operations.approve, path: `${INVOICE}/settle` },
      settle: { ...operations.settle, path: `${INVOICE}/approve` },
    }),
    (response) => response,
  ],
];

describe('no check fails because of an operation that is bound to', () => {
  test.each(cases)('%s', async (_, field, rebound, changes) => {
    const front = await startFront({ changes });
    onTestFinished(() => front.close());
    const target = front.target({ concurrency: 8 });
    const bound = front.service.target.operations;
    const operations = { ...bound, ...rebound(bound) } as Operations;
    const run = await judged({ ...target, allow: {}, operations }, { only: SOME });
    expect(having(run, 'fail'), run.said).toEqual([]);
    expect(having(run, 'warn')).toEqual([]);
    expect(run.exitCode).toBe(3);
    const blockedBy = new Set(run.report?.checks.map((each) => each.blockedBy));
    expect([...blockedBy]).toContain(`operations.${field} of the target file`);
  });
});

const ONE_INVOICE = JSON.stringify({
  items: [{ id: '1', invoiceNumber: 'A', status: 'DRAFT', amount: '1.00', currency: 'EUR', sellerOrganizationId: 's' }],
  total: 1,
  totalPages: 1,
  page: 0,
  limit: 100,
});

/** A run against a server with one response to every request. `isBare`: the target file has keys and no ids. */
async function runAgainst(status: number, type: string, body: string, isBare: boolean) {
  const server = createServer((_, response) => response.writeHead(status, { 'Content-Type': type }).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service = await startReference();
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await service.close();
  });
  const { actors, counterparties, ...target } = service.target;
  const bare = Object.fromEntries(
    Object.entries(actors).map(([name, { organizationId: _, ...credentials }]) => [name, credentials]),
  ) as typeof actors;
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const used = isBare ? { ...target, actors: bare } : { ...target, actors, counterparties };
  return await judged({ ...used, baseUrl, allow: {} });
}

describe('one response to every request', () => {
  test.each([true, false])('with a list of invoices is a problem of baseUrl (without ids: %s)', async (isBare) => {
    const { exitCode, said } = await runAgainst(200, 'application/json', ONE_INVOICE, isBare);
    expect([exitCode, said.split('\n')]).toEqual([
      2,
      [
        expect.stringMatching(
          /^baseUrl: \S+ returns the same response to every request, .* \(application\/json: 200 \{"items".*; correct baseUrl/,
        ),
      ],
    ]);
  });

  test.each([
    ['baseUrl', 200],
    ['headers', 403],
  ])('with a web page is a problem of %s (%i), which shows its beginning', async (field, status) => {
    const { exitCode, said } = await runAgainst(status, 'text/html', '<html>\n<body>Sign in</body></html>', false);
    expect([exitCode, said]).toEqual([
      2,
      expect.stringMatching(
        new RegExp(
          `^${field}: \\S+ returns ${status} with a web page \\(text/html: <html> <body>Sign in</body></html>\\)`,
        ),
      ),
    ]);
  });

  test.each([503, 429])('with %i ends soon, and no check fails', async (status) => {
    const started = performance.now();
    const found = await runAgainst(status, 'text/html', '<html><body>Waiting room</body></html>', false);
    expect(found.exitCode, found.said).toBe(3);
    expect(having(found, 'fail')).toEqual([]);
    // The preflight waits as the contract recommends; the run does not wait again.
    expect(performance.now() - started).toBeLessThan(25_000);
    if (status === 503)
      expect(found.said).toMatch(
        /returns 503 to every request, .* \(text\/html: 503 <html><body>Waiting room<\/body><\/html>\); start the service, correct baseUrl/,
      );
  });
});
