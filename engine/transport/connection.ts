import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { createConnector } from './continue-filter.ts';
import type { HttpProxy } from './http-proxy.ts';
import { LastByte } from './last-byte-sync.ts';
import { proxyConnector, tunnelConnector } from './proxy-tunnel.ts';
import type { ResponseCollector } from './response-collector.ts';
import type { WireRequest } from './transport.ts';
import { MAX_HEADERS_BYTES } from './transport-failure.ts';

export interface ConnectionOptions extends ClientCertificate {
  /** In milliseconds. */
  timeout: number;
  /** Trusted certificate authorities, as PEM. */
  ca?: string[];
  proxy?: HttpProxy | null;
}

/** The client certificate for servers that require one, as PEM. */
export interface ClientCertificate {
  cert?: string;
  key?: string;
  passphrase?: string;
}

/**
 * Sends requests one after the other over one connection. Opens it for the first request, and again if the server has
 * closed it.
 */
export class Connection {
  readonly origin: string;
  /** How long opening the connection took, in milliseconds. */
  openDurationMs = 0;
  /** How often the connection was opened. */
  openCount = 0;
  private readonly client: Client;
  private socket: Socket | undefined;
  private lastByte: LastByte | undefined;
  private socketError: Error | undefined;
  private readonly closeController = new AbortController();
  /** The proxy that forwards whole requests; only for targets without TLS. */
  private readonly forwardProxy: HttpProxy | null;

  constructor(origin: string, { proxy, ...connecting }: ConnectionOptions) {
    this.origin = origin;
    const isTunnelled = origin.startsWith('https:');
    this.forwardProxy = proxy && !isTunnelled ? proxy : null;
    const { timeout, ca } = connecting;
    const options = ca ? { ca } : {};
    let connect = createConnector(connecting);
    if (proxy && isTunnelled)
      connect = tunnelConnector(proxy, { ...options, signal: this.closeController.signal }, connect);
    else if (proxy) connect = proxyConnector(proxy, createConnector({ timeout, ...options }));
    this.client = new Client(this.forwardProxy?.origin ?? origin, {
      pipelining: 1,
      // The total deadline replaces the timeouts of the library.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEADERS_BYTES,
      connect: (address, done) => {
        const begunAt = performance.now();
        connect(address, (...outcome) => {
          const [error, socket] = outcome;
          if (!error) this.onOpened(socket, performance.now() - begunAt);
          done(...outcome);
        });
      },
    });
  }

  dispatch({ url, method, headers, body }: WireRequest, collecting: ResponseCollector): void {
    const { host, pathname, search } = new URL(url);
    const inTurn: string[] = [];
    let path = `${pathname}${search}`;
    if (this.forwardProxy) {
      path = `${this.origin}${path}`;
      inTurn.push('host', host);
      if (this.forwardProxy.authorization) inTurn.push('proxy-authorization', this.forwardProxy.authorization);
    }
    for (const [name, value] of headers) inTurn.push(name, value);
    this.client.dispatch({ path, method: method as Dispatcher.HttpMethod, headers: inTurn, body }, collecting);
  }

  /** Holds back the last byte of the next request, even if the connection is not open yet. */
  holdLastByte(): LastByte {
    const lastByte = new LastByte();
    this.lastByte = lastByte;
    if (this.socket && !this.socket.destroyed) lastByte.hold(this.socket);
    return lastByte;
  }

  /** A TLS alert explains more than the closed connection that the library reports. */
  rootCauseOf(error: unknown): unknown {
    return (error as NodeJS.ErrnoException).code === 'UND_ERR_SOCKET' ? (this.socketError ?? error) : error;
  }

  /** Whether the connection was ever opened. */
  get wasOpened(): boolean {
    return this.openCount > 0;
  }

  async close(): Promise<void> {
    this.closeController.abort();
    await this.client.destroy();
  }

  private onOpened(socket: Socket, tookMs: number): void {
    this.socket = socket;
    this.openDurationMs = tookMs;
    this.openCount += 1;
    this.socketError = undefined;
    socket.once('error', (error) => {
      this.socketError = error;
    });
    this.lastByte?.hold(socket);
  }
}
