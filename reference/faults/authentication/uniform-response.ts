import { overrideRules } from '../../overrides/override-rules.ts';
import { UnauthorizedError } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { changeBody, statusFilter } from '../support/response-filters.ts';

export const authenticationUniformResponseFaults: readonly Fault[] = [
  {
    id: 'auth-revoked-shown-for-wrong-secret',
    requirement: 'AUTH-05',
    defect: 'A revoked key is reported as revoked even if the secret is wrong.',
    caughtBy: ['AUTH-05.causes'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const found = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        const wrong = found && request.headers.get('X-API-Secret') !== found.secret;
        // No key of the fixtures expires, so the reason can be used for this one.
        if (wrong && found.state === 'revoked') throw new UnauthorizedError('expired');
        return base.authenticate(service, request);
      },
      unauthorizedBody: (reason) =>
        reason === 'expired'
          ? { error: 'Unauthorized', message: 'This key is no longer valid' }
          : base.unauthorizedBody(reason),
    })),
  },
  {
    id: 'auth-body-shows-cause',
    requirement: 'AUTH-05',
    defect: 'The 401 says whether the key or the secret was wrong.',
    caughtBy: ['AUTH-05.causes', 'AUTH-05.all-responses'],
    rules: overrideRules(() => ({
      unauthorizedBody: (reason) => ({ error: 'Unauthorized', message: `Refused: ${reason}` }),
    })),
  },
  {
    id: 'auth-body-of-missing',
    requirement: 'AUTH-05',
    defect: 'The gateway rejects missing headers with a text of its own.',
    caughtBy: ['AUTH-05.causes'],
    rules: overrideRules((base) => ({
      unauthorizedBody: (reason) =>
        reason === 'missing' ? { error: 'Unauthorized', message: 'API key required' } : base.unauthorizedBody(reason),
    })),
  },
  {
    id: 'auth-body-names-path',
    requirement: 'AUTH-05',
    defect: 'The framework adds the path to the 401 of every operation except the list.',
    caughtBy: ['AUTH-05.all-responses'],
    alsoRun: ['AUTH-07.create', 'AUTH-07.read'],
    rewrite: changeBody(statusFilter(401), (body, { method, url }) =>
      method === 'GET' && new URL(url).pathname === '/api/v1/invoices'
        ? body
        : { ...body, path: new URL(url).pathname },
    ),
  },
  {
    id: 'auth-body-request-id',
    requirement: 'AUTH-05',
    defect: 'Every 401 contains a new trace id in its body.',
    caughtBy: ['AUTH-05.causes', 'AUTH-05.all-responses'],
    rewrite: changeBody(statusFilter(401), (body) => ({ ...body, traceId: Math.random().toString(36).slice(2) })),
  },
  {
    id: 'auth-body-no-message',
    requirement: 'AUTH-06',
    defect: 'The 401 comes from a filter that writes only error and omits message.',
    caughtBy: ['AUTH-06.fields'],
    rules: overrideRules(() => ({ unauthorizedBody: () => ({ error: 'Unauthorized' }) })),
  },
  {
    id: 'auth-body-code',
    requirement: 'AUTH-06',
    defect: 'The 401 contains a code, like every other error.',
    caughtBy: ['AUTH-06.no-code'],
    rules: overrideRules(() => ({
      unauthorizedBody: () => ({ error: 'Unauthorized', message: 'Invalid API key or secret', code: 'AUTH001' }),
    })),
  },
  {
    id: 'auth-header-shows-cause',
    requirement: 'AUTH-06',
    defect: 'All bodies are the same, but a header says which credential was missing.',
    caughtBy: ['AUTH-06.headers'],
    rewrite: (request, response) => {
      if (response.status !== 401) return response;
      const told = new Headers(response.headers);
      told.set('X-Error-Code', request.headers.has('X-API-Key') ? 'INVALID_CREDENTIALS' : 'MISSING_KEY');
      return new Response(response.body, { status: response.status, headers: told });
    },
  },
];
