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
    const longestStill = this.idleConnections.shift();
    if (longestStill) await this.closeConnection(longestStill);
    return await this.exchangeOn(this.openConnection(wire), wire);
  }

  /**
   * Sends requests that arrive at the same moment, each on its own connection. Returns the results in the same order.
   */
  async exchangeSimultaneously(wires: readonly WireRequest[]): Promise<WireResult[]> {
    const riders = wires.map((wire) => {
      const lane = this.takeConnection(wire);
      return { wire, lane, lastByte: lane.holdLastByte() };
    });
    const exchanges = riders.map(async ({ wire, lane, lastByte }) => {
      const result = await this.exchangeOn(lane, wire, 'stay');
      lastByte.abandon();
      return result;
    });
    const wayMs = () => Math.max(...riders.map(({ lane }) => lane.openDurationMs));
    await releaseLastBytes(
      riders.map(({ lastByte }) => lastByte),
      wayMs,
    );
    const results = await Promise.all(exchanges);
    // Waits until now, because a server may respond before the end of a request, and the request must still be sent
    // completely.
    for (const [at, { lane }] of riders.entries()) await this.releaseConnection(lane, results[at] as WireResult);
    return results;
  }

  /** How often a connection to the server was opened. */
  get openCount(): number {
    return [...this.connections].reduce((sum, { openCount }) => sum + openCount, this.closedOpenCount);
  }

  async close(): Promise<void> {
    this.signal?.removeEventListener('abort', this.abortAll);
    await Promise.all([...this.connections].map((lane) => this.closeConnection(lane)));
  }

  /** Takes the most recently used connection, because servers close idle ones. */
  private takeConnection(wire: WireRequest): Connection {
    const { origin } = new URL(wire.url);
    const at = this.idleConnections.findLastIndex((lane) => lane.origin === origin);
    return (at < 0 ? undefined : this.idleConnections.splice(at, 1)[0]) ?? this.openConnection(wire);
  }

  private openConnection({ url }: WireRequest): Connection {
    const lane = new Connection(new URL(url).origin, this.connectionOptions);
    this.connections.add(lane);
    return lane;
  }

  /** Makes the connection available again, or closes it if a response was not read to its end. */
  private releaseConnection(lane: Connection, result: WireResult): Promise<void> | undefined {
    if (isFailure(result) || result.truncated) return this.closeConnection(lane);
    this.idleConnections.push(lane);
    return undefined;
  }

  private async closeConnection(lane: Connection): Promise<void> {
    this.connections.delete(lane);
    this.closedOpenCount += lane.openCount;
    await lane.close();
  }

  private readonly abortAll = (): void => {
    for (const each of this.inFlight) each.cancel(new Error('the run was stopped'));
  };

  private async exchangeOn(lane: Connection, wire: WireRequest, then: 'leave' | 'stay' = 'leave'): Promise<WireResult> {
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
      lane.dispatch(wire, collecting);
      result = orProxyRejection(toWireResponse(await collecting.done), lane, this.connectionOptions.proxy);
    } catch (error) {
      const { timeoutMs, connectionOptions } = this;
      const secure = lane.origin.startsWith('https:');
      const silent = timedOut && !lane.wasOpened && connectionOptions.proxy;
      result = silent
        ? proxyTimeout(silent, timeoutMs)
        : toWireFailure(lane.rootCauseOf(error), {
            timedOut,
            timeoutMs,
            isSecure: secure,
            hasCertificate: connectionOptions.cert !== undefined,
          });
    }
    clearTimeout(deadline);
    this.inFlight.delete(collecting);
    const ended = then === 'leave' ? this.releaseConnection(lane, result) : undefined;
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
