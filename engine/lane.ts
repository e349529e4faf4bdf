import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import { addressOf } from './address.ts';
import type { Collecting } from './collecting.ts';
import { HEADERS_CAP_BYTES } from './failure.ts';
import { connector } from './interim.ts';
import type { WireRequest } from './transport.ts';
import { LastByte } from './volley.ts';

export interface Connecting {
  /** In milliseconds. */
  timeout: number;
  /** Authorities that are trusted, as PEM. */
  ca?: string[];
}

/** A place for one request after the other, over one connection: it is opened when it is needed, and anew where the server closed it. */
export class Lane {
  readonly origin: string;
  /** How long it took to open the connection, in milliseconds. */
  openedInMs = 0;
  private readonly client: Client;
  private socket: Socket | undefined;
  private lastByte: LastByte | undefined;

  constructor(origin: string, connecting: Connecting) {
    this.origin = origin;
    const connect = connector(connecting);
    this.client = new Client(origin, {
      pipelining: 1,
      // The total deadline takes the place of the library's own.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: HEADERS_CAP_BYTES,
      connect: (address, done) => {
        const begunAt = performance.now();
        connect(address, (...outcome) => {
          const [error, socket] = outcome;
          if (!error) this.opened(socket, performance.now() - begunAt);
          done(...outcome);
        });
      },
    });
  }

  dispatch({ url, method, headers, body }: WireRequest, collecting: Collecting): void {
    const { pathname, search } = addressOf(url);
    const inTurn: string[] = [];
    for (const [name, value] of headers) inTurn.push(name, value);
    const path = `${pathname}${search}`;
    this.client.dispatch({ path, method: method as Dispatcher.HttpMethod, headers: inTurn, body }, collecting);
  }

  /** Has the last byte of the next request held back, whether or not there is a connection yet. */
  holdBack(): LastByte {
    const lastByte = new LastByte();
    this.lastByte = lastByte;
    if (this.socket && !this.socket.destroyed) lastByte.hold(this.socket);
    return lastByte;
  }

  async end(): Promise<void> {
    await this.client.destroy();
  }

  private opened(socket: Socket, tookMs: number): void {
    this.socket = socket;
    this.openedInMs = tookMs;
    this.lastByte?.hold(socket);
  }
}
