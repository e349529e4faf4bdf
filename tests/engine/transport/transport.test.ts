import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isFailure, Transport, type WireResponse } from '../../../engine/transport/transport.ts';
import type { WireFailure } from '../../../engine/transport/transport-failure.ts';
import { DEAD_URL, httpServer, rawServer } from '../support/servers.ts';

const CAP = 8 * 1024 * 1024;

function transport(timeoutMs = 5000): Transport {
  const made = new Transport({ timeoutMs });
  onTestFinished(() => made.close());
  return made;
}

async function get(url: string, timeoutMs?: number): Promise<WireResponse | WireFailure> {
  return await transport(timeoutMs).exchange({ method: 'GET', url, headers: [], body: null });
}

async function failure(url: string, timeoutMs?: number): Promise<WireFailure> {
  const result = await get(url, timeoutMs);
  if (!isFailure(result)) throw new Error(`an answer came: ${result.status}`);
  return result;
}

describe('an exchange', () => {
  test.each([
    ['at once', ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}']],
    ['before it', ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}']],
    [
      'in pieces, twice',
      [
        'HT',
        'TP/1.1 100 \r\nX-A: 1\r',
        '\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP',
        '/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}',
      ],
    ],
  ])('ignores an unrequested 100 Continue, %s', async (_, pieces) => {
    const url = await rawServer(async (socket) => {
      socket.setNoDelay(true);
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((sent) => setTimeout(sent, 20));
      }
    });
    expect(await get(url)).toMatchObject({ status: 200, text: '{}' });
  });

  test('continues after responses that contain text like a 100 Continue', async () => {
    const text = JSON.stringify('HTTP/1.1 100 Continue\r\n\r\n');
    const url = await httpServer((_, response) => response.end(text));
    const one = new Transport({ timeoutMs: 5000 });
    onTestFinished(() => one.close());
    for (let count = 0; count < 3; count += 1)
      expect(await one.exchange({ method: 'GET', url, headers: [], body: null })).toMatchObject({ text });
  });

  test('sends method, headers and body in order, and nothing else', async () => {
    let seen: unknown;
    const url = await httpServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen = { method: request.method, headers: request.rawHeaders, body: Buffer.concat(chunks).toString() };
        response.writeHead(201, { 'X-Seen': 'yes' }).end('{"ok":true}');
      });
    });
    const wire = { method: 'POST', url, headers: [['X-B', '1'] as const, ['X-A', '2'] as const], body: '{}' };
    const result = await transport().exchange(wire);
    expect(result).toMatchObject({ status: 201, text: '{"ok":true}', bytes: 11, truncated: false });
    expect(result).toHaveProperty('headers', expect.arrayContaining([['x-seen', 'yes']]));
    expect(seen).toMatchObject({ method: 'POST', body: '{}' });
    const { headers } = seen as { headers: string[] };
    expect(headers.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase())).toEqual([
      'host',
      'connection',
      'x-b',
      'x-a',
      'content-length',
    ]);
  });

  test.each(['', '?a=b', '/a/../b/./c', '/%2e%2e/a%2Fb', '/é?q=é', '\\a\\b', '//host/a', '/a#b'])(
    'requests what the URL parser reads, as the production guard does: %j',
    async (rest) => {
      let seen: string | undefined;
      const url = await httpServer((request, response) => {
        seen = request.url;
        response.end();
      });
      await get(`${url}${rest}`);
      const { pathname, search } = new URL(`${url}${rest}`);
      expect(seen).toBe(`${pathname}${search}`);
    },
  );

  test('keeps repeated headers', async () => {
    const url = await rawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nX-Two: a\r\nX-Two: b\r\nContent-Length: 0\r\n\r\n'),
    );
    const result = await get(url);
    expect(isFailure(result) ? [] : result.headers.filter(([name]) => name === 'x-two')).toEqual([
      ['x-two', 'a'],
      ['x-two', 'b'],
    ]);
  });

  test('follows no redirect', async () => {
    const paths: (string | undefined)[] = [];
    const url = await httpServer((request, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await get(`${url}/here`)).toMatchObject({ status: 307, text: '' });
    expect(paths).toEqual(['/here']);
  });
});

