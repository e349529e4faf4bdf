import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import {
  acceptCredentials,
  addTrailingSlashRoute,
  findActiveKey,
  hasTrailingSlash,
  skipSecretComparison,
} from '../support/authentication.ts';

export const authenticationMissingCredentialsFaults: readonly Fault[] = [
  {
    id: 'auth-400-for-missing-secret',
    requirement: 'AUTH-01',
    defect: 'The gateway treats a missing header as a validation error: 400 instead of 401.',
    caughtBy: ['AUTH-01.secret-missing', 'AUTH-01.key-missing'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const given = ['X-API-Key', 'X-API-Secret'].filter((name) => request.headers.has(name)).length;
        if (given === 1) throw rejections.invalidRequest('both headers are required');
        return base.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-guard-by-exact-path',
    requirement: 'AUTH-01',
    defect: 'The authentication compares the path exactly, but the router accepts a trailing slash.',
    caughtBy: ['AUTH-01.other-paths'],
    routes: addTrailingSlashRoute('list'),
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const [first] = hasTrailingSlash(request) ? service.store.keys.values() : [];
        return first ?? base.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-anonymous-guest',
    requirement: 'AUTH-01',
    defect: 'A request without credentials is served as a guest of the first organization, as in the demo build.',
    caughtBy: ['AUTH-01.both-missing', 'AUTH-07.list'],
    rules: acceptCredentials((given) =>
      given.key === null && given.secret === null ? findActiveKey(given) : undefined,
    ),
  },
  {
    id: 'auth-secret-alone',
    requirement: 'AUTH-01',
    defect: 'Without X-API-Key the secret alone identifies the caller.',
    caughtBy: ['AUTH-01.key-missing'],
    rules: acceptCredentials(({ key, secret, keys }) =>
      key === null && secret ? keys.find((each) => each.secret === secret) : undefined,
    ),
  },
  {
    id: 'auth-key-alone',
    requirement: 'AUTH-01',
    defect: 'The secret is compared only if the header is present.',
    caughtBy: ['AUTH-01.secret-missing'],
    rules: acceptCredentials(({ key, secret, keys }) =>
      secret === null ? keys.find((each) => each.key === key && each.state === 'active') : undefined,
    ),
  },
  {
    id: 'auth-anonymous-dashboard',
    requirement: 'AUTH-01',
    defect:
      'A request with X-Environment and without credentials is taken for a dashboard session, which is not checked.',
    caughtBy: ['AUTH-01.both-missing'],
    rules: acceptCredentials((given) =>
      given.key === null && given.secret === null && given.request.headers.get('X-Environment') === 'SANDBOX'
        ? findActiveKey(given)
        : undefined,
    ),
  },
  {
    id: 'auth-key-alone-in-dashboard',
    requirement: 'AUTH-01',
    defect: 'With X-Environment, the key alone is sufficient, because the dashboard shows no secrets.',
    caughtBy: ['AUTH-01.secret-missing'],
    rules: acceptCredentials(({ key, secret, request, keys }) =>
      secret === null && request.headers.has('X-Environment')
        ? keys.find((each) => each.key === key && each.state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-empty-key',
    requirement: 'AUTH-01',
    defect: 'An empty key is falsy, and the secret alone identifies the caller.',
    caughtBy: ['AUTH-01.key-empty'],
    rules: acceptCredentials(({ key, secret, keys }) =>
      key === '' && secret ? keys.find((each) => each.secret === secret) : undefined,
    ),
  },
  {
    id: 'auth-empty-secret',
    requirement: 'AUTH-01',
    defect: 'An empty secret matches any key: the comparison ends with the received secret.',
    caughtBy: ['AUTH-01.secret-empty'],
    rules: acceptCredentials(({ key, secret, keys }) =>
      secret === '' ? keys.find((each) => each.key === key && each.state === 'active') : undefined,
    ),
  },
  {
    id: 'auth-query-credentials',
    requirement: 'AUTH-01',
    defect: 'Credentials in the query are accepted, too.',
    caughtBy: ['AUTH-01.in-query'],
    rules: acceptCredentials(({ request, keys }) =>
      keys.find(
        (each) =>
          each.key === request.query.get('X-API-Key') &&
          each.secret === request.query.get('X-API-Secret') &&
          each.state === 'active',
      ),
    ),
  },
  {
    id: 'auth-basic-accepted',
    requirement: 'AUTH-01',
    defect: 'The old gateway also accepts key and secret as Basic credentials, without the two headers.',
    caughtBy: ['AUTH-01.other-schemes'],
    rules: acceptCredentials(({ request, keys }) => {
      const basic = /^Basic (.+)$/.exec(request.headers.get('Authorization') ?? '')?.[1] ?? '';
      const [key, secret] = Buffer.from(basic, 'base64').toString().split(':');
      return keys.find((each) => each.key === key && each.secret === secret && each.state === 'active');
    }),
  },
  {
    id: 'auth-production-list-without-secret',
    requirement: 'AUTH-01',
    defect: 'Production keys once had no secrets, so a missing secret is accepted for them.',
    caughtBy: ['AUTH-01.each-key'],
    rules: skipSecretComparison(
      ({ environment }, { headers }) => environment === 'PRODUCTION' && !headers.has('X-API-Secret'),
    ),
  },
];
