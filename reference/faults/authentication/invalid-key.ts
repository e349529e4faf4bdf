import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';
import { acceptCredentials, crashingHeaderFault, findActiveKey, longHeaderFault } from '../support/authentication.ts';

/** Faults in which the secret is correct and the lookup of its key is wrong. */
function lookingUp(same: (expected: string, given: string) => boolean): RuleChange {
  return acceptCredentials(({ key, secret, keys }) =>
    keys.find((each) => each.secret === secret && each.state === 'active' && key && same(each.key, key)),
  );
}

export const authenticationInvalidKeyFaults: readonly Fault[] = [
  {
    id: 'auth-unknown-key-demo',
    requirement: 'AUTH-02',
    defect: 'Any key with the sandbox prefix is served as the demo organization.',
    caughtBy: ['AUTH-02.unknown'],
    rules: acceptCredentials((given) =>
      given.key?.startsWith('svc_sand_') && given.secret && !given.keys.some(({ key }) => key === given.key)
        ? findActiveKey(given)
        : undefined,
    ),
  },
  {
    id: 'auth-key-by-prefix',
    requirement: 'AUTH-02',
    defect: 'The key is looked up with LIKE and a trailing wildcard, so a beginning of it is sufficient.',
    caughtBy: ['AUTH-02.truncated'],
    rules: lookingUp((expected, given) => given.length > 20 && expected.startsWith(given)),
  },
  {
    id: 'auth-key-cut-to-column',
    requirement: 'AUTH-02',
    defect: 'The key is truncated to the length of its column before the lookup; the rest is ignored.',
    caughtBy: ['AUTH-02.extended'],
    rules: lookingUp((expected, given) => given.startsWith(expected)),
  },
  {
    id: 'auth-key-other-case',
    requirement: 'AUTH-02',
    defect: 'The key column has a case-insensitive collation.',
    caughtBy: ['AUTH-02.letter-case'],
    rules: lookingUp((expected, given) => expected.toLowerCase() === given.toLowerCase()),
  },
  {
    id: 'auth-swapped-headers',
    requirement: 'AUTH-02',
    defect: 'Key and secret are hashed together in sorted order, so swapped headers are accepted.',
    caughtBy: ['AUTH-02.swapped'],
    rules: acceptCredentials(({ key, secret, keys }) =>
      keys.find((each) => each.key === secret && each.secret === key),
    ),
  },
  {
    id: 'auth-bare-prefix',
    requirement: 'AUTH-02',
    defect: 'A bare prefix selects the environment, and the secret alone then selects the key.',
    caughtBy: ['AUTH-02.prefix-only'],
    rules: lookingUp((expected, given) => given === 'svc_sand_' && expected.startsWith(given)),
  },
  {
    id: 'auth-prefix-not-compared',
    requirement: 'AUTH-02',
    defect: 'Keys are looked up by the text after their prefix.',
    caughtBy: ['AUTH-02.other-prefix'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const headers = new Headers(request.headers);
        const rest = headers.get('X-API-Key')?.replace(/^svc_(sand|prod)_/, '');
        const known = [...service.store.keys.keys()].find((key) => key.replace(/^svc_(sand|prod)_/, '') === rest);
        if (rest && known) headers.set('X-API-Key', known);
        return base.authenticate(service, { ...request, headers });
      },
    })),
  },
  {
    id: 'auth-production-key-any-case',
    requirement: 'AUTH-02',
    defect: 'The table of production keys has a case-insensitive collation.',
    caughtBy: ['AUTH-02.each-key'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const headers = new Headers(request.headers);
        const sent = headers.get('X-API-Key')?.toLowerCase();
        const known = [...service.store.keys.values()].find(
          ({ key, environment }) => environment === 'PRODUCTION' && key.toLowerCase() === sent,
        );
        if (known) headers.set('X-API-Key', known.key);
        return base.authenticate(service, { ...request, headers });
      },
    })),
  },
  {
    id: 'auth-key-by-its-end',
    requirement: 'AUTH-02',
    defect: 'Keys are looked up by the text after their prefix, with any text before it.',
    caughtBy: ['AUTH-02.altered'],
    rules: lookingUp((expected, given) => given.length > 20 && given.endsWith(expected.slice('svc_sand_'.length))),
  },
  {
    id: 'auth-key-as-pattern',
    requirement: 'AUTH-02',
    defect: 'The key is looked up with LIKE: a wildcard finds the first key with this secret.',
    caughtBy: ['AUTH-02.altered'],
    rules: lookingUp((expected, given) => given.endsWith('%') && expected.startsWith(given.slice(0, -1))),
  },
  longHeaderFault('auth-long-key-500', 'X-API-Key', 'AUTH-02.long'),
  crashingHeaderFault(
    'auth-other-letters-500',
    'AUTH-02.special-characters',
    'Keys are stored as ASCII: another letter breaks the lookup query, 500 instead of 401.',
    'X-API-Key',
    /[\u0080-\uffff]/,
  ),
  crashingHeaderFault(
    'auth-quote-500',
    'AUTH-02.special-characters',
    'The key is quoted in a query: a quotation mark in it breaks the query, 500 instead of 401.',
    'X-API-Key',
    /'/,
  ),
];
