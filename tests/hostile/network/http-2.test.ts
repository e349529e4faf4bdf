import { once } from 'node:events';
import { createSecureServer, createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { rawServer } from '../../engine/support/servers.ts';
import { judged } from '../support/judged-run.ts';
import { pathOf, pem } from '../support/tls-server.ts';

/** A GOAWAY frame for stream 0 with the code PROTOCOL_ERROR. */
const GOAWAY = Buffer.from([0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);

const actors = { seller: { key: 'svc_sand_seller_01', secret: 'secret-of-the-seller' } };

async function listening(server: Http2Server, scheme: string): Promise<string> {
  server.on('tlsClientError', () => {});
  server.on('sessionError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['under TLS', () => listening(createSecureServer({ key: pem('server-key'), cert: pem('good') }), 'https')],
  ['without TLS', () => listening(createServer(), 'http')],
  ['without TLS, and with the connection closed at once', () => rawServer((socket) => socket.end(GOAWAY))],
])('a server with HTTP/2 only, %s, gives one line', async (_, start) => {
  const baseUrl = await start();
  const { exitCode, said } = await judged({ baseUrl, actors, tls: { ca: pathOf('authority') } });
  expect(exitCode).toBe(2);
  expect(said).toMatch(
    /^baseUrl: no response from \S+: the server accepts only HTTP\/2, but the kit uses HTTP\/1\.1.*; enable HTTP\/1\.1 on the/,
  );
  expect(said).not.toContain('\n');
});
