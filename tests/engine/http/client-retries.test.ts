import type { RequestListener, ServerResponse } from 'node:http';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { backoffMs } from '../../../engine/http/backoff.ts';
import { Blocked, Interrupted, NoResponse } from '../../../engine/model/outcomes.ts';
import { ask, clientFor } from '../support/clients.ts';
import { DEAD_URL, httpServer, restartingServer } from '../support/servers.ts';
import { targetAt } from '../support/targets.ts';

/**
 * Records the waits of the client instead of waiting. Other files share the modules: none may be loaded already, or
 * stay loaded.
 */
const waits = vi.hoisted((): number[] => {
  vi.resetModules();
  return [];
});
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number, _: unknown, options?: { signal?: AbortSignal }) => {
    waits.push(ms);
    await new Promise((resolve) => setImmediate(resolve));
    options?.signal?.throwIfAborted();
  },
}));
beforeEach(() => {
  waits.length = 0;
});
afterAll(() => {
  vi.resetModules();
});

type Reply = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const hangUp: Reply = (response) => response.socket?.destroy();

/** Gives the replies in order. The last one is repeated. */
function inTurn(...replies: Reply[]): RequestListener {
  let count = 0;
  return (_, response) => {
    replies[Math.min(count, replies.length - 1)]?.(response);
    count += 1;
  };
}

async function bugged(listener: RequestListener, requestTimeoutMs = 5000) {
  const target = targetAt(await httpServer(listener), { limits: { requestTimeoutMs } });
  return { ...clientFor(target), request: ask(target) };
}

describe('a transient response', () => {
  test.each([502, 503, 504])('%i is retried, and both attempts are evidence', async (status) => {
    const {
      client,
      exchanges,
      answers: responses,
      request,
    } = await bugged(inTurn(json(status, {}), json(200, { ok: true })));
    const told: string[] = [];
    const answer = await client.send(
      request,
      'AUTH-01.both-missing',
      (id) => told.push(id),
      () => told.push('leaves'),
    );
    expect(answer).toMatchObject({ status: 200, exchange: 'x2', json: { ok: true } });
    expect(exchanges.map(({ id, attempt, response }) => [id, attempt, response?.status])).toEqual([
      ['x1', 1, status],
      ['x2', 2, 200],
    ]);
    expect(told).toEqual(['leaves', 'x1', 'x2']);
    expect(responses.map((each) => each.status)).toEqual([status, 200]);
  });

  test('to every request is retried three times with growing pauses, and then nothing can be judged', async () => {
    const { client, exchanges, request } = await bugged(inTurn(json(503, {})));
    const thrown: unknown = await client.send(request, null).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Blocked);
    expect(exchanges.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(waits).toHaveLength(3);
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(1000 * 2 ** at);
      expect(wait).toBeLessThanOrEqual(1100 * 2 ** at);
    }
  });

  test('to one request alone is final after the retries', async () => {
    const { client, exchanges, request } = await bugged((incoming, response) =>
      json(incoming.url?.startsWith('/api/v1/invoices/1') ? 503 : 200, {})(response),
    );
    expect(await client.send(request, null)).toMatchObject({ status: 503 });
    // The last attempt is sent while nothing else is under way.
    expect(exchanges).toHaveLength(5);
  });

  test('caused by concurrency disappears when the request is sent alone', async () => {
    let underWay = 0;
    const target = targetAt(
      await httpServer((_, response) => {
        underWay += 1;
        const status = underWay > 1 ? 503 : 200;
        setTimeout(() => {
          underWay -= 1;
          json(status, {})(response);
        }, 5);
      }),
    );
    const { client } = clientFor(target, { outageTimeoutMs: 5000 });
    const responses = await Promise.all(Array.from({ length: 40 }, () => client.send(ask(target), null)));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
  });

  test.each([
    ['named', { headers: [['X-Environment', 'PRODUCTION']] }],
    ['that of the key', { credentials: [['X-API-Key', 'svc_prod_1']] }],
  ] as const)('is final if it says that production, which is %s, is unavailable', async (_, asked) => {
    const { client, exchanges, request } = await bugged(inTurn(json(503, { code: 'GW_ENVIRONMENT_UNAVAILABLE' })));
    expect(await client.send({ ...request, ...asked }, null)).toMatchObject({ status: 503 });
    expect(exchanges).toHaveLength(1);
  });

  test('is retried if it says that the sandbox is unavailable', async () => {
    const away = json(503, { code: 'GW_ENVIRONMENT_UNAVAILABLE' });
    const { client, exchanges, request } = await bugged(inTurn(away, json(200, {})));
    expect(await client.send(request, null)).toMatchObject({ status: 200 });
    expect(exchanges).toHaveLength(2);
  });
});

