import type { RuleChange } from '../../overrides/override-rules.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Incoming } from '../../service/call.ts';

/** The header is read as another value, or not at all, for some requests. */
export function readingHeader(
  concerns: (request: Incoming) => boolean,
  as: (value: string) => string | null,
): RuleChange {
  return overrideRules((base) => ({
    resolveEnvironment: (service, key, request) => {
      const value = namedEnvironment(request);
      if (value === null || !concerns(request)) return base.resolveEnvironment(service, key, request);
      const headers = new Headers(request.headers);
      const read = as(value);
      if (read === null) headers.delete('X-Environment');
      else headers.set('X-Environment', read);
      return base.resolveEnvironment(service, key, { ...request, headers });
    },
  }));
}

export const namedEnvironment = ({ headers }: Incoming) => headers.get('X-Environment');

export const isUnknownEnvironment = (value: string | null) =>
  value !== null && value !== 'SANDBOX' && value !== 'PRODUCTION';

export const asksForList = ({ method, path }: Incoming) => method === 'GET' && path === '/api/v1/invoices';

export const asksForAction = ({ method, path }: Incoming) => method === 'POST' && path !== '/api/v1/invoices';

export const asksForInvoice = ({ method, path }: Incoming) => method === 'GET' && path !== '/api/v1/invoices';
