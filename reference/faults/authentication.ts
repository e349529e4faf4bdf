import type { CheckId } from '../../specs/generated/ids.ts';
import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import type { Incoming, Service } from '../service/call.ts';
import { refusals, Unauthorized } from '../service/refusal.ts';
import type { ApiKey } from '../service/store.ts';
import type { Fault } from './fault.ts';
import { changeBody, withStatus } from './support/response-filters.ts';

interface Given {
  key: string | null;
  secret: string | null;
  request: Incoming;
  keys: ApiKey[];
}

/** Lets somebody in whom the honest rule would refuse; `undefined` leaves it to the honest rule. */
export function admitting(find: (given: Given) => ApiKey | undefined): RuleChange {
  return replaced((honest) => ({
    authenticate: (service: Service, request: Incoming) => {
      const [key, secret] = [request.headers.get('X-API-Key'), request.headers.get('X-API-Secret')];
      const keys = [...service.store.keys.values()];
      return find({ key, secret, request, keys }) ?? honest.authenticate(service, request);
    },
  }));
}

const active = ({ keys }: Given) => keys.find(({ state }) => state === 'active');

/** The key is found, and its secret is compared in a wrong way. */
function comparing(same: (expected: string, given: string) => boolean): RuleChange {
  return admitting(({ key, secret, keys }) => {
    const found = keys.find((each) => each.key === key && each.state === 'active');
    return found && secret && same(found.secret, secret) ? found : undefined;
  });
}

const masked = (text: string): string =>
  `${text.slice(0, 4)}${'*'.repeat(Math.max(0, text.length - 8))}${text.slice(-4)}`;

/** Credentials of some form break the query that looks them up, and nobody catches that. */
const breakingOn = (id: string, check: CheckId, sentence: string, header: string, form: RegExp): Fault => ({
  id,
  requirement: check.split('.')[0] ?? '',
  sentence,
  caughtBy: [check],
  rules: replaced((honest) => ({
    authenticate: (service, request) => {
      if (form.test(request.headers.get(header) ?? '')) throw refusals.internal();
      return honest.authenticate(service, request);
    },
  })),
});

const tooLong = (id: string, header: string, check: CheckId): Fault =>
  breakingOn(id, check, `A long ${header} breaks the query that looks it up: 500 instead of 401.`, header, /^.{256}/);

/** The secret is right, and its key is looked up in a wrong way. */
function lookingUp(same: (expected: string, given: string) => boolean): RuleChange {
  return admitting(({ key, secret, keys }) =>
    keys.find((each) => each.secret === secret && each.state === 'active' && key && same(each.key, key)),
  );
}

