import { rootCertificates } from 'node:tls';
import { type ClientCertificate, Connection, type ConnectionOptions } from './connection.ts';
import { decodeBody } from './content-encoding.ts';
import type { HttpProxy } from './http-proxy.ts';
import { releaseLastBytes } from './last-byte-sync.ts';
import { proxyRejected, proxyTimeout } from './proxy-failure.ts';
import { type CollectedResponse, ResponseCollector } from './response-collector.ts';
import { toWireFailure, type WireFailure } from './transport-failure.ts';

/** Maximum size of a body, in bytes. A longer one is truncated and marked. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

export interface WireRequest {
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body: string | Buffer | null;
}

/** The result of a request. */
export type WireResult = WireResponse | WireFailure;

export interface WireResponse {
  status: number;
  headers: [string, string][];
  text: string;
  bytes: number;
  truncated: boolean;
}

interface TransportOptions {
  /** Deadline for each exchange as a whole. */
  timeoutMs: number;
  /** Authorities to trust in addition to the well-known ones, as PEM. */
  ca?: string | undefined;
  /** The client certificate for servers that require one. */
  certificate?: ClientCertificate | undefined;
  proxy?: HttpProxy | null;
  /** Aborts the exchanges in flight. */
  signal?: AbortSignal;
}

/**
 * The only access to the network: no redirects, a total deadline and a byte cap for each exchange, and no more connections than there were
 * exchanges in flight at once.
 */
export class Transport {
  private readonly timeoutMs: number;
  private readonly signal: AbortSignal | undefined;
  private readonly inFlight = new Set<ResponseCollector>();
  private readonly connectionOptions: ConnectionOptions;
  private readonly connections = new Set<Connection>();
  /** Connections that were opened by those that are closed now. */
  private closedOpenCount = 0;
  /** Connections without an exchange in flight, the most recently used last. */
  private readonly idleConnections: Connection[] = [];

  constructor({ timeoutMs, ca, certificate, proxy = null, signal }: TransportOptions) {
    this.timeoutMs = timeoutMs;
    this.signal = signal;
    signal?.addEventListener('abort', this.abortAll);
    this.connectionOptions = {
      timeout: timeoutMs,
      ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
      ...certificate,
      proxy,
    };
  }

  exchange(wire: WireRequest): Promise<WireResult> {
    return this.exchangeOn(this.takeConnection(wire), wire);
  }

  /** Like `exchange`, but over a new connection: the server may close a reused one at any moment. */
  async exchangeOnNewConnection(wire: WireRequest): Promise<WireResult> {
    const longestIdle = this.idleConnections.shift();
    if (longestIdle) await this.closeConnection(longestIdle);
    return await this.exchangeOn(this.openConnection(wire), wire);
  }

  /**
   * Sends requests that arrive at the same moment, each on its own connection. Returns the results in the same order.
   */
  async exchangeSimultaneously(wires: readonly WireRequest[]): Promise<WireResult[]> {
    const prepared = wires.map((wire) => {
      const connection = this.takeConnection(wire);
      return { wire, connection, lastByte: connection.holdLastByte() };
    });
    const exchanges = prepared.map(async ({ wire, connection, lastByte }) => {
      const result = await this.exchangeOn(connection, wire, 'keep');
      lastByte.abandon();
      return result;
    });
    const wayMs = () => Math.max(...prepared.map(({ connection }) => connection.openDurationMs));
    await releaseLastBytes(
      prepared.map(({ lastByte }) => lastByte),
      wayMs,
    );
    const results = await Promise.all(exchanges);
    // Waits until now, because a server may respond before the end of a request, and the request must still be sent
    // completely.
    for (const [at, { connection }] of prepared.entries())
      await this.releaseConnection(connection, results[at] as WireResult);
    return results;
  }

  /** How often a connection to the server was opened. */
  get openCount(): number {
    return [...this.connections].reduce((sum, { openCount }) => sum + openCount, this.closedOpenCount);
  }

