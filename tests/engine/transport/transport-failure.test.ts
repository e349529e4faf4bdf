import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { toWireFailure } from '../../../engine/transport/transport-failure.ts';

const PLAIN = { timedOut: false, timeoutMs: 1000, isSecure: false, hasCertificate: false };

/** The message for a server that responds to every request with these bytes. */
async function said(bytes: readonly number[]) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.from(bytes)));
  });
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return await request(`http://127.0.0.1:${port}/`).then(
    () => null,
    (error: unknown) => toWireFailure(error, PLAIN),
  );
}

test('recognises http for a TLS server by an alert or a timeout', async () => {
  expect(await said([0x15, 3, 3, 0, 2, 2, 0x46])).toMatchObject({
    message: 'the server expects TLS',
    remedy: 'write https:// in baseUrl',
  });
  expect((await said([]))?.remedy).toContain('https:// if the server expects TLS');
});
