import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server in front of another one. It holds every request from the given number on, until it is opened. */
export async function startGate(baseUrl: string, holdFrom: number) {
  let count = 0;
  let open = () => {};
  let reach = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const server = createServer(async (incoming, outgoing) => {
    count += 1;
    if (count >= holdFrom) {
      reach();
      await opened;
    }
    const { method, headers, url } = incoming;
    const passed = forward(`${baseUrl}${url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves once a request is held. */
    reached,
    open,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
