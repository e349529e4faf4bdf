import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { acceptCredentials } from '../support/authentication.ts';

export const authenticationRevokedKeyFaults: readonly Fault[] = [
  {
    id: 'auth-403-for-revoked',
    requirement: 'AUTH-04',
    defect: 'A revoked key is known and therefore rejected with 403 instead of 401.',
    caughtBy: ['AUTH-04.revoked', 'AUTH-04.revoked-write'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const key = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        if (key?.state === 'revoked') throw rejections.lacksPermission();
        return base.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-revoked-names-environment',
    requirement: 'AUTH-04',
    defect: 'A request with X-Environment looks keys up by environment, in a table without their states.',
    caughtBy: ['AUTH-04.revoked'],
    rules: acceptCredentials(({ key, secret, request, keys }) =>
      request.headers.has('X-Environment')
        ? keys.find((each) => each.key === key && each.secret === secret && each.state === 'revoked')
        : undefined,
    ),
  },
  {
    id: 'auth-revoked-accepted',
    requirement: 'AUTH-04',
    defect: 'Only the dashboard shows that a key is revoked; requests with it are accepted.',
    caughtBy: ['AUTH-04.revoked', 'AUTH-04.revoked-write'],
    rules: acceptCredentials(({ key, secret, keys }) =>
      keys.find((each) => each.key === key && each.secret === secret),
    ),
  },
  {
    id: 'auth-revoked-may-create',
    requirement: 'AUTH-04',
    defect: 'Creation uses a cache of keys that a revocation does not clear.',
    caughtBy: ['AUTH-04.revoked-write'],
    rules: acceptCredentials(({ key, secret, request, keys }) =>
      request.method === 'POST' && request.path === '/api/v1/invoices'
        ? keys.find((each) => each.key === key && each.secret === secret)
        : undefined,
    ),
  },
];
