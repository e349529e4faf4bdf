import { rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import Client from 'undici/lib/dispatcher/client.js';
import { addressOf } from './address.ts';
import { type Collected, Collecting } from './collecting.ts';
import { Deadlines } from './deadlines.ts';
import { decoded } from './decoded.ts';
import { explain, HEADERS_CAP_BYTES, type WireFailure } from './failure.ts';
import { connector } from './interim.ts';
import { Volley } from './volley.ts';

/** Longest body that is read; what lies beyond is cut off and the answer marked. */
export const BODY_CAP_BYTES = 8 * 1024 * 1024;

export interface WireRequest {
  method: string;
  url: string;
  headers: readonly (readonly [string, string])[];
  body: string | Buffer | null;
}

export interface WireAnswer {
  status: number;
  headers: [string, string][];
  text: string;
  bytes: number;
  truncated: boolean;
}

interface TransportOptions {
  /** At once. */
  connections: number;
  /** For each exchange as a whole. */
  timeoutMs: number;
  /** Authorities to trust beside the well-known ones, as PEM. */
  ca?: string | undefined;
  /** Ends what is under way. */
  stop?: AbortSignal;
}

/** The only door to the network: one dispatcher, no redirects, a total deadline and a byte cap for each exchange. */
export class Transport {
  private readonly dispatcher: Dispatcher;
  private readonly timeoutMs: number;
  private readonly deadlines: Deadlines;
  private readonly stop: AbortSignal | undefined;
  private readonly underWay = new Set<Collecting>();
  /** The total deadline takes the place of the library's own. */
  private readonly timing = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: HEADERS_CAP_BYTES };
  private readonly connecting: { timeout: number; ca?: string[] };

  constructor({ connections, timeoutMs, ca, stop }: TransportOptions) {
    this.timeoutMs = timeoutMs;
    this.deadlines = new Deadlines(timeoutMs);
    this.stop = stop;
    // One listener for all exchanges: one for each would cost as much as sending it.
    stop?.addEventListener('abort', this.stopAll);
    this.connecting = { timeout: timeoutMs, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) };
    this.dispatcher = new Agent({ ...this.timing, connections, connect: connector(this.connecting) });
  }

  exchange(wire: WireRequest): Promise<WireAnswer | WireFailure> {
    return this.exchangeOver(this.dispatcher, wire);
  }

  /** As `exchange`, over a connection that nobody has used before: a kept one may be closed by the server at any moment. */
  async exchangeAnew(wire: WireRequest): Promise<WireAnswer | WireFailure> {
    const client = this.client(wire, connector(this.connecting));
    try {
      return await this.exchangeOver(client, wire);
    } finally {
      await client.destroy();
    }
  }

  /** Requests that arrive at the same moment, each on a connection of its own; the results in the same order. */
  async volley(wires: readonly WireRequest[]): Promise<(WireAnswer | WireFailure)[]> {
    const volley = new Volley();
    const clients = wires.map((wire) => this.client(wire, volley.connector(this.connecting)));
    try {
      const exchanges = wires.map((wire, at) => this.exchangeOver(clients[at] as Client, wire));
      await Promise.race([volley.release(), Promise.all(exchanges)]);
      return await Promise.all(exchanges);
    } finally {
      await Promise.all(clients.map((client) => client.destroy()));
    }
  }

  async close(): Promise<void> {
    this.stop?.removeEventListener('abort', this.stopAll);
    await this.dispatcher.destroy();
    this.deadlines.end();
  }

  /** One connection, for one exchange. */
  private client(wire: WireRequest, connect: NonNullable<Client.Options['connect']>): Client {
    return new Client(addressOf(wire.url).origin, { ...this.timing, connect });
  }

  private readonly stopAll = (): void => {
    for (const each of this.underWay) each.end(new Error('the run was stopped'));
  };

  private async exchangeOver(dispatcher: Dispatcher, wire: WireRequest): Promise<WireAnswer | WireFailure> {
    let timedOut = false;
    const collecting = new Collecting(BODY_CAP_BYTES);
    const inTime = this.deadlines.begin(() => {
      timedOut = true;
      collecting.end(new Error('its time is over'));
    });
    this.underWay.add(collecting);
    try {
      const { origin, pathname, search } = addressOf(wire.url);
      const { method, body } = wire;
      const headers: string[] = [];
      for (const [name, value] of wire.headers) headers.push(name, value);
      const path = `${pathname}${search}`;
      dispatcher.dispatch({ origin, path, method: method as Dispatcher.HttpMethod, headers, body }, collecting);
      return answerIn(await collecting.done);
    } catch (error) {
      return explain(error, timedOut, this.timeoutMs);
    } finally {
      inTime();
      this.underWay.delete(collecting);
    }
  }
}

export function isFailure(result: WireAnswer | WireFailure): result is WireFailure {
  return 'kind' in result;
}

function answerIn({ status, rawHeaders, chunks, bytes, truncated }: Collected): WireAnswer {
  const headers = pairs(rawHeaders);
  const encoding = headers.find(([name]) => name === 'content-encoding')?.[1];
  const [first] = chunks;
  const body = first && chunks.length === 1 ? first : Buffer.concat(chunks);
  const whole = decoded(body, encoding, BODY_CAP_BYTES);
  return { status, headers, text: whole?.toString('utf8') ?? '', bytes, truncated: truncated || whole === null };
}

function pairs(raw: readonly Buffer[]): [string, string][] {
  const list: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    list.push([String(raw[at]).toLowerCase(), String(raw[at + 1])]);
  }
  return list;
}
