import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call, IncomingRequest } from '../../service/call.ts';

export const LARGE_SUM_CENTS = 10_000_000n;

export const isReadCall = ({ request }: Call) => request.method === 'GET';

/** The store of the other environment. */
export const otherEnvironmentOf = ({ store, environment }: Call) =>
  store.worlds[environment === 'SANDBOX' ? 'PRODUCTION' : 'SANDBOX'];

export const sandboxOf = ({ store }: Call) => store.worlds.SANDBOX;

export function isProductionCall(call: Call, route: string): boolean {
  return call.environment === 'PRODUCTION' && call.route.name === route;
}

/** Reads the header as another value, or ignores it, for some requests. */
export function rewriteEnvironmentHeader(
  concerns: (request: IncomingRequest) => boolean,
  as: (value: string) => string | null,
): RuleChange {
  return overrideRules((base) => ({
    resolveEnvironment: (service, key, request) => {
      const value = requestedEnvironment(request);
      if (value === null || !concerns(request)) return base.resolveEnvironment(service, key, request);
      const headers = new Headers(request.headers);
      const read = as(value);
      if (read === null) headers.delete('X-Environment');
      else headers.set('X-Environment', read);
      return base.resolveEnvironment(service, key, { ...request, headers });
    },
  }));
}

export const requestedEnvironment = ({ headers }: IncomingRequest) => headers.get('X-Environment');

export const isUnknownEnvironment = (value: string | null) =>
  value !== null && value !== 'SANDBOX' && value !== 'PRODUCTION';

export const isListRequest = ({ method, path }: IncomingRequest) => method === 'GET' && path === '/api/v1/invoices';

export const isActionRequest = ({ method, path }: IncomingRequest) => method === 'POST' && path !== '/api/v1/invoices';

export const isInvoiceRequest = ({ method, path }: IncomingRequest) => method === 'GET' && path !== '/api/v1/invoices';
