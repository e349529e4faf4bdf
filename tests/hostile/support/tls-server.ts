import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const pathOf = (name: string) => fileURLToPath(new URL(`../certificates/${name}.pem`, import.meta.url));
export const pem = (name: string) => readFileSync(pathOf(name));

/** A service behind TLS with this certificate, for one test: its base URL and the received requests. */
export async function secured(
  service: { baseUrl: string },
  certificate: string,
  options: ServerOptions = {},
): Promise<{ baseUrl: string; reached: string[] }> {
  const reached: string[] = [];
  const server = createServer({ key: pem('server-key'), cert: pem(certificate), ...options }, (incoming, outgoing) => {
    reached.push(incoming.url ?? '');
    const { method, headers } = incoming;
    const passed = request(`${service.baseUrl}${incoming.url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, reached };
}
