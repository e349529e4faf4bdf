import { once } from 'node:events';
import { createServer, request as forward, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ProxyOptions {
  /** Awaited with the number of each request before it is passed on; `false` closes the connection instead. */
  onRequest?: (count: number) => boolean | Promise<boolean>;
  /** Changes the headers of a request. */
  toServer?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
  /** Headers that are added to every response. */
  echo?: (headers: IncomingHttpHeaders) => Record<string, string>;
}

/** A server in front of another one. */
export async function startProxy(baseUrl: string, { onRequest, toServer, echo }: ProxyOptions) {
  let count = 0;
  const server = createServer(async (incoming, outgoing) => {
    count += 1;
    if ((await onRequest?.(count)) === false) return void incoming.socket.destroy();
    const headers = toServer?.(incoming.headers) ?? incoming.headers;
    const passed = forward(`${baseUrl}${incoming.url}`, { method: incoming.method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, { ...response.headers, ...echo?.(incoming.headers) });
      response.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