const missing: readonly Fault[] = [
  {
    id: 'auth-anonymous-guest',
    requirement: 'AUTH-01',
    sentence: 'A request without any credentials is served as a guest of the first organization, as in the demo build.',
    caughtBy: ['AUTH-01.both-missing', 'AUTH-07.list'],
    rules: admitting((given) => (given.key === null && given.secret === null ? active(given) : undefined)),
  },
  {
    id: 'auth-secret-alone',
    requirement: 'AUTH-01',
    sentence: 'Without X-API-Key the secret alone identifies the caller.',
    caughtBy: ['AUTH-01.key-missing'],
    rules: admitting(({ key, secret, keys }) =>
      key === null && secret ? keys.find((each) => each.secret === secret) : undefined,
    ),
  },
  {
    id: 'auth-key-alone',
    requirement: 'AUTH-01',
    sentence: 'The secret is compared only when the header is there.',
    caughtBy: ['AUTH-01.secret-missing'],
    rules: admitting(({ key, secret, keys }) =>
      secret === null ? keys.find((each) => each.key === key && each.state === 'active') : undefined,
    ),
  },
  {
    id: 'auth-anonymous-dashboard',
    requirement: 'AUTH-01',
    sentence:
      'A request with X-Environment and no credentials passes for one of a dashboard session, which nobody looks for.',
    caughtBy: ['AUTH-01.both-missing'],
    rules: admitting((given) =>
      given.key === null && given.secret === null && given.request.headers.get('X-Environment') === 'SANDBOX'
        ? active(given)
        : undefined,
    ),
  },
  {
    id: 'auth-key-alone-in-dashboard',
    requirement: 'AUTH-01',
    sentence: 'With X-Environment the key alone is enough: the dashboard shows no secrets.',
    caughtBy: ['AUTH-01.secret-missing'],
    rules: admitting(({ key, secret, request, keys }) =>
      secret === null && request.headers.has('X-Environment')
        ? keys.find((each) => each.key === key && each.state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-empty-key',
    requirement: 'AUTH-01',
    sentence: 'An empty key is falsy, and the lookup goes on with the secret alone.',
    caughtBy: ['AUTH-01.key-empty'],
    rules: admitting(({ key, secret, keys }) =>
      key === '' && secret ? keys.find((each) => each.secret === secret) : undefined,
    ),
  },
  {
    id: 'auth-empty-secret',
    requirement: 'AUTH-01',
    sentence: 'An empty secret matches any key: the comparison runs over the length of what was given.',
    caughtBy: ['AUTH-01.secret-empty'],
    rules: admitting(({ key, secret, keys }) =>
      secret === '' ? keys.find((each) => each.key === key && each.state === 'active') : undefined,
    ),
  },
  {
    id: 'auth-query-credentials',
    requirement: 'AUTH-01',
    sentence: 'Credentials in the query are taken, too, for the convenience of a browser.',
    caughtBy: ['AUTH-01.in-query'],
    rules: admitting(({ request, keys }) =>
      keys.find(
        (each) =>
          each.key === request.query.get('X-API-Key') &&
          each.secret === request.query.get('X-API-Secret') &&
          each.state === 'active',
      ),
    ),
  },
];

const keys: readonly Fault[] = [
  {
    id: 'auth-unknown-key-demo',
    requirement: 'AUTH-02',
    sentence: 'Any key that begins like a sandbox key is served as the demo organization.',
    caughtBy: ['AUTH-02.unknown'],
    rules: admitting((given) =>
      given.key?.startsWith('svc_sand_') && given.secret && !given.keys.some(({ key }) => key === given.key)
        ? active(given)
        : undefined,
    ),
  },
  {
    id: 'auth-key-by-prefix',
    requirement: 'AUTH-02',
    sentence: 'The key is looked up with LIKE and a wildcard behind it, so that a beginning of it is enough.',
    caughtBy: ['AUTH-02.truncated'],
    rules: lookingUp((expected, given) => given.length > 20 && expected.startsWith(given)),
  },
  {
    id: 'auth-key-cut-to-column',
    requirement: 'AUTH-02',
    sentence: 'The key is cut to the length of its column before the lookup; what follows is ignored.',
    caughtBy: ['AUTH-02.extended'],
    rules: lookingUp((expected, given) => given.startsWith(expected)),
  },
  {
    id: 'auth-key-other-case',
    requirement: 'AUTH-02',
    sentence: 'The key column has a case-insensitive collation.',
    caughtBy: ['AUTH-02.letter-case'],
    rules: lookingUp((expected, given) => expected.toLowerCase() === given.toLowerCase()),
  },
  {
    id: 'auth-swapped-headers',
    requirement: 'AUTH-02',
    sentence: 'Key and secret are hashed together in sorted order, so that swapping the headers makes no difference.',
    caughtBy: ['AUTH-02.swapped'],
    rules: admitting(({ key, secret, keys }) => keys.find((each) => each.key === secret && each.secret === key)),
  },
  {
    id: 'auth-bare-prefix',
    requirement: 'AUTH-02',
    sentence: 'The bare prefix selects the environment, and the secret alone then selects the key.',
    caughtBy: ['AUTH-02.prefix-only'],
    rules: lookingUp((expected, given) => given === 'svc_sand_' && expected.startsWith(given)),
  },
  {
    id: 'auth-prefix-not-compared',
    requirement: 'AUTH-02',
    sentence: 'Keys are looked up by what stands behind their prefix.',
    caughtBy: ['AUTH-02.other-prefix'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const headers = new Headers(request.headers);
        const rest = headers.get('X-API-Key')?.replace(/^svc_(sand|prod)_/, '');
        const known = [...service.store.keys.keys()].find((key) => key.replace(/^svc_(sand|prod)_/, '') === rest);
        if (rest && known) headers.set('X-API-Key', known);
        return honest.authenticate(service, { ...request, headers });
      },
    })),
  },
  {
    id: 'auth-production-key-any-case',
    requirement: 'AUTH-02',
    sentence: 'The table of production keys has a collation that knows no case.',
    caughtBy: ['AUTH-02.each-key'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const headers = new Headers(request.headers);
        const sent = headers.get('X-API-Key')?.toLowerCase();
        const known = [...service.store.keys.values()].find(
          ({ key, environment }) => environment === 'PRODUCTION' && key.toLowerCase() === sent,
        );
        if (known) headers.set('X-API-Key', known.key);
        return honest.authenticate(service, { ...request, headers });
      },
    })),
  },
];