  async close(): Promise<void> {
    this.signal?.removeEventListener('abort', this.abortAll);
    await Promise.all([...this.connections].map((connection) => this.closeConnection(connection)));
  }

  /** Takes the most recently used connection, because servers close idle ones. */
  private takeConnection(wire: WireRequest): Connection {
    const { origin } = new URL(wire.url);
    const at = this.idleConnections.findLastIndex((connection) => connection.origin === origin);
    return (at < 0 ? undefined : this.idleConnections.splice(at, 1)[0]) ?? this.openConnection(wire);
  }

  private openConnection({ url }: WireRequest): Connection {
    const connection = new Connection(new URL(url).origin, this.connectionOptions);
    this.connections.add(connection);
    return connection;
  }

  /** Makes the connection available again, or closes it if a response was not read to its end. */
  private releaseConnection(connection: Connection, result: WireResult): Promise<void> | undefined {
    if (isFailure(result) || result.truncated) return this.closeConnection(connection);
    this.idleConnections.push(connection);
    return undefined;
  }

  private async closeConnection(connection: Connection): Promise<void> {
    this.connections.delete(connection);
    this.closedOpenCount += connection.openCount;
    await connection.close();
  }

  private readonly abortAll = (): void => {
    for (const each of this.inFlight) each.cancel(new Error('the run was stopped'));
  };

  private async exchangeOn(
    connection: Connection,
    wire: WireRequest,
    afterwards: 'release' | 'keep' = 'release',
  ): Promise<WireResult> {
    let timedOut = false;
    const collecting = new ResponseCollector(MAX_BODY_BYTES);
    // The deadline does not keep the process alive.
    const deadline = setTimeout(() => {
      timedOut = true;
      collecting.cancel(new Error('the deadline has passed'));
    }, this.timeoutMs).unref();
    this.inFlight.add(collecting);
    let result: WireResult;
    try {
      connection.dispatch(wire, collecting);
      result = orProxyRejection(toWireResponse(await collecting.done), connection, this.connectionOptions.proxy);
    } catch (error) {
      const { timeoutMs, connectionOptions } = this;
      const secure = connection.origin.startsWith('https:');
      const silent = timedOut && !connection.wasOpened && connectionOptions.proxy;
      result = silent
        ? proxyTimeout(silent, timeoutMs)
        : toWireFailure(connection.rootCauseOf(error), {
            timedOut,
            timeoutMs,
            isSecure: secure,
            hasCertificate: connectionOptions.cert !== undefined,
          });
    }
    clearTimeout(deadline);
    this.inFlight.delete(collecting);
    const ended = afterwards === 'release' ? this.releaseConnection(connection, result) : undefined;
    if (ended) await ended;
    return result;
  }
}

export function isFailure(result: WireResult): result is WireFailure {
  return 'kind' in result;
}

/** A forward proxy responds with 407 in place of the target. */
function orProxyRejection(response: WireResponse, { origin }: Connection, proxy: HttpProxy | null = null): WireResult {
  return proxy && response.status === 407 ? proxyRejected(proxy, response.status, origin) : response;
}

function toWireResponse({ status, rawHeaders, chunks, bytes, truncated }: CollectedResponse): WireResponse {
  const headers = headerPairs(rawHeaders);
  const encoding = headers.find(([name]) => name === 'content-encoding')?.[1];
  const [first] = chunks;
  const body = first && chunks.length === 1 ? first : Buffer.concat(chunks);
  const whole = decodeBody(body, encoding, MAX_BODY_BYTES);
  return { status, headers, text: whole?.toString('utf8') ?? '', bytes, truncated: truncated || whole === null };
}

function headerPairs(raw: readonly Buffer[]): [string, string][] {
  const list: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    list.push([String(raw[at]).toLowerCase(), String(raw[at + 1])]);
  }
  return list;
}
