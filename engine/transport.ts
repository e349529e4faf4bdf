import { rootCertificates } from 'node:tls';
import { Agent, Client, type Dispatcher, request } from 'undici';
import { decoded } from './decoded.ts';
import { explain, HEADERS_CAP_BYTES, type WireFailure } from './failure.ts';
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

/** The only door to the network: one dispatcher, no redirects, a total deadline and a byte cap for each exchange. */
export class Transport {
  private readonly dispatcher: Dispatcher;
  private readonly timeoutMs: number;
  /** The total deadline takes the place of the library's own. */
  private readonly timing = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: HEADERS_CAP_BYTES };
  private readonly connecting: { timeout: number; ca?: string[] };

  /** `ca`: authorities to trust beside the well-known ones, as PEM. */
  constructor({ connections, timeoutMs, ca }: { connections: number; timeoutMs: number; ca?: string | undefined }) {
    this.timeoutMs = timeoutMs;
    this.connecting = { timeout: timeoutMs, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) };
    this.dispatcher = new Agent({ ...this.timing, connections, connect: this.connecting });
  }

  async exchange(wire: WireRequest, stop?: AbortSignal): Promise<WireAnswer | WireFailure> {
    return await this.exchangeOver(this.dispatcher, wire, stop);
  }

  /** Requests that arrive at the same moment, each on a connection of its own; the results in the same order. */
  async volley(wires: readonly WireRequest[], stop?: AbortSignal): Promise<(WireAnswer | WireFailure)[]> {
    const volley = new Volley();
    const clients = wires.map(
      ({ url }) =>
        new Client(new URL(url).origin, {
          ...this.timing,
          connect: volley.connector(this.connecting),
        }),
    );
    try {
      const exchanges = wires.map((wire, at) => this.exchangeOver(clients[at] as Client, wire, stop));
      await Promise.race([volley.release(), Promise.all(exchanges)]);
      return await Promise.all(exchanges);
    } finally {
      await Promise.all(clients.map((client) => client.destroy()));
    }
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  private async exchangeOver(
    dispatcher: Dispatcher,
    wire: WireRequest,
    stop?: AbortSignal,
  ): Promise<WireAnswer | WireFailure> {
    let timedOut = false;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      timedOut = true;
      ending.abort();
    }, this.timeoutMs);
    const end = () => ending.abort();
    stop?.addEventListener('abort', end);
    try {
      const answer = await request(wire.url, {
        dispatcher,
        method: wire.method as Dispatcher.HttpMethod,
        headers: wire.headers.flat(),
        body: wire.body,
        signal: ending.signal,
        responseHeaders: 'raw',
      });
      const { bytes, truncated, chunks } = await readCapped(answer.body);
      const headers = pairs(answer.headers as unknown as (string | Buffer)[]);
      const encoding = headers.find(([name]) => name === 'content-encoding')?.[1];
      const body = decoded(Buffer.concat(chunks), encoding, BODY_CAP_BYTES);
      const text = body?.toString('utf8') ?? '';
      return { status: answer.statusCode, headers, text, bytes, truncated: truncated || body === null };
    } catch (error) {
      return explain(error, timedOut, this.timeoutMs);
    } finally {
      clearTimeout(timer);
      stop?.removeEventListener('abort', end);
    }
  }
}

export function isFailure(result: WireAnswer | WireFailure): result is WireFailure {
  return 'kind' in result;
}

async function readCapped(
  body: AsyncIterable<Buffer>,
): Promise<{ chunks: Buffer[]; bytes: number; truncated: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > BODY_CAP_BYTES) return { chunks, bytes, truncated: true };
    chunks.push(chunk);
  }
  return { chunks, bytes, truncated: false };
}

function pairs(raw: (string | Buffer)[]): [string, string][] {
  const list: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    list.push([String(raw[at]).toLowerCase(), String(raw[at + 1])]);
  }
  return list;
}