/** An active key is let in without an honest look at the secret, where a request is such. */
const notComparing = (lax: (key: ApiKey, request: Incoming) => boolean): RuleChange =>
  replaced((honest) => ({
    authenticate: (service, request) => {
      const found = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
      return found?.state === 'active' && lax(found, request) ? found : honest.authenticate(service, request);
    },
  }));

const secrets: readonly Fault[] = [
  {
    id: 'auth-any-secret',
    requirement: 'AUTH-03',
    sentence: 'The secret must be there, but is never compared.',
    caughtBy: ['AUTH-03.wrong', 'AUTH-03.another-key'],
    rules: comparing(() => true),
  },
  {
    id: 'auth-secret-of-anybody',
    requirement: 'AUTH-03',
    sentence: 'The secret is looked for among all secrets, and not compared with that of the key.',
    caughtBy: ['AUTH-03.another-key'],
    rules: admitting(({ key, secret, keys }) =>
      keys.some((each) => each.secret === secret)
        ? keys.find((each) => each.key === key && each.state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-secret-other-case',
    requirement: 'AUTH-03',
    sentence: 'Secrets are lower-cased before they are hashed.',
    caughtBy: ['AUTH-03.letter-case'],
    rules: comparing((expected, given) => expected.toLowerCase() === given.toLowerCase()),
  },
  {
    id: 'auth-secret-loop-to-given',
    requirement: 'AUTH-03',
    sentence: 'The constant-time comparison runs to the end of what was given, so that a long beginning is enough.',
    caughtBy: ['AUTH-03.truncated'],
    rules: comparing((expected, given) => given.length > 30 && expected.startsWith(given)),
  },
  {
    id: 'auth-secret-cut',
    requirement: 'AUTH-03',
    sentence: 'The hash looks at no more characters than a secret has; what follows is ignored.',
    caughtBy: ['AUTH-03.extended'],
    rules: comparing((expected, given) => given.startsWith(expected)),
  },
  {
    id: 'auth-secret-half-hashed',
    requirement: 'AUTH-03',
    sentence: 'Only the first half of the secret was stored, in a column that was too short.',
    caughtBy: ['AUTH-03.first-half', 'AUTH-03.truncated', 'AUTH-03.last-changed'],
    rules: comparing((expected, given) => given.startsWith(expected.slice(0, Math.ceil(expected.length / 2)))),
  },
  {
    id: 'auth-secret-off-by-one',
    requirement: 'AUTH-03',
    sentence: 'The comparing loop ends one character too early.',
    caughtBy: ['AUTH-03.last-changed'],
    rules: comparing(
      (expected, given) => expected.length === given.length && expected.slice(0, -1) === given.slice(0, -1),
    ),
  },
  {
    id: 'auth-secret-from-its-end',
    requirement: 'AUTH-03',
    sentence: 'The secret is looked for at the end of what is stored, where older ones stand behind a salt.',
    caughtBy: ['AUTH-03.first-missing'],
    rules: comparing((expected, given) => given.length > 20 && expected.endsWith(given)),
  },
  {
    id: 'auth-secret-summed',
    requirement: 'AUTH-03',
    sentence: 'The secrets are compared by a sum over their characters, which has no order.',
    caughtBy: ['AUTH-03.reordered'],
    rules: comparing((expected, given) => [...expected].sort().join('') === [...given].sort().join('')),
  },
  {
    id: 'auth-secret-from-one',
    requirement: 'AUTH-03',
    sentence: 'The loop that compares the secrets begins at one.',
    caughtBy: ['AUTH-03.altered'],
    rules: comparing((expected, given) => expected.length === given.length && expected.slice(1) === given.slice(1)),
  },
  {
    id: 'auth-secret-masked',
    requirement: 'AUTH-03',
    sentence: 'What is compared are the masked secrets: their ends and their length.',
    caughtBy: ['AUTH-03.altered'],
    rules: comparing((expected, given) => masked(expected) === masked(given)),
  },
  {
    id: 'auth-key-by-its-end',
    requirement: 'AUTH-02',
    sentence: 'Keys are found by what stands behind their prefix, whatever stands before it.',
    caughtBy: ['AUTH-02.altered'],
    rules: lookingUp((expected, given) => given.length > 20 && given.endsWith(expected.slice('svc_sand_'.length))),
  },
  {
    id: 'auth-key-as-pattern',
    requirement: 'AUTH-02',
    sentence: 'The key is looked up by LIKE: a wildcard finds the first one with this secret.',
    caughtBy: ['AUTH-02.altered'],
    rules: lookingUp((expected, given) => given.endsWith('%') && expected.startsWith(given.slice(0, -1))),
  },
  {
    id: 'auth-basic-too',
    requirement: 'AUTH-01',
    sentence: 'Behind the old gateway key and secret may also come as Basic credentials, without the two headers.',
    caughtBy: ['AUTH-01.other-schemes'],
    rules: admitting(({ request, keys }) => {
      const basic = /^Basic (.+)$/.exec(request.headers.get('Authorization') ?? '')?.[1] ?? '';
      const [key, secret] = Buffer.from(basic, 'base64').toString().split(':');
      return keys.find((each) => each.key === key && each.secret === secret && each.state === 'active');
    }),
  },
  {
    id: 'auth-trusts-own-network',
    requirement: 'AUTH-03',
    sentence: 'Who comes from the own network needs no secret, and where one comes from is what the request says.',
    caughtBy: ['AUTH-03.forwarded'],
    rules: admitting(({ key, request, keys }) =>
      request.headers.get('X-Forwarded-For') === '127.0.0.1'
        ? keys.find((each) => each.key === key && each.state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-secret-is-key',
    requirement: 'AUTH-03',
    sentence: 'Keys of an early version had no secret of their own: the key itself still opens every door.',
    caughtBy: ['AUTH-03.key-as-secret'],
    rules: admitting(({ key, secret, keys }) =>
      key !== null && key === secret ? keys.find((each) => each.key === key && each.state === 'active') : undefined,
    ),
  },
  tooLong('auth-long-secret-500', 'X-API-Secret', 'AUTH-03.long'),
  tooLong('auth-long-key-500', 'X-API-Key', 'AUTH-02.long'),
  breakingOn(
    'auth-other-letters-500',
    'AUTH-02.special-characters',
    'Keys are stored as ASCII: a letter that is none breaks the query that looks them up, 500 instead of 401.',
    'X-API-Key',
    /[\u0080-\uffff]/,
  ),
  breakingOn(
    'auth-quote-500',
    'AUTH-02.special-characters',
    'The key is put between the quotation marks of a query: one of its own breaks it, 500 instead of 401.',
    'X-API-Key',
    /'/,
  ),
  {
    id: 'auth-revoked-names-environment',
    requirement: 'AUTH-04',
    sentence: 'A request with X-Environment looks keys up by environment, in a table without their state.',
    caughtBy: ['AUTH-04.revoked'],
    rules: admitting(({ key, secret, request, keys }) =>
      request.headers.has('X-Environment')
        ? keys.find((each) => each.key === key && each.secret === secret && each.state === 'revoked')
        : undefined,
    ),
  },
  {
    id: 'auth-production-secret-not-compared',
    requirement: 'AUTH-03',
    sentence: 'The secret is compared for the keys that were migrated, and not for the first one of the table.',
    caughtBy: ['AUTH-03.wrong'],
    rules: notComparing(
      ({ environment }, { headers }) => environment === 'PRODUCTION' && !!headers.get('X-API-Secret'),
    ),
  },
  {
    id: 'auth-dashboard-needs-no-secret',
    requirement: 'AUTH-03',
    sentence:
      'A request with X-Environment comes from the dashboard, whose session is trusted: the secret is not compared.',
    caughtBy: ['AUTH-03.wrong'],
    rules: notComparing((_, { headers }) => headers.has('X-Environment')),
  },
  {
    id: 'auth-production-reads-without-secret',
    requirement: 'AUTH-07',
    sentence: 'The secret of a production key is not compared where one invoice is read.',
    caughtBy: ['AUTH-07.read'],
    rules: notComparing(
      ({ environment }, { method, path }) =>
        environment === 'PRODUCTION' && method === 'GET' && path.startsWith('/api/v1/invoices/'),
    ),
  },
  {
    id: 'auth-production-list-without-secret',
    requirement: 'AUTH-01',
    sentence: 'Production keys were issued without secrets once, and a missing one is still let pass.',
    caughtBy: ['AUTH-01.each-key'],
    rules: notComparing(({ environment }, { headers }) => environment === 'PRODUCTION' && !headers.has('X-API-Secret')),
  },
  {
    id: 'auth-production-secret-of-sandbox',
    requirement: 'AUTH-03',
    sentence: 'Secrets are looked up by organization: that of its sandbox key opens its production key, too.',
    caughtBy: ['AUTH-03.another-key'],
    rules: admitting(({ key, secret, keys }) => {
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
    sentence: 'The column of production secrets is one character shorter, and so is what is compared.',
    caughtBy: ['AUTH-03.each-key'],
    rules: notComparing(
      ({ environment, secret }, { headers }) =>
        environment === 'PRODUCTION' && (headers.get('X-API-Secret') ?? '').startsWith(secret.slice(0, -1)),
    ),
  },
];

const revoked: readonly Fault[] = [
  {
    id: 'auth-revoked-wrong-secret-told',
    requirement: 'AUTH-05',
    sentence: 'A key that is known and revoked is told so, where the secret is wrong besides.',
    caughtBy: ['AUTH-05.causes'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const found = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        const wrong = found && request.headers.get('X-API-Secret') !== found.secret;
        // No key of the fixtures expires: the reason is free to stand for this one.
        if (wrong && found.state === 'revoked') throw new Unauthorized('expired');
        return honest.authenticate(service, request);
      },
      unauthorizedBody: (reason) =>
        reason === 'expired'
          ? { error: 'Unauthorized', message: 'This key is no longer valid' }
          : honest.unauthorizedBody(reason),
    })),
  },
  {
    id: 'auth-revoked-accepted',
    requirement: 'AUTH-04',
    sentence: 'Revoking a key marks it in the dashboard, and no request ever looks at the mark.',
    caughtBy: ['AUTH-04.revoked', 'AUTH-04.revoked-write'],
    rules: admitting(({ key, secret, keys }) => keys.find((each) => each.key === key && each.secret === secret)),
  },
  {
    id: 'auth-revoked-may-create',
    requirement: 'AUTH-04',
    sentence: 'The creation path trusts a cache of keys that revocation does not empty.',
    caughtBy: ['AUTH-04.revoked-write'],
    rules: admitting(({ key, secret, request, keys }) =>
      request.method === 'POST' && request.path === '/api/v1/invoices'
        ? keys.find((each) => each.key === key && each.secret === secret)
        : undefined,
    ),
  },
];

const bodies: readonly Fault[] = [
  {
    id: 'auth-body-tells-cause',
    requirement: 'AUTH-05',
    sentence: 'The 401 says in its message whether it was the key or the secret.',
    caughtBy: ['AUTH-05.causes', 'AUTH-05.all-responses'],
    rules: replaced(() => ({
      unauthorizedBody: (reason) => ({ error: 'Unauthorized', message: `Refused: ${reason}` }),
    })),
  },
  {
    id: 'auth-body-of-missing',
    requirement: 'AUTH-05',
    sentence: 'Missing headers are refused by the gateway with a text of its own.',
    caughtBy: ['AUTH-05.causes'],
    rules: replaced((honest) => ({
      unauthorizedBody: (reason) =>
        reason === 'missing' ? { error: 'Unauthorized', message: 'API key required' } : honest.unauthorizedBody(reason),
    })),
  },
  {
    id: 'auth-body-names-path',
    requirement: 'AUTH-05',
    sentence: 'The framework adds the path to the 401 of every operation but the list.',
    caughtBy: ['AUTH-05.all-responses'],
    alongside: ['AUTH-07.create', 'AUTH-07.read'],
    rewrite: changeBody(withStatus(401), (body, { method, url }) =>
      method === 'GET' && new URL(url).pathname === '/api/v1/invoices'
        ? body
        : { ...body, path: new URL(url).pathname },
    ),
  },
  {
    id: 'auth-body-request-id',
    requirement: 'AUTH-05',
    sentence: 'Every 401 carries a fresh trace id in its body.',
    caughtBy: ['AUTH-05.causes', 'AUTH-05.all-responses'],
    rewrite: changeBody(withStatus(401), (body) => ({ ...body, traceId: Math.random().toString(36).slice(2) })),
  },
  {
    id: 'auth-body-no-message',
    requirement: 'AUTH-06',
    sentence: 'The 401 is written by a filter that knows error only, and leaves the message out.',
    caughtBy: ['AUTH-06.fields'],
    rules: replaced(() => ({ unauthorizedBody: () => ({ error: 'Unauthorized' }) })),
  },
  {
    id: 'auth-body-code',
    requirement: 'AUTH-06',
    sentence: 'The 401 carries a code like every other error.',
    caughtBy: ['AUTH-06.no-code'],
    rules: replaced(() => ({
      unauthorizedBody: () => ({ error: 'Unauthorized', message: 'Invalid API key or secret', code: 'AUTH001' }),
    })),
  },
];

const headers: readonly Fault[] = [
  {
    id: 'auth-header-tells-cause',
    requirement: 'AUTH-06',
    sentence: 'The body is the same for all; the header that support asks for says which credential was missing.',
    caughtBy: ['AUTH-06.headers'],
    rewrite: (request, response) => {
      if (response.status !== 401) return response;
      const told = new Headers(response.headers);
      told.set('X-Error-Code', request.headers.has('X-API-Key') ? 'INVALID_CREDENTIALS' : 'MISSING_KEY');
      return new Response(response.body, { status: response.status, headers: told });
    },
  },
];

export const authenticationFaults: readonly Fault[] = [
  ...missing,
  ...keys,
  ...secrets,
  ...revoked,
  ...bodies,
  ...headers,
];