describe('a breach is never retried', () => {
  test.each([
    ['a rejection', json(409, { error: 'no', code: 'INV003' })],
    ['an authentication failure', json(401, { error: 'no', message: 'no' })],
    ['a body that is not JSON', (response: ServerResponse) => void response.writeHead(200).end('<html>')],
    ['an empty body', (response: ServerResponse) => void response.writeHead(200).end()],
  ] as [string, Reply][])('%s is returned after one attempt', async (_, reply) => {
    const { client, exchanges, request } = await bugged(inTurn(reply, json(200, {})));
    expect((await client.send(request, null)).exchange).toBe('x1');
    expect(exchanges).toHaveLength(1);
    expect(waits).toEqual([]);
  });
});

describe('a rate limiter', () => {
  test('without a waiting time is retried after a pause, even for many requests at once', async () => {
    const now = json(429, {}, { 'X-RateLimit-Reset': '0' });
    const { client, request } = await bugged(inTurn(...Array.from({ length: 22 }, () => now), json(200, {})));
    const responses = await Promise.all(Array.from({ length: 40 }, () => client.send(request, null)));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
  });

  test('is obeyed: the next attempt is sent at X-RateLimit-Reset', async () => {
    const at: number[] = [];
    const replies = inTurn(json(429, {}, { 'X-RateLimit-Reset': '0.3' }), json(200, {}));
    const { client, exchanges, request } = await bugged((incoming, response) => {
      at.push(performance.now());
      replies(incoming, response);
    });
    expect(await client.send(request, null)).toMatchObject({ status: 200 });
    expect(exchanges.map(({ attempt, response }) => [attempt, response?.status])).toEqual([
      [1, 429],
      [2, 200],
    ]);
    const [first = 0, second = 0] = at;
    expect(second - first).toBeGreaterThanOrEqual(295);
  });

  test('may reject more often than a gateway, but not for ever and every request', async () => {
    const { client, exchanges, request } = await bugged(inTurn(json(429, {}, { 'X-RateLimit-Reset': '0' })));
    const thrown: unknown = await client.send(request, null).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Blocked);
    expect(thrown).toHaveProperty('message', expect.stringContaining('429 to every request, although the kit waits'));
    expect(exchanges).toHaveLength(6);
    await expect(client.send(request, null)).rejects.toThrow('429 to every request');
    expect(exchanges).toHaveLength(6);
  });

  test('with a limit that ends in an hour is not waited for, and its actor sends nothing more', async () => {
    const { client, exchanges, request } = await bugged(
      inTurn(json(429, {}, { 'X-RateLimit-Reset': '3600' }), json(200, {})),
    );
    const until = new Date(Date.now() + 3_600_000).toISOString().slice(0, 13);
    await expect(client.send(request, null)).rejects.toThrow(`the target returns 429 to seller until ${until}`);
    await expect(client.send(request, null)).rejects.toThrow('the kit waits one minute at most');
    expect(exchanges).toHaveLength(1);
    expect(await client.send({ ...request, actorLabel: 'buyer' }, null)).toMatchObject({ status: 200 });
  });

  test('does not change the retries of other transient responses', async () => {
    const limited = json(429, {}, { 'X-RateLimit-Reset': '0' });
    const { client, request } = await bugged(
      inTurn(limited, limited, limited, limited, json(503, {}), json(503, {}), json(503, {}), json(200, {})),
    );
    expect(await client.send(request, null)).toMatchObject({ status: 200 });
    for (const wait of waits) expect(wait).toBeLessThanOrEqual(4400);
  });
});

