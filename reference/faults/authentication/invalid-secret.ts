import type { RuleChange } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';
import { acceptCredentials, longHeaderFault, skipSecretComparison } from '../support/authentication.ts';

/** The key is found, and its secret is compared in a wrong way. */
function comparing(same: (expected: string, given: string) => boolean): RuleChange {
  return acceptCredentials(({ key, secret, keys }) => {
    const found = keys.find((each) => each.key === key && each.state === 'active');
    return found && secret && same(found.secret, secret) ? found : undefined;
  });
}

const masked = (text: string): string =>
  `${text.slice(0, 4)}${'*'.repeat(Math.max(0, text.length - 8))}${text.slice(-4)}`;

export const authenticationInvalidSecretFaults: readonly Fault[] = [
  {
    id: 'auth-any-secret',
    requirement: 'AUTH-03',
    defect: 'The secret must be there, but is never compared.',
    caughtBy: ['AUTH-03.wrong', 'AUTH-03.another-key'],
    rules: comparing(() => true),
  },
  {
    id: 'auth-secret-of-anybody',
    requirement: 'AUTH-03',
    defect: 'The secret is looked for among all secrets, and not compared with that of the key.',
    caughtBy: ['AUTH-03.another-key'],
    rules: acceptCredentials(({ key, secret, keys }) =>
      keys.some((each) => each.secret === secret)
        ? keys.find((each) => each.key === key && each.state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-secret-other-case',
    requirement: 'AUTH-03',
    defect: 'Secrets are lower-cased before they are hashed.',
    caughtBy: ['AUTH-03.letter-case'],
    rules: comparing((expected, given) => expected.toLowerCase() === given.toLowerCase()),
  },
  {
    id: 'auth-secret-loop-to-given',
    requirement: 'AUTH-03',
    defect: 'The constant-time comparison runs to the end of what was given, so that a long beginning is enough.',
    caughtBy: ['AUTH-03.truncated'],
    rules: comparing((expected, given) => given.length > 30 && expected.startsWith(given)),
  },
  {
    id: 'auth-secret-cut',
    requirement: 'AUTH-03',
    defect: 'The hash looks at no more characters than a secret has; what follows is ignored.',
    caughtBy: ['AUTH-03.extended'],
    rules: comparing((expected, given) => given.startsWith(expected)),
  },
  {
    id: 'auth-secret-half-hashed',
    requirement: 'AUTH-03',
    defect: 'Only the first half of the secret was stored, in a column that was too short.',
    caughtBy: ['AUTH-03.first-half', 'AUTH-03.truncated', 'AUTH-03.last-changed'],
    rules: comparing((expected, given) => given.startsWith(expected.slice(0, Math.ceil(expected.length / 2)))),
  },
  {
    id: 'auth-secret-off-by-one',
    requirement: 'AUTH-03',
    defect: 'The comparing loop ends one character too early.',
    caughtBy: ['AUTH-03.last-changed'],
    rules: comparing(
      (expected, given) => expected.length === given.length && expected.slice(0, -1) === given.slice(0, -1),
    ),
  },
  {
    id: 'auth-secret-from-its-end',
    requirement: 'AUTH-03',
    defect: 'The secret is looked for at the end of what is stored, where older ones stand behind a salt.',
    caughtBy: ['AUTH-03.first-missing'],
    rules: comparing((expected, given) => given.length > 20 && expected.endsWith(given)),
  },
  {
    id: 'auth-secret-summed',
    requirement: 'AUTH-03',
    defect: 'The secrets are compared by a sum over their characters, which has no order.',
    caughtBy: ['AUTH-03.reordered'],
    rules: comparing((expected, given) => [...expected].sort().join('') === [...given].sort().join('')),
  },
  {
    id: 'auth-secret-from-one',
    requirement: 'AUTH-03',
    defect: 'The loop that compares the secrets begins at one.',
    caughtBy: ['AUTH-03.altered'],
    rules: comparing((expected, given) => expected.length === given.length && expected.slice(1) === given.slice(1)),
  },
  {
    id: 'auth-secret-masked',
    requirement: 'AUTH-03',
    defect: 'What is compared are the masked secrets: their ends and their length.',
    caughtBy: ['AUTH-03.altered'],
    rules: comparing((expected, given) => masked(expected) === masked(given)),
  },
  {
    id: 'auth-trusts-own-network',
    requirement: 'AUTH-03',
    defect: 'Who comes from the own network needs no secret, and where one comes from is what the request says.',
    caughtBy: ['AUTH-03.forwarded'],
    rules: acceptCredentials(({ key, request, keys }) =>
      request.headers.get('X-Forwarded-For') === '127.0.0.1'
        ? keys.find((each) => each.key === key && each.state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-secret-is-key',
    requirement: 'AUTH-03',
    defect: 'Keys of an early version had no secret of their own: the key itself still opens every door.',
    caughtBy: ['AUTH-03.key-as-secret'],
    rules: acceptCredentials(({ key, secret, keys }) =>
      key !== null && key === secret ? keys.find((each) => each.key === key && each.state === 'active') : undefined,
    ),
  },
  longHeaderFault('auth-long-secret-500', 'X-API-Secret', 'AUTH-03.long'),
  {
    id: 'auth-production-secret-not-compared',
    requirement: 'AUTH-03',
    defect: 'The secret is compared for the keys that were migrated, and not for the first one of the table.',
    caughtBy: ['AUTH-03.wrong'],
    rules: skipSecretComparison(
      ({ environment }, { headers }) => environment === 'PRODUCTION' && !!headers.get('X-API-Secret'),
    ),
  },
  {
    id: 'auth-dashboard-needs-no-secret',
    requirement: 'AUTH-03',
    defect:
      'A request with X-Environment comes from the dashboard, whose session is trusted: the secret is not compared.',
    caughtBy: ['AUTH-03.wrong'],
    rules: skipSecretComparison((_, { headers }) => headers.has('X-Environment')),
  },
  {
    id: 'auth-production-secret-of-sandbox',
    requirement: 'AUTH-03',
    defect: 'Secrets are looked up by organization: that of its sandbox key opens its production key, too.',
    caughtBy: ['AUTH-03.another-key'],
    rules: acceptCredentials(({ key, secret, keys }) => {
      const found = keys.find((each) => each.key === key && each.state === 'active');
      const same = keys.find(
        (each) => each.organizationId === found?.organizationId && each.state === 'active' && each.secret === secret,
      );
      return found?.environment === 'PRODUCTION' && same ? found : undefined;
    }),
  },
  {
    id: 'auth-production-secret-begins',
    requirement: 'AUTH-03',
    defect: 'The column of production secrets is one character shorter, and so is what is compared.',
    caughtBy: ['AUTH-03.each-key'],
    rules: skipSecretComparison(
      ({ environment, secret }, { headers }) =>
        environment === 'PRODUCTION' && (headers.get('X-API-Secret') ?? '').startsWith(secret.slice(0, -1)),
    ),
  },
];
