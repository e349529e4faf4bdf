import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { IncomingRequest } from '../../service/call.ts';
import type { ApiKey } from '../../service/store.ts';

/** Ignores the header of matching requests. */
export function ignoreEnvironmentHeader(when: (key: ApiKey, request: IncomingRequest) => boolean): RuleChange {
  return overrideRules((base) => ({
    resolveEnvironment: (service, key, request) =>
      when(key, request) ? key.environment : base.resolveEnvironment(service, key, request),
  }));
}

export const isReadOnlyKey = ({ scopes }: ApiKey) => !scopes.includes('write');

export const environmentHeader = ({ headers }: IncomingRequest) => headers.get('X-Environment');

/** The replay store is used before one of the access checks, so a known requestId bypasses the check. */
export function skipGateOnReplay(gate: 'authenticate' | 'resolveEnvironment' | 'authorize', where = /./): RuleChange {
  return overrideRules((base) => {
    const answered = new Map<string, ApiKey>();
    const open = (request: IncomingRequest) =>
      request.path === '/api/v1/invoices' || !where.test(request.path)
        ? undefined
        : answered.get(readRequestId(request.text));
    const gates = {
      authenticate: (...[service, request]: Parameters<typeof base.authenticate>) =>
        open(request) ?? base.authenticate(service, request),
      resolveEnvironment: (...[service, key, request]: Parameters<typeof base.resolveEnvironment>) =>
        open(request)?.environment ?? base.resolveEnvironment(service, key, request),
      authorize: (call: Parameters<typeof base.authorize>[0]) => {
        if (!open(call.request)) base.authorize(call);
      },
    };
    return {
      [gate]: gates[gate],
      replay: async (call, key, perform) => {
        const response = await base.replay(call, key, perform);
        const requestId = readRequestId(call.request.text);
        if (requestId !== '') answered.set(requestId, call.key);
        return response;
      },
    };
  });
}

export const readRequestId = (text: string) => /"requestId"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? '';
