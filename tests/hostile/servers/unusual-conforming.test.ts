import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { type FrontOptions, type Passing, type Strike, startFront } from '../support/hostile-proxy.ts';
import { HANDFUL, having, judged, LONGEST_MS } from '../support/judged-run.ts';

vi.setConfig({ testTimeout: 2 * LONGEST_MS });

/** Deeper than the stack of Node. */
const DEPTH = 20_000;

/** Adds a member to every JSON object in a body. The contract does not forbid it. */
function withMember(member: string): FrontOptions {
  const changes = (response: Passing): Passing => {
    const text = response.body.toString();
    return { ...response, body: Buffer.from(text.replaceAll(/\{(?=")/g, `{${member},`)) };
  };
  return { changes };
}

const odd: [string, FrontOptions][] = [
  [
    'adds members of depth 20,000 to every body',
    {
      changes: (response) => ({
        ...response,
        body: Buffer.from(
          response.body.toString().replace(/^\{(?=")/, `{"deep":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)},`),
        ),
      }),
    },
  ],
  ['adds __proto__ to every object', withMember('"__proto__":{"status":"SETTLED","code":"INV003"}')],
  ['adds lone surrogates to every object', withMember('"note\\ud800":"\\udfff"')],
  ['adds executable text to every object', withMember('"note":"</script><b>\\u001b[31m\\n]]>"')],
  [
    'escapes the hyphens of every text, as some services escape slashes and umlauts',
    {
      changes: (response) => ({ ...response, body: Buffer.from(response.body.toString().replaceAll('-', '\\u002d')) }),
    },
  ],
  [
    'has headers of 64 KB',
    { changes: (response) => ({ ...response, headers: [...response.headers, ...longHeaders()] }) },
  ],
  [
    'compresses responses without a request for it',
    {
      changes: ({ status, headers, body }) =>
        body.length === 0
          ? { status, headers, body }
          : { status, headers: [...headers, ['Content-Encoding', 'gzip']], body: gzipSync(body) },
    },
  ],
  ['delays every response by two seconds', { lateMs: 2000 }],
  ['closes each connection at its third request', onThird((socket) => socket.destroy())],
  [
    'returns 408 to the third request of each connection',
    onThird((socket) => socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')),
  ],
];

/** Closes kept connections, as servers and load balancers do, while the next request is on its way. */
function onThird(strike: Strike): FrontOptions {
  const served = new WeakMap<Socket, number>();
  const strikes = (_: number, { socket }: IncomingMessage): Strike | null => {
    served.set(socket, (served.get(socket) ?? 0) + 1);
    return served.get(socket) === 3 ? strike : null;
  };
  return { strikes };
}

function longHeaders(): [string, string][] {
  return Array.from({ length: 8 }, (_, at): [string, string] => [`X-Long-${at}`, 'x'.repeat(8 * 1024)]);
}

const UNDEPLOYED = '{"error":"The environment is not available","code":"GW_ENVIRONMENT_UNAVAILABLE"}';

/** The first request for each production invoice, or with production named, finds no instance. */
function comingUp(): FrontOptions {
  const met = new Set<string>();
  const strikes = (_: number, { headers, url = '' }: IncomingMessage): Strike | null => {
    if (!String(headers['x-api-key']).startsWith('svc_prod_')) return null;
    const asked = `${headers['x-environment'] ?? ''} ${url}`;
    const first = !met.has(asked) && (headers['x-environment'] === 'PRODUCTION' || /\/invoices\/./.test(url));
    met.add(asked);
    return first ? undeployed : null;
  };
  return { strikes };
}

const undeployed: Strike = (socket) =>
  socket.end(
    `HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${UNDEPLOYED.length}\r\n\r\n${UNDEPLOYED}`,
  );

/** For one key, returns the same five invoices on every page, so the last page is also the first. */
function onePageFor(key: () => string): FrontOptions {
  const items = Array.from({ length: 5 }, (_, at) => ({
    id: `one-page-${at}`,
    createdAt: `2026-01-0${at + 1}T00:00:00Z`,
  }));
  const changes = (response: Passing, { headers }: IncomingMessage): Passing => {
    if (headers['x-api-key'] !== key()) return response;
    const page = { items, total: items.length, totalPages: 1, page: 0, limit: items.length };
    return { ...response, body: Buffer.from(JSON.stringify(page)) };
  };
  return { changes };
}

describe.concurrent('a conforming server that', () => {
  test('shows its last page again past the end does not fail for a key with one page', async () => {
    const front = await startFront(onePageFor(() => front.service.target.actors.outsider.key));
    try {
      const run = await judged(front.target({ concurrency: 4 }), { only: ['LIST-04.every-key'] });
      expect(having(run, 'fail')).toEqual([]);
      expect(
        front.requests.some(
          ({ url, headers }) =>
            url.includes('page=1') && headers['x-api-key'] === front.service.target.actors.outsider.key,
        ),
      ).toBe(true);
    } finally {
      await front.close();
    }
  });

  test('has production instances that are still starting is conformant', async () => {
    const front = await startFront(comingUp());
    try {
      const only = ['ORG-02.production-read', 'ENV-03.production-list'];
      const run = await judged(front.target({ concurrency: 4 }), { only });
      expect(having(run, 'fail')).toEqual([]);
      expect(run.exitCode).toBe(0);
      expect(having(run, 'pass')).toEqual(expect.arrayContaining(['ORG-02.production-read', 'ENV-03.production-list']));
    } finally {
      await front.close();
    }
  });

  test.for(odd)('%s is conformant', async ([, options]) => {
    const front = await startFront(options);
    try {
      const limits = { concurrency: 32, requestTimeoutMs: 10_000 };
      const only = options.lateMs ? ['AUTH-01', 'CREATE-11'] : HANDFUL;
      const run = await judged(front.target(limits), { only });
      const odd = run.report?.checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
      expect(odd?.map(({ id, verdict, reason }) => `${verdict} ${id} ${reason}`)).toEqual([]);
      expect(run.exitCode).toBe(0);
      expect(having(run, 'pass')).not.toEqual([]);
    } finally {
      await front.close();
    }
  });
});