describe('a server', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

  test('that never responds exceeds the deadline', async () => {
    const url = await rawServer(() => {});
    expect(await failure(url, 150)).toMatchObject({ kind: 'timeout', message: 'no complete response within 150 ms' });
  });

  test('that sends its body slowly exceeds the same deadline', async () => {
    const url = await rawServer((socket) => {
      socket.write(`${head}Content-Length: 100000\r\n\r\n`);
      const drop = setInterval(() => socket.write('x'), 10);
      socket.once('close', () => clearInterval(drop));
    });
    expect(await failure(url, 200)).toMatchObject({ kind: 'timeout' });
  });

  test('with an endless body gives a truncated response that says so', async () => {
    const url = await rawServer((socket) => {
      socket.write(`${head}\r\n`);
      pour(socket);
    });
    const result = await get(url, 20_000);
    if (isFailure(result)) throw new Error(result.message);
    expect(result).toMatchObject({ status: 200, truncated: true });
    expect(result.text.length).toBeLessThanOrEqual(CAP);
    expect(result.text.length).toBeGreaterThan(CAP / 2);
  });

  test('that closes the connection during a body gives no response', async () => {
    const url = await rawServer((socket) => {
      socket.write(`${head}Content-Length: 100\r\n\r\n{"half":`);
      setImmediate(() => socket.destroy());
    });
    expect(await failure(url)).toMatchObject({ kind: 'closed' });
  });

  test('that closes the connection at once gives no response', async () => {
    expect(await failure(await rawServer((socket) => socket.destroy()))).toMatchObject({ kind: 'closed' });
  });

  test('that does not use HTTP gives no response', async () => {
    const url = await rawServer((socket) => socket.end('I am a teapot.\r\n\r\n'));
    expect(await failure(url)).toMatchObject({ kind: 'protocol' });
  });

  test('with contradictory lengths gives no response', async () => {
    const url = await rawServer((socket) =>
      socket.end(`${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    );
    expect(await failure(url)).toMatchObject({ kind: 'protocol' });
  });

  test('that does not run rejects the connection', async () => {
    expect(await failure(DEAD_URL)).toMatchObject({ kind: 'refused', message: 'no connection (ECONNREFUSED)' });
  });

  test('with an unknown host name is reported with its name', async () => {
    expect(await failure('http://nobody.invalid/')).toMatchObject({ kind: 'dns' });
  });

  test('with plain HTTP under https is a TLS failure', async () => {
    const url = await httpServer((_, response) => response.end());
    expect(await failure(url.replace('http:', 'https:'))).toMatchObject({ kind: 'tls' });
  });
});

test('a stop aborts the exchange under way', async () => {
  const stop = new AbortController();
  const url = await rawServer(() => stop.abort());
  const one = new Transport({ timeoutMs: 30_000, signal: stop.signal });
  onTestFinished(() => one.close());
  const wire = { method: 'GET', url, headers: [], body: null };
  expect(await one.exchange(wire)).toMatchObject({ kind: 'closed' });
});

function pour(socket: Socket): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

describe('last-byte synchronization', () => {
  /** Records when the head of each request has arrived, and when the whole request has. */
  async function arrivals(count: number, wire: { method: string; body: string | null }) {
    const diary: string[] = [];
    const url = await httpServer((request, response) => {
      diary.push('head');
      request.on('data', () => {});
      request.on('end', () => {
        diary.push('end');
        response.end(JSON.stringify({ at: request.url }));
      });
    });
    const wires = Array.from({ length: count }, (_, at) => ({ ...wire, url: `${url}/${at}`, headers: [] }));
    return { diary, results: await transport().exchangeSimultaneously(wires) };
  }

  test('waits until every request is sent except for its last byte', async () => {
    const held = [...Array(12).fill('head'), ...Array(12).fill('end')];
    const body = JSON.stringify({ text: 'x'.repeat(5000) });
    let { diary, results } = await arrivals(12, { method: 'POST', body });
    // If this process cannot read for a while, both parts of a request may already be there.
    for (let more = 0; more < 9 && diary.join() !== held.join(); more += 1) {
      ({ diary, results } = await arrivals(12, { method: 'POST', body }));
    }
    expect(diary).toEqual(held);
    expect(results.map((result) => !isFailure(result) && result.text)).toEqual(
      Array.from({ length: 12 }, (_, at) => JSON.stringify({ at: `/${at}` })),
    );
  });

  test('works without bodies, too', async () => {
    const { results } = await arrivals(3, { method: 'POST', body: null });
    expect(results.map((result) => !isFailure(result) && result.status)).toEqual([200, 200, 200]);
  });

  test('uses the open connections and releases them for later requests', async () => {
    const connections = new Set<Socket>();
    const url = await httpServer((request, response) => {
      connections.add(request.socket);
      request.resume().on('end', () => response.end(request.url));
    });
    const one = transport();
    const wire = { method: 'POST', headers: [], body: '{"a":1}' };
    const paths = (results: (WireResponse | WireFailure)[]) =>
      results.map((result) => !isFailure(result) && result.text);
    for (let turn = 0; turn < 3; turn += 1) {
      const wires = ['/0', '/1', '/2'].map((path) => ({ ...wire, url: `${url}${path}` }));
      expect(paths(await one.exchangeSimultaneously(wires))).toEqual(['/0', '/1', '/2']);
      expect(paths([await one.exchange({ ...wire, url: `${url}/alone` })])).toEqual(['/alone']);
    }
    expect(connections.size).toBe(3);
  });

  test('sends the last byte even after an early response, so that the next request is parsed', async () => {
    const bodies: string[] = [];
    const url = await httpServer((request, response) => {
      if (request.url === '/hasty') response.end('hasty');
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        bodies.push(body);
        if (request.url !== '/hasty') response.end('patient');
      });
    });
    const one = transport();
    const wire = { method: 'POST', headers: [], body: '{"a":1}' };
    const hasty = { ...wire, url: `${url}/hasty` };
    expect(await one.exchangeSimultaneously([hasty, hasty])).toMatchObject([{ text: 'hasty' }, { text: 'hasty' }]);
    for (const turn of [2, 3]) {
      expect(await one.exchange({ ...wire, url })).toMatchObject({ text: 'patient' });
      expect(bodies).toHaveLength(turn + 1);
    }
    expect(new Set(bodies)).toEqual(new Set(['{"a":1}']));
  });

  test('reports a failure of its own for a closed connection and completes the others', async () => {
    const url = await httpServer((request, response) => {
      request.resume();
      if (request.url === '/cut') request.socket.destroy();
      else request.on('end', () => response.end('whole'));
    });
    const wire = { method: 'POST', headers: [], body: '{"a":1}' };
    const wires = ['/cut', '/', '/cut', '/'].map((path) => ({ ...wire, url: `${url}${path}` }));
    const [first, second, third, fourth] = await transport().exchangeSimultaneously(wires);
    expect([first, third]).toMatchObject([{ kind: 'closed' }, { kind: 'closed' }]);
    expect([second, fourth]).toMatchObject([{ text: 'whole' }, { text: 'whole' }]);
  });

  test('ends if the server does not listen or respond', async () => {
    const wire = { method: 'GET', headers: [], body: null };
    const [refused] = await transport().exchangeSimultaneously([{ ...wire, url: DEAD_URL }]);
    expect(refused).toMatchObject({ kind: 'refused' });
    const silent = await rawServer(() => {});
    const results = await transport(200).exchangeSimultaneously([
      { ...wire, url: silent },
      { ...wire, url: silent },
    ]);
    expect(results).toMatchObject([{ kind: 'timeout' }, { kind: 'timeout' }]);
  });
});
