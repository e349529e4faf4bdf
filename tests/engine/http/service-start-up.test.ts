import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isStarting, waitForStart } from '../../../engine/http/service-start-up.ts';
import { runPreflight } from '../../../engine/preflight/preflight.ts';
import type { WireResult } from '../../../engine/transport/transport.ts';
import { clientFor } from '../support/clients.ts';
import { freePort } from '../support/free-port.ts';
import { httpServer } from '../support/servers.ts';
import { targetAt } from '../support/targets.ts';

const LIST = JSON.stringify({ items: [], total: 0, totalPages: 0, page: 0, limit: 100 });
const answered = (status: number): WireResult => ({ status, headers: [], text: '', bytes: 0, truncated: false });
const failed = (kind: 'refused' | 'closed' | 'tls' | 'proxy'): WireResult => ({ kind, message: '', remedy: '' });

describe('a server that starts', () => {
  test.each([502, 503, 504])('returns %i', (status) => expect(isStarting(answered(status))).toBe(true));
  test.each(['refused', 'closed'] as const)('is %s', (kind) => expect(isStarting(failed(kind))).toBe(true));
  test.each([200, 401, 403, 404, 500])('does not return %i', (status) =>
    expect(isStarting(answered(status))).toBe(false),
  );
  test.each(['tls', 'proxy'] as const)('does not fail by %s', (kind) => expect(isStarting(failed(kind))).toBe(false));
});

describe('the wait for a server that starts', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function waited(startsAfterMs: number, withinMs: number) {
    const begin = performance.now();
    let looks = 0;
    const look = async () => {
      looks += 1;
      return performance.now() - begin >= startsAfterMs ? answered(401) : failed('refused');
    };
    const sleep = (ms: number) => new Promise<void>((over) => setTimeout(over, ms));
    let tookMs = Number.NaN;
    void waitForStart(look, withinMs, sleep).then(() => {
      tookMs = performance.now() - begin;
    });
    await vi.advanceTimersByTimeAsync(700_000);
    return { looks, tookMs };
  }

  test('ends soon after the server starts', async () => {
    const { looks, tookMs } = await waited(60_000, 600_000);
    expect(tookMs).toBeGreaterThanOrEqual(60_000);
    expect(tookMs).toBeLessThanOrEqual(65_000);
    expect(looks).toBeLessThan(25);
  });

  test('ends after its limit, with one attempt at the very end', async () => {
    expect(await waited(Number.POSITIVE_INFINITY, 12_000)).toMatchObject({ tookMs: 12_000 });
    expect(await waited(12_000, 12_000)).toMatchObject({ tookMs: 12_000 });
  });
});

describe('the preflight', () => {
  test('waits for a server behind a gateway', async () => {
    const wakesAt = performance.now() + 600;
    const baseUrl = await httpServer((request, response) => {
      if (performance.now() < wakesAt) return void response.writeHead(503, { 'content-type': 'text/html' }).end('zzz');
      response.writeHead(statusFor(request), { 'content-type': 'application/json' }).end(LIST);
    });
    const target = targetAt(baseUrl, { limits: { startWithinMs: 20_000 } });
    expect((await runPreflight(target, clientFor(target).client)).actors).toMatchObject([{ status: 200 }]);
  });

  test('waits for a server that does not accept connections yet', async () => {
    const port = await freePort();
    const target = targetAt(`http://127.0.0.1:${port}`, { limits: { startWithinMs: 20_000 } });
    const found = runPreflight(target, clientFor(target).client);
    const server = createServer((request, response) =>
      response.writeHead(statusFor(request), { 'content-type': 'application/json' }).end(LIST),
    );
    const starting = setTimeout(() => server.listen(port, '127.0.0.1'), 400);
    onTestFinished(() => {
      clearTimeout(starting);
      close(server);
    });
    expect((await found).actors).toMatchObject([{ status: 200 }]);
  });

  test('judges a server that does not start in time, and waits only if configured', async () => {
    for (const startWithinMs of [0, 300]) {
      const target = targetAt('http://127.0.0.1:1', { limits: { startWithinMs } });
      await expect(runPreflight(target, clientFor(target).client)).rejects.toThrow(
        /^baseUrl: no response.*startWithinMs/,
      );
    }
  });
});

/** The list only with credentials, as of the service. */
function statusFor({ headers }: IncomingMessage): number {
  return headers['x-api-key'] === undefined ? 401 : 200;
}

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}
