import { request as overTcp } from 'node:http';
import { request as overTls } from 'node:https';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { HttpProxy } from './http-proxy.ts';
import { ProxyError, proxyRejected, proxyUnreachable } from './proxy-failure.ts';

type Connector = buildConnector.connector;

/** A connector to the proxy itself. Its errors name the proxy. */
export function proxyConnector(proxy: HttpProxy, connect: Connector): Connector {
  return (address, done) =>
    connect(address, (...outcome) => {
      const [error] = outcome;
      if (error) done(new ProxyError(proxyUnreachable(proxy, error)), null);
      else done(...outcome);
    });
}

export interface TunnelOptions {
  /** Trusted certificate authorities, for a proxy that is reached over https. */
  ca?: string[];
  /** Aborts the requests for a tunnel. */
  signal: AbortSignal;
}

/** A connector through a tunnel (CONNECT). `secure` then starts TLS with the target inside the tunnel. */
export function tunnelConnector(proxy: HttpProxy, options: TunnelOptions, secure: Connector): Connector {
  return (address, done) => {
    const to = address.port ? `${address.host}` : `${address.host}:443`;
    void openTunnel(proxy, to, options).then(
      (httpSocket) => secure({ ...address, httpSocket }, done),
      (error: Error) => done(error, null),
    );
  };
}

function openTunnel(proxy: HttpProxy, to: string, options: TunnelOptions): Promise<Socket> {
  const headers = {
    host: to,
    connection: 'keep-alive',
    ...(proxy.authorization !== undefined && { 'proxy-authorization': proxy.authorization }),
  };
  const connect = proxy.origin.startsWith('https:') ? overTls : overTcp;
  return new Promise((resolve, reject) => {
    const refused = (status = 0) => reject(new ProxyError(proxyRejected(proxy, status, to)));
    const asked = connect(proxy.origin, { method: 'CONNECT', path: to, headers, agent: false, ...options });
    asked.once('error', (error) => reject(new ProxyError(proxyUnreachable(proxy, error))));
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.on('error', () => {}).destroy();
      refused(statusCode);
    });
    asked.end();
  });
}
