import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface HttpProxyOptions {
  /** `user:password` that the proxy requires. */
  user?: string;
  /** Status with which the proxy rejects every request. */
  refuses?: number;
}

/** A proxy for one test. It resolves every host name to this machine. */
export async function startHttpProxy({ user, refuses }: HttpProxyOptions = {}) {
  const passed: { method: string; target: string; headers: IncomingHttpHeaders }[] = [];
  const expected = user === undefined ? undefined : `Basic ${Buffer.from(user).toString('base64')}`;
  const verdictOn = (headers: IncomingHttpHeaders) => (headers['proxy-authorization'] === expected ? refuses : 407);
  const sockets = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const status = verdictOn(headers);
    if (status !== undefined) return void outgoing.writeHead(status, { 'content-type': 'text/html' }).end('<p>no</p>');
    passed.push({ method, target: url, headers });
    const { port, pathname, search } = new URL(url);
    const way = { host: '127.0.0.1', port, path: `${pathname}${search}`, method, headers, agent: false };
    const forward = request(way, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    forward.once('error', () => void outgoing.writeHead(502).end());
    incoming.pipe(forward);
  });
  server.on('connect', ({ url = '', headers }, socket: Socket, head) => {
    sockets.add(socket.on('error', () => {}));
    const status = verdictOn(headers);
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    passed.push({ method: 'CONNECT', target: url, headers });
    const way = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      way.write(head);
      socket.pipe(way).pipe(socket);
    });
    sockets.add(way.on('error', () => void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, passed };
}