describe('no response', () => {
  test('to one request, while others succeed, blocks that request', async () => {
    const {
      client,
      exchanges,
      answers: responses,
      request,
    } = await bugged((incoming, response) =>
      (incoming.url?.startsWith('/api/v1/invoices/1') ? hangUp : json(200, {}))(response),
    );
    const thrown: unknown = await client.send(request, null).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(NoResponse);
    expect(thrown).toMatchObject({ exchange: 'x5', requestLine: 'GET /api/v1/invoices/1' });
    expect(exchanges.map(({ attempt, response, failure }) => [attempt, response, failure?.kind])).toEqual([
      [1, null, 'closed'],
      [2, null, 'closed'],
      [3, null, 'closed'],
      [4, null, 'closed'],
      [5, null, 'closed'],
    ]);
    expect(responses).toEqual([]);
  });

  test('is tried more often if many other requests lost their connection and succeeded later', async () => {
    const asked = new Map<string, number>();
    const { client, exchanges, request } = await bugged((incoming, response) => {
      const { url = '' } = incoming;
      const count = (asked.get(url) ?? 0) + 1;
      asked.set(url, count);
      const closings = url.endsWith('/always') ? Number.POSITIVE_INFINITY : url.endsWith('/unlucky') ? 7 : 1;
      (url.includes('/invoices/') && count <= closings ? hangUp : json(200, {}))(response);
    });
    const sent = (name: string) => client.send({ ...request, path: `/api/v1/invoices/${name}` }, null);
    await expect(sent('unlucky')).rejects.toBeInstanceOf(NoResponse);
    asked.clear();
    for (let at = 0; at < 20; at += 1) await sent(`other-${at}`);
    expect(await sent('unlucky')).toMatchObject({ status: 200 });
    const before = exchanges.length;
    await expect(sent('always')).rejects.toBeInstanceOf(NoResponse);
    expect(exchanges.length - before).toBe(13);
  });

  test('because of a missing connection does not count against a request', async () => {
    const target = targetAt(await restartingServer(4));
    const { client, exchanges } = clientFor(target, { outageTimeoutMs: 5000 });
    expect(await client.send(ask(target), null)).toMatchObject({ status: 200 });
    expect(exchanges.filter(({ failure }) => failure?.kind === 'refused').length).toBeGreaterThan(3);
  });

  test('is assumed for a 408 on an idle connection', async () => {
    const { client, exchanges, request } = await bugged(inTurn(json(408, {}, { Connection: 'close' }), json(200, {})));
    expect(await client.send(request, null)).toMatchObject({ status: 200, mayHaveDuplicatedMutation: false });
    expect(exchanges.map(({ response }) => response?.status)).toEqual([408, 200]);
  });

  test('is not assumed for a 408 on every attempt', async () => {
    const { client, request } = await bugged(inTurn(json(408, {})));
    expect(await client.send(request, null)).toMatchObject({ status: 408 });
  });

  test('on a kept connection that closes leads to a new connection', async () => {
    const used = new WeakSet<object>();
    // Half of the kept connections are exhausted at any time: five of them in turn, for one of thirty requests.
    const once: RequestListener = ({ socket }, response) => {
      (used.has(socket) ? hangUp : json(200, {}))(response);
      used.add(socket);
    };
    const { client, request } = await bugged(once);
    const responses = await Promise.all(
      Array.from({ length: 400 }, async () => await client.send(request, 'AUTH-01.both-missing')),
    );
    expect(responses.every(({ status }) => status === 200)).toBe(true);
  });

  test('is final for a request that may end without a response', async () => {
    const { client, exchanges, request } = await bugged(inTurn(hangUp, json(200, {})));
    await expect(client.send({ ...request, mayEndWithoutResponse: true }, 'a')).rejects.toThrow(NoResponse);
    expect(exchanges).toHaveLength(1);
  });

  test('at first is retried', async () => {
    const { client, exchanges, request } = await bugged(inTurn(hangUp, json(200, {}), json(200, {})));
    expect(await client.send(request, null)).toMatchObject({ status: 200 });
    expect(exchanges).toHaveLength(2);
  });

  test('within the deadline is retried once', async () => {
    const { client, exchanges, request } = await bugged((incoming, response) => {
      if (!incoming.url?.startsWith('/api/v1/invoices/1')) json(200, {})(response);
    }, 500);
    // The test sets no time limit for a response.
    await expect(client.send(request, null)).rejects.toMatchObject({
      blockedBy: 'limits.requestTimeoutMs of the target file',
    });
    expect(exchanges.map(({ failure }) => failure?.kind)).toEqual(['timeout', 'timeout']);
  });

  test('from a target that has stopped blocks, and no further request is sent', async () => {
    const target = targetAt(DEAD_URL);
    const { client, exchanges } = clientFor(target);
    const thrown: unknown = await client.send(ask(target), null).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Blocked);
    expect(thrown).toMatchObject({ blockedBy: 'target' });
    await expect(client.send(ask(target), null)).rejects.toThrow('stopped responding at 20');
    expect(exchanges).toHaveLength(1);
  });

  test('from a target that responds again in time is no outage', async () => {
    // Does not respond to the request and to two probes, and then recovers.
    const target = targetAt(await httpServer(inTurn(hangUp, hangUp, hangUp, json(200, {}))));
    const { client, exchanges } = clientFor(target, { outageTimeoutMs: 30_000 });
    expect(await client.send(ask(target), null)).toMatchObject({ status: 200 });
    expect(exchanges).toHaveLength(2);
  });
});

