import type { RuleChange } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';
import { acceptCredentials, longHeaderFault, skipSecretComparison } from '../support/authentication.ts';

/** Faults in which the key is found and the comparison of its secret is wrong. */
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
    defect: 'The secret must be present but is never compared.',
    caughtBy: ['AUTH-03.wrong', 'AUTH-03.another-key'],
    rules: comparing(() => true),
  },
  {
    id: 'auth-any-stored-secret',
    requirement: 'AUTH-03',
    defect: 'The secret is looked up among all secrets, not compared with that of the key.',
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
    defect: 'Secrets are converted to lower case before they are hashed.',
    caughtBy: ['AUTH-03.letter-case'],
    rules: comparing((expected, given) => expected.toLowerCase() === given.toLowerCase()),
  },
  {
    id: 'auth-secret-beginning-accepted',
    requirement: 'AUTH-03',
    defect: 'The constant-time comparison ends with the received secret, so a long beginning is sufficient.',
    caughtBy: ['AUTH-03.truncated'],
    rules: comparing((expected, given) => given.length > 30 && expected.startsWith(given)),
  },
  {
    id: 'auth-secret-cut',
    requirement: 'AUTH-03',
    defect: 'The hash covers only the length of a valid secret; the rest is ignored.',
    caughtBy: ['AUTH-03.extended'],
    rules: comparing((expected, given) => given.startsWith(expected)),
  },
  {
    id: 'auth-secret-half-hashed',
    requirement: 'AUTH-03',
    defect: 'Only the first half of the secret was stored, because its column was too short.',
    caughtBy: ['AUTH-03.first-half', 'AUTH-03.truncated', 'AUTH-03.last-changed'],
    rules: comparing((expected, given) => given.startsWith(expected.slice(0, Math.ceil(expected.length / 2)))),
  },
  {
    id: 'auth-secret-off-by-one',
    requirement: 'AUTH-03',
    defect: 'The comparison ends one character too early.',
    caughtBy: ['AUTH-03.last-changed'],
    rules: comparing(
      (expected, given) => expected.length === given.length && expected.slice(0, -1) === given.slice(0, -1),
    ),
  },
  {
    id: 'auth-secret-from-its-end',
    requirement: 'AUTH-03',
    defect: 'The secret is compared with the end of the stored text, where older secrets follow a salt.',
    caughtBy: ['AUTH-03.first-missing'],
    rules: comparing((expected, given) => given.length > 20 && expected.endsWith(given)),
  },
  {
    id: 'auth-secret-summed',
    requirement: 'AUTH-03',
    defect: 'The secrets are compared by a sum of their characters, which ignores the order.',
    caughtBy: ['AUTH-03.reordered'],
    rules: comparing((expected, given) => [...expected].sort().join('') === [...given].sort().join('')),
  },
  {
    id: 'auth-secret-from-one',
    requirement: 'AUTH-03',
    defect: 'The comparison of the secrets skips the first character.',
    caughtBy: ['AUTH-03.altered'],
    rules: comparing((expected, given) => expected.length === given.length && expected.slice(1) === given.slice(1)),
  },
  {
    id: 'auth-secret-masked',
    requirement: 'AUTH-03',
    defect: 'The masked secrets are compared: their ends and their length.',
    caughtBy: ['AUTH-03.altered'],
    rules: comparing((expected, given) => masked(expected) === masked(given)),
  },
  {
    id: 'auth-trusts-own-network',
    requirement: 'AUTH-03',
    defect: 'Requests from the internal network need no secret, and a request header says where it comes from.',
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
    defect: 'Keys of an early version had no secret: the key itself is still accepted as the secret.',
    caughtBy: ['AUTH-03.key-as-secret'],
    rules: acceptCredentials(({ key, secret, keys }) =>
      key !== null && key === secret ? keys.find((each) => each.key === key && each.state === 'active') : undefined,
    ),
  },
  longHeaderFault('auth-long-secret-500', 'X-API-Secret', 'AUTH-03.long'),
  {
    id: 'auth-production-secret-not-compared',
    requirement: 'AUTH-03',
    defect: 'The secret is compared for migrated keys, but not for the first key of the table.',
    caughtBy: ['AUTH-03.wrong'],
    rules: skipSecretComparison(
      ({ environment }, { headers }) => environment === 'PRODUCTION' && !!headers.get('X-API-Secret'),
    ),
  },
  {
    id: 'auth-dashboard-needs-no-secret',
    requirement: 'AUTH-03',
    defect:
      'A request with X-Environment is taken for the dashboard, whose session is trusted: the secret is not compared.',
    caughtBy: ['AUTH-03.wrong'],
    rules: skipSecretComparison((_, { headers }) => headers.has('X-Environment')),
  },
  {
    id: 'auth-production-secret-of-sandbox',
    requirement: 'AUTH-03',
    defect:
      'Secrets are looked up by organization: the secret of its sandbox key is valid for its production key, too.',
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
    defect: 'The column of production secrets is one character shorter, and the comparison covers only that length.',
    caughtBy: ['AUTH-03.each-key'],
    rules: skipSecretComparison(
      ({ environment, secret }, { headers }) =>
        environment === 'PRODUCTION' && (headers.get('X-API-Secret') ?? '').startsWith(secret.slice(0, -1)),
    ),
  },
];
