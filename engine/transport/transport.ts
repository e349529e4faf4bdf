import { rootCertificates } from 'node:tls';
import { type ClientCertificate, Connection, type ConnectionOptions } from './connection.ts';
import { decodeBody } from './content-encoding.ts';
import { Deadlines } from './deadlines.ts';
import type { HttpProxy } from './http-proxy.ts';
import { releaseLastBytes } from './last-byte-sync.ts';
import { parseUrl } from './parse-url.ts';
import { proxyRejected, proxyTimeout } from './proxy-failure.ts';
import { type CollectedResponse, ResponseCollector } from './response-collector.ts';
import { toWireFailure, type WireFailure } from './transport-failure.ts';

/** Longest body that is read; what lies beyond is cut off and the answer marked. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

export interface WireRequest {
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body: string | Buffer | null;
}

/** What came of a request. */
export type WireResult = WireResponse | WireFailure;

export interface WireResponse {
  status: number;
  headers: [string, string][];
  text: string;
  bytes: number;
  truncated: boolean;
}

interface TransportOptions {
  /** For each exchange as a whole. */
  timeoutMs: number;
  /** Authorities to trust beside the well-known ones, as PEM. */
  ca?: string | undefined;
  /** What is shown to a server that demands a certificate of its clients. */
  certificate?: ClientCertificate | undefined;
  proxy?: HttpProxy | null;
  /** Ends what is under way. */
  stop?: AbortSignal;
}

/**
 * The only door to the network: no redirects, a total deadline and a byte cap for each exchange, and no more connections than there were
 * exchanges under way at once.
 */
export class Transport {
  private readonly timeoutMs: number;
  private readonly deadlines: Deadlines;
  private readonly stop: AbortSignal | undefined;
  private readonly underWay = new Set<ResponseCollector>();
  private readonly connecting: ConnectionOptions;
  private readonly lanes = new Set<Connection>();
  /** Those of them on which nothing is under way, the one that was used last at the end. */
  private readonly free: Connection[] = [];

  constructor({ timeoutMs, ca, certificate, proxy = null, stop }: TransportOptions) {
    this.timeoutMs = timeoutMs;
    this.deadlines = new Deadlines(timeoutMs);
    this.stop = stop;
    // One listener for all exchanges: one for each would cost as much as sending it.
    stop?.addEventListener('abort', this.stopAll);
    this.connecting = {
      timeout: timeoutMs,
      ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
      ...certificate,
      proxy,
    };
  }

  exchange(wire: WireRequest): Promise<WireResult> {
    return this.exchangeOver(this.take(wire), wire);
  }

  /** As `exchange`, over a connection that nobody has used before: a kept one may be closed by the server at any moment. */
  async exchangeAnew(wire: WireRequest): Promise<WireResult> {
    const longestStill = this.free.shift();
    if (longestStill) await this.end(longestStill);
    return await this.exchangeOver(this.open(wire), wire);
  }

  /** Requests that arrive at the same moment, each on a connection of its own; the results in the same order. */
  async volley(wires: readonly WireRequest[]): Promise<WireResult[]> {
    const riders = wires.map((wire) => {
      const lane = this.take(wire);
      return { wire, lane, lastByte: lane.holdBack() };
    });
    const exchanges = riders.map(async ({ wire, lane, lastByte }) => {
      const result = await this.exchangeOver(lane, wire, 'stay');
      lastByte.giveUp();
      return result;
    });
    const wayMs = () => Math.max(...riders.map(({ lane }) => lane.openedInMs));
    await releaseLastBytes(
      riders.map(({ lastByte }) => lastByte),
      wayMs,
    );
    const results = await Promise.all(exchanges);
    // Not earlier: who answers before the end of a request is still to be sent that end.
    for (const [at, { lane }] of riders.entries()) await this.leave(lane, results[at] as WireResult);
    return results;
  }

  async close(): Promise<void> {
    this.stop?.removeEventListener('abort', this.stopAll);
    await Promise.all([...this.lanes].map((lane) => this.end(lane)));
    this.deadlines.end();
  }

  /** The one that was used last: the longer a connection lies still, the sooner its server closes it. */
  private take(wire: WireRequest): Connection {
    const { origin } = parseUrl(wire.url);
    const at = this.free.findLastIndex((lane) => lane.origin === origin);
    return (at < 0 ? undefined : this.free.splice(at, 1)[0]) ?? this.open(wire);
  }

  private open({ url }: WireRequest): Connection {
    const lane = new Connection(parseUrl(url).origin, this.connecting);
    this.lanes.add(lane);
    return lane;
  }

  /** Gives the lane to whoever comes next, unless what was not read to its end is still in the way. */
  private leave(lane: Connection, result: WireResult): Promise<void> | undefined {
    if (isFailure(result) || result.truncated) return this.end(lane);
    this.free.push(lane);
    return undefined;
  }

  private async end(lane: Connection): Promise<void> {
    this.lanes.delete(lane);
    await lane.end();
  }

  private readonly stopAll = (): void => {
    for (const each of this.underWay) each.end(new Error('the run was stopped'));
  };

  private async exchangeOver(
    lane: Connection,
    wire: WireRequest,
    then: 'leave' | 'stay' = 'leave',
  ): Promise<WireResult> {
    let timedOut = false;
    const collecting = new ResponseCollector(MAX_BODY_BYTES);
    const inTime = this.deadlines.begin(() => {
      timedOut = true;
      collecting.end(new Error('its time is over'));
    });
    this.underWay.add(collecting);
    let result: WireResult;
    try {
      lane.dispatch(wire, collecting);
      result = orProxyRejection(toWireResponse(await collecting.done), lane, this.connecting.proxy);
    } catch (error) {
      const { timeoutMs, connecting } = this;
      const secure = lane.origin.startsWith('https:');
      const silent = timedOut && !lane.wasOpened && connecting.proxy;
      result = silent
        ? proxyTimeout(silent, timeoutMs)
        : toWireFailure(lane.causeOf(error), {
            timedOut,
            timeoutMs,
            secure,
            hasCertificate: connecting.cert !== undefined,
          });
    }
    inTime();
    this.underWay.delete(collecting);
    const ended = then === 'leave' ? this.leave(lane, result) : undefined;
    if (ended) await ended;
    return result;
  }
}

export function isFailure(result: WireResult): result is WireFailure {
  return 'kind' in result;
}

/** A proxy that wants to know who sends a whole request says so in the place of the target. */
function orProxyRejection(answer: WireResponse, { origin }: Connection, proxy: HttpProxy | null = null): WireResult {
  return proxy && answer.status === 407 ? proxyRejected(proxy, answer.status, origin) : answer;
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