describe('a stop', () => {
  test('before a request prevents it', async () => {
    let asked = 0;
    const stop = new AbortController();
    const target = targetAt(
      await httpServer((_, response) => {
        asked += 1;
        response.end();
      }),
    );
    const { client } = clientFor(target, { signal: stop.signal });
    stop.abort();
    await expect(client.send(ask(target), null)).rejects.toThrow(Interrupted);
    expect(asked).toBe(0);
  });

  test('ends a request under way and the wait for the next attempt', async () => {
    const stop = new AbortController();
    const hanging = targetAt(await httpServer(() => stop.abort()));
    await expect(clientFor(hanging, { signal: stop.signal }).client.send(ask(hanging), null)).rejects.toThrow(
      Interrupted,
    );

    const again = new AbortController();
    const busy = targetAt(await httpServer((_, response) => json(503, {})(response)));
    const { client } = clientFor(busy, { signal: again.signal, onResponse: () => again.abort() });
    await expect(client.send(ask(busy), null)).rejects.toThrow(Interrupted);
  });
});

test('the pause before an attempt is the one the contract recommends', () => {
  for (const [attempt, least] of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
    expect(backoffMs(attempt)).toBeGreaterThanOrEqual(least);
    expect(backoffMs(attempt)).toBeLessThanOrEqual(least * 1.1);
  }
});

describe('an internal error', () => {
  const post = { method: 'POST', body: {} } as const;

  test('that passes is retried, and the request may have been carried out twice', async () => {
    const { client, exchanges, answers: responses, request } = await bugged(inTurn(json(500, {}), json(200, {})));
    expect(await client.send({ ...request, ...post }, null)).toMatchObject({
      status: 200,
      mayHaveDuplicatedMutation: true,
    });
    expect(exchanges.map(({ response }) => response?.status)).toEqual([500, 200]);
    expect(responses.map(({ status }) => status)).toEqual([200]);
  });

  test('that stays is final and cannot have been carried out twice', async () => {
    const { client, exchanges, request } = await bugged(inTurn(json(500, {})));
    expect(await client.send({ ...request, ...post }, null)).toMatchObject({
      status: 500,
      mayHaveDuplicatedMutation: false,
    });
    expect(exchanges).toHaveLength(3);
  });

  test('is not retried any more if retries never help', async () => {
    const { client, exchanges, request } = await bugged(inTurn(json(500, {})));
    for (let times = 0; times < 21; times += 1) await client.send(request, null);
    expect(exchanges).toHaveLength(20 * 3 + 1);
  });
});

describe('a change whose response was lost', () => {
  const post = { method: 'POST', body: {} } as const;

  test.each([
    ['a closed connection', hangUp],
    ['a transient response', json(504, {})],
  ])('by %s is repeated, and the response says so', async (_, lost) => {
    const { client, request } = await bugged(inTurn(lost, json(200, {}), json(200, {})));
    expect(await client.send({ ...request, ...post }, null)).toMatchObject({
      status: 200,
      mayHaveDuplicatedMutation: true,
    });
    expect(await client.send({ ...request, ...post }, null)).toMatchObject({
      status: 200,
      mayHaveDuplicatedMutation: false,
    });
  });

  test('is not marked for reads and for requests that were not sent', async () => {
    const { client, request } = await bugged(inTurn(hangUp, json(200, {}), json(429, {}), json(200, {})));
    expect(await client.send(request, null)).toMatchObject({ mayHaveDuplicatedMutation: false });
    expect(await client.send({ ...request, ...post }, null)).toMatchObject({ mayHaveDuplicatedMutation: false });
  });
});

describe('last-byte synchronization', () => {
  test('retries the requests that got a transient response', async () => {
    const { client, exchanges, request } = await bugged(inTurn(json(503, {}), json(200, {})));
    const asks = [1, 2, 3].map((at) => ({ ...request, path: `/${at}` }));
    const told: string[] = [];
    const responses = await client.sendSimultaneously(asks, null, (id) => told.push(id));
    expect(responses.map(({ request: { path }, status }) => [path, status])).toEqual([
      ['/1', 200],
      ['/2', 200],
      ['/3', 200],
    ]);
    expect(exchanges).toHaveLength(4);
    expect(told).toHaveLength(4);
  });
});
