import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A response by its path: a status with JSON, or a text with its content type. */
type Route = readonly [status: number, body: unknown, type?: string];
type Routes = Readonly<Record<string, Route>> | ((path: string, request: IncomingMessage) => Route | undefined);

/** A server with fixed responses that records the requests it gets. */
export async function startServer(routes: Routes) {
  const requests: { method: string; path: string; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const key = request.headers['x-api-key'];
    requests.push({ method: request.method ?? '', path, key: typeof key === 'string' ? key : undefined });
    const found = typeof routes === 'function' ? routes(path, request) : routes[path];
    const [status, body, type = 'application/json'] = found ?? [404, { error: 'Not found' }];
    response.writeHead(status, { 'content-type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export const INVOICE = {
  id: 'inv-1',
  invoiceNumber: 'INV-1',
  status: 'SUBMITTED',
  amount: '1.00',
  currency: 'EUR',
  buyerOrganizationId: 'org-buyer',
  sellerOrganizationId: 'org-seller',
  dueDate: '2026-01-31',
  createdAt: '2026-01-01T00:00:00Z',
};

export const listOf = (...items: object[]): Route => [
  200,
  { items, total: items.length, totalPages: 1, page: 0, limit: 100 },
];
