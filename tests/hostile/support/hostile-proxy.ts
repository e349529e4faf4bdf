import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type RunningReference, startReference } from '../../../reference/service/start.ts';
import type { TargetInput } from '../../../specs/target-file/target.ts';

/** Replaces a response: writes anything to the socket, HTTP or not. */
export type Strike = (socket: Socket, incoming: IncomingMessage) => void;

/** A response of the reference service on its way to the kit. */
export interface Passing {
  status: number;
  headers: [string, string][];
  body: Buffer;
}

export interface FrontOptions {
  /** The replacement for the response to the request with this number, from 1; null passes the request on. */
  strikes?: (count: number, incoming: IncomingMessage) => Strike | null;
  /** Changes the responses of the reference service. */
  changes?: (response: Passing, incoming: IncomingMessage) => Passing;
  /** Delay of every response, in milliseconds. */
  lateMs?: number;
}

export interface Front {
  baseUrl: string;
  /** Target file for the reference service behind this proxy, with the given limits. */
  target: (limits?: TargetInput['limits']) => TargetInput & { actors: RunningReference['target']['actors'] };
  service: RunningReference;
  /** Every request, in order of arrival. */
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string; at: number }[];
  /** The largest number of requests that were under way at once. */
  readonly crowd: number;
  close(): Promise<void>;
}

const QUICK = { concurrency: 8, requestTimeoutMs: 15_000, settleWithinMs: 300 };

/** A reference service behind a proxy that can replace, change and delay its responses. */
export async function startFront({ strikes, changes, lateMs = 0 }: FrontOptions = {}): Promise<Front> {
  const service = await startReference();
  const requests: Front['requests'] = [];
  let [underWay, crowd] = [0, 0];
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    const at = performance.now();
    underWay += 1;
    crowd = Math.max(crowd, underWay);
    outgoing.once('close', () => {
      underWay -= 1;
    });
    const count = requests.push({ method: '', url: '', headers: {}, body: '', at });
    const strike = strikes?.(count, incoming);
    const respond = async () => {
      const { method = '', url = '', headers } = incoming;
      const sent = await read(incoming);
      requests[count - 1] = { method, url, headers, body: sent.toString(), at };
      if (strike) return strike(incoming.socket, incoming);
      const response = await pass(service.baseUrl, incoming, sent);
      await waited(lateMs);
      const { status, headers: shown, body } = changes?.(response, incoming) ?? response;
      outgoing.writeHead(status, [...shown, ['Content-Length', String(body.length)]].flat()).end(body);
    };
    void respond().catch((error: unknown) => {
      // A killed command closes its connections in the middle of its requests.
      if (!incoming.socket.destroyed) throw error;
    });
  });
  server.on('connection', (socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    service,
    requests,
    get crowd() {
      return crowd;
    },
    target: (limits = {}) => ({
      ...service.target,
      baseUrl,
      allow: { reset: false },
      limits: { ...QUICK, ...limits },
    }),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await service.close();
    },
  };
}

async function read(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function pass(baseUrl: string, { method, url, headers }: IncomingMessage, sent: Buffer): Promise<Passing> {
  const forward = request(`${baseUrl}${url}`, { method, headers, agent: false });
  forward.end(sent);
  const [response] = (await once(forward, 'response')) as [IncomingMessage];
  const own = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive']);
  const shown = Object.entries(response.headers).filter(([name]) => !own.has(name));
  return {
    status: response.statusCode ?? 500,
    headers: shown.map(([name, value]): [string, string] => [name, String(value)]),
    body: await read(response),
  };
}

function waited(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((over) => setTimeout(over, ms));
}

/** The status line and these headers. */
export function head(status: string, headers: Record<string, string | number> = {}): string {
  const all = { 'Content-Type': 'application/json', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}

/** A complete response, after which the connection closes. */
export function answering(
  status: string,
  body: string | Buffer,
  headers: Record<string, string | number> = {},
): Strike {
  return (socket) => {
    const length = { 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
    socket.write(head(status, { ...length, ...headers }));
    socket.end(body);
  };
}
