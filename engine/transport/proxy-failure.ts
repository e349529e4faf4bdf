import { systemErrorCode } from '../model/system-error.ts';
import type { HttpProxy } from './http-proxy.ts';
import type { WireFailure } from './transport-failure.ts';

/** The proxy prevented a request. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly failure: WireFailure;

  constructor(failure: WireFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

const NO_PROXY_ADVICE = 'or write proxy: none if the target can be reached without one';

export function proxyUnreachable({ origin, field }: HttpProxy, error: Error): WireFailure {
  return {
    kind: 'proxy',
    message: `no connection to the proxy ${origin} (${systemErrorCode(error)})`,
    remedy: `start the proxy or correct its address, ${NO_PROXY_ADVICE}`,
    field,
  };
}

/** The proxy did not respond in time. */
export function proxyTimeout({ origin, field }: HttpProxy, timeoutMs: number): WireFailure {
  const message = `the proxy ${origin} opened no connection within ${timeoutMs} ms`;
  return { kind: 'proxy', message, remedy: `check whether it hangs, ${NO_PROXY_ADVICE}`, field };
}

/** The proxy responded in place of the target with this status. `to` is the requested address. */
export function proxyRejected({ origin, field, authorization }: HttpProxy, status: number, to: string): WireFailure {
  if (status === 407) {
    const found =
      authorization === undefined ? 'but the target file gives none' : 'but rejects those of the target file';
    const remedy = 'write them in its URL: http://user:${PROXY_PASSWORD}@host:port';
    return { kind: 'proxy', message: `the proxy ${origin} requires user and password, ${found} (407)`, remedy, field };
  }
  if (status >= 502 && status <= 504) {
    const message = `the proxy ${origin} cannot connect to ${to} (${status})`;
    return { kind: 'refused', message, remedy: `start the server, correct baseUrl, ${NO_PROXY_ADVICE}`, field };
  }
  const message = `the proxy ${origin} rejects a connection to ${to} (${status})`;
  return {
    kind: 'proxy',
    message,
    remedy: `allow the connection in the proxy, use another proxy, ${NO_PROXY_ADVICE}`,
    field,
  };
}
