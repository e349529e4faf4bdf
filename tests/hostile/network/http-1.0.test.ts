import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startFront } from '../support/hostile-proxy.ts';
import { judged } from '../support/judged-run.ts';

/** Passes a request on and responds as HTTP/1.0 does: without a length, so the body ends with the connection. */
async function answerOldly(socket: Socket, baseUrl: string): Promise<void> {
  let text = '';
  socket.setEncoding('latin1').on('error', () => {});
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<string>) {
    text += chunk;
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
    if (text.includes('\r\n\r\n') && text.split('\r\n\r\n').slice(1).join('\r\n\r\n').length >= length) break;
  }
  const [top = '', ...rest] = text.split('\r\n\r\n');
  const [line = '', ...lines] = top.split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const own = /^(host|connection|content-length)$/i;
  const headers = lines
    .map((each): [string, string] => [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 1).trim()])
    .filter(([name]) => !own.test(name));
  const body = rest.join('\r\n\r\n');
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers,
    ...(body !== '' && { body: Buffer.from(body, 'latin1') }),
  });
  const type = response.headers.get('content-type');
  const head = `HTTP/1.0 ${response.status} ${response.statusText}\r\n${type === null ? '' : `Content-Type: ${type}\r\n`}\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), Buffer.from(await response.arrayBuffer())]));
}

test('a conforming server with HTTP/1.0 is conformant', async () => {
  const front = await startFront();
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    void answerOldly(socket, front.baseUrl);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await front.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const target = { ...front.target({ requestTimeoutMs: 5000 }), baseUrl: `http://127.0.0.1:${address.port}` };
  const { exitCode, said } = await judged(target);
  expect(exitCode, said).toBe(0);
});
