import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readWholeExchanges } from '../journal.ts';
import { reportReady } from './ready-message.ts';

// Returns the recorded response to each request. Argument: the folder of the run.
const exchanges = await readWholeExchanges(process.argv[2] ?? '');
const responses = new Map<string, NonNullable<(typeof exchanges)[number]['response']>[]>();
for (const { request, response } of exchanges) {
  const { pathname, search } = new URL(request.url);
  const key = `${request.method} ${pathname}${search}`;
  if (response) responses.set(key, [...(responses.get(key) ?? []), response]);
}
const HOP_BY_HOP_HEADERS = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive', 'date']);

const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
  incoming.resume().on('end', () => {
    const known = responses.get(`${incoming.method} ${incoming.url}`);
    const answer = known && known.length > 1 ? known.shift() : known?.[0];
    if (!answer) return void outgoing.writeHead(500).end();
    const headers = answer.headers.filter(([name]) => !HOP_BY_HOP_HEADERS.has(name));
    outgoing.writeHead(answer.status, headers.flat());
    outgoing.end(answer.status === 204 ? undefined : answer.body);
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
reportReady({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
