import type { CheckId } from '../../specs/generated/ids.ts';
import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import type { Incoming, Route } from '../service/call.ts';
import { refusals } from '../service/refusal.ts';
import { admitting } from './authentication.ts';
import type { Fault } from './fault.ts';
import { changeBody, withStatus } from './support/response-filters.ts';

const INVOICES = '/api/v1/invoices';

/** Operations by a word for their id, and how a request to them looks. */
const operations: readonly [name: string, method: string, path: RegExp][] = [
  ['create', 'POST', /^\/api\/v1\/invoices$/],
  ['read', 'GET', /^\/api\/v1\/invoices\/[^/]+$/],
  ['submit', 'POST', /\/submit$/],
  ['delete', 'DELETE', /^\/api\/v1\/invoices\/[^/]+$/],
  ['approve', 'POST', /\/approve$/],
  ['dispute', 'POST', /\/dispute$/],
  ['cancel', 'POST', /\/cancel$/],
  ['settle', 'POST', /\/settle$/],
  ['resolve', 'POST', /\/resolve$/],
  ['webhook-create', 'POST', /\/settings\/webhooks$/],
  ['treasury-balance', 'POST', /\/treasury\/balance$/],
  ['treasury-withdraw', 'POST', /\/treasury\/withdraw$/],
  ['reset', 'POST', /\/sandbox\/reset$/],
];

/** One endpoint out of all forgets one line of the authentication. */
const forgetful = operations.map(
  ([name, method, path]): Fault => ({
    id: `auth-${name}-forgets-secret`,
    requirement: 'AUTH-07',
    sentence: `The route of ${name} was registered before the middleware that compares the secret: the key alone lets in.`,
    caughtBy: [`AUTH-07.${name}` as CheckId],
    rules: admitting(({ key, request, keys }) =>
      request.method === method && path.test(request.path)
        ? keys.find((each) => each.key === key && each.state === 'active')
        : undefined,
    ),
  }),
);

type Compare = (expected: string, given: string) => boolean;

/** One endpoint has a comparison of its own, and a careless one. */
const careless = (
  [
    ['create', 'ignores the case of the secret', (expected, given) => expected.toLowerCase() === given.toLowerCase()],
    ['read', 'takes the first half of the secret', (expected, given) => given.length > 8 && expected.startsWith(given)],
    ['approve', 'takes a secret that goes on after its end', (expected, given) => given.startsWith(expected)],
    [
      'settle',
      'overlooks the last character of the secret',
      (expected, given) => given.slice(0, -1) === expected.slice(0, -1),
    ],
    ['treasury-balance', 'takes an empty secret', (_, given) => given === ''],
  ] satisfies [name: string, wrong: string, same: Compare][]
).map(([name, wrong, same]): Fault => {
  const [, method, path] = operations.find(([each]) => each === name) ?? ['', '', /$^/];
  return {
    id: `auth-${name}-careless`,
    requirement: 'AUTH-07',
    sentence: `The service behind ${name} compares secrets itself, and ${wrong}.`,
    caughtBy: [`AUTH-07.${name}` as CheckId],
    rules: admitting(({ key, secret, request, keys }) =>
      request.method === method && path.test(request.path)
        ? keys.find(
            (each) => each.key === key && each.state === 'active' && secret !== null && same(each.secret, secret),
          )
        : undefined,
    ),
  };
});

const isCreation = ({ method, path }: Incoming) => method === 'POST' && path === INVOICES;

function existenceFirst(asked: (request: Incoming) => boolean): RuleChange {
  return replaced((honest) => ({
    authenticate: (service, request) => {
      const { id } = request.params;
      const { SANDBOX, PRODUCTION } = service.store.worlds;
      const unknown = id && !SANDBOX.invoices.has(id) && !PRODUCTION.invoices.has(id);
      if (unknown && asked(request)) throw refusals.invoiceNotFound();
      return honest.authenticate(service, request);
    },
  }));
}

const others: readonly Fault[] = [
  {
    id: 'auth-list-from-cache',
    requirement: 'AUTH-07',
    sentence: 'A cache in front answers a list page that it knows before anybody looks for credentials.',
    caughtBy: ['AUTH-07.list'],
    rules: admitting(({ key, secret, request, keys }) =>
      key === null && secret === null && request.path === INVOICES && request.query.has('limit')
        ? keys.find(({ state }) => state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-later-pages-open',
    requirement: 'AUTH-07',
    sentence: 'Whoever asks for a later page was let in for the first one: the credentials are looked at there alone.',
    caughtBy: ['AUTH-07.list'],
    rules: admitting(({ request, keys }) =>
      request.path === INVOICES && Number(request.query.get('page')) > 0
        ? keys.find(({ state }) => state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-later-pages-any-secret',
    requirement: 'AUTH-07',
    sentence:
      'Later pages are asked for with a key that was let in for the first one: its secret is not compared again.',
    caughtBy: ['AUTH-07.list'],
    rules: admitting(({ key, request, keys }) =>
      request.path === INVOICES && Number(request.query.get('page')) > 0
        ? keys.find((each) => each.key === key && each.state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-later-pages-revoked',
    requirement: 'AUTH-07',
    sentence: 'Later pages belong to a session that began with the first one, and revocation ends no session.',
    caughtBy: ['AUTH-07.list'],
    rules: admitting(({ key, secret, request, keys }) =>
      request.path === INVOICES && Number(request.query.get('page')) > 0
        ? keys.find((each) => each.key === key && each.secret === secret)
        : undefined,
    ),
  },
  {
    id: 'auth-scope-before-secret',
    requirement: 'AUTH-07',
    sentence: 'A key that may only read is told so before its secret is compared.',
    caughtBy: ['AUTH-07.create'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const found = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        if (isCreation(request) && found && !found.scopes.includes('write')) throw refusals.lacksPermission();
        return honest.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-create-401-but-written',
    requirement: 'AUTH-07',
    sentence: 'Creation writes first and authenticates afterwards: the missing await lets the refused invoice in.',
    caughtBy: ['AUTH-07.create'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        try {
          return honest.authenticate(service, request);
        } catch (refusal) {
          const key = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
          if (key && isCreation(request)) {
            const world = service.store.worlds[key.environment];
            const call = { ...service, request, key, environment: key.environment, world };
            const route = {
              name: 'create',
              method: 'POST',
              path: INVOICES,
              scope: 'write' as const,
              perform: () => ({ status: 201 }),
            };
            const whole = {
              ...call,
              route,
              organizationId: key.organizationId,
              body: honest.parseBody(service, request),
            };
            const input = honest.validateCreate(whole);
            honest.issue(whole, input, honest.number(whole, honest.connect(whole, input)));
          }
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'auth-403-for-revoked',
    requirement: 'AUTH-04',
    sentence: 'A revoked key is known, and so is answered with 403 instead of 401.',
    caughtBy: ['AUTH-04.revoked', 'AUTH-04.revoked-write'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const key = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        if (key?.state === 'revoked') throw refusals.lacksPermission();
        return honest.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-400-for-missing-secret',
    requirement: 'AUTH-01',
    sentence: 'A missing header is a validation error to the gateway: 400 instead of 401.',
    caughtBy: ['AUTH-01.secret-missing', 'AUTH-01.key-missing'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const given = ['X-API-Key', 'X-API-Secret'].filter((name) => request.headers.has(name)).length;
        if (given === 1) throw refusals.invalidRequest('both headers are required');
        return honest.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-body-parsed-first',
    requirement: 'AUTH-08',
    sentence: 'The body parser runs before the authentication, so that a malformed body hides bad credentials.',
    caughtBy: ['AUTH-08.before-body'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        honest.parseBody(service, request);
        return honest.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-environment-first',
    requirement: 'AUTH-08',
    sentence: 'The gateway looks at X-Environment before it looks at the credentials.',
    caughtBy: ['AUTH-08.before-environment'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const named = request.headers.get('X-Environment');
        if (named && named !== 'SANDBOX' && named !== 'PRODUCTION') throw refusals.unknownEnvironment();
        return honest.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-mismatch-first',
    requirement: 'AUTH-08',
    sentence: 'The gateway tells the environment by the prefix of a key, before anybody asks for its secret.',
    caughtBy: ['AUTH-08.before-mismatch'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const sandbox = request.headers.get('X-API-Key')?.startsWith('svc_sand_');
        if (sandbox && request.headers.get('X-Environment') === 'PRODUCTION') throw refusals.environmentMismatch();
        return honest.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-revocation-last',
    requirement: 'AUTH-08',
    sentence: 'Whether a key was revoked is looked at after its environment was compared with the one that is named.',
    caughtBy: ['AUTH-08.before-mismatch'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const found = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        const named = request.headers.get('X-Environment');
        const matches = found?.secret === request.headers.get('X-API-Secret');
        if (found && matches && named !== null && named !== found.environment) throw refusals.environmentMismatch();
        return honest.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-existence-first',
    requirement: 'AUTH-10',
    sentence: 'The router loads the invoice before the credentials are checked: anybody can ask which ids exist.',
    caughtBy: ['AUTH-10.read', 'AUTH-10.submit'],
    rules: existenceFirst(() => true),
  },
  {
    id: 'auth-existence-first-on-actions',
    requirement: 'AUTH-10',
    sentence: 'Actions load their invoice before the credentials are checked: anybody can ask which ids exist.',
    caughtBy: ['AUTH-10.submit'],
    rules: existenceFirst(({ method }) => method === 'POST'),
  },
  {
    id: 'auth-revoked-told-what-is-missing',
    requirement: 'AUTH-10',
    sentence: 'That a key is revoked is asked last: for ids that do not exist it gets the 404 of everybody.',
    caughtBy: ['AUTH-10.submit'],
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const key = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        const id = /invoices\/([^/]+)\/submit$/.exec(request.path)?.[1];
        const known = id !== undefined && service.store.worlds.SANDBOX.invoices.has(decodeURIComponent(id));
        if (key?.state === 'revoked' && key.secret === request.headers.get('X-API-Secret') && id && !known)
          throw refusals.invoiceNotFound();
        return honest.authenticate(service, request);
      },
    })),
  },
];

/** What the target file calls a key is what this server accepts: the honest one plus the wrong prefix. */
function renamed(actor: 'seller' | 'production', right: string, wrong: string): Pick<Fault, 'rules' | 'target'> {
  return {
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const given = request.headers.get('X-API-Key') ?? '';
        const headers = new Headers(request.headers);
        if (given.startsWith(wrong)) headers.set('X-API-Key', given.replace(wrong, right));
        return honest.authenticate(service, { ...request, headers });
      },
    })),
    target: (target) => {
      const held = target.actors[actor];
      if (!held) return target;
      return { ...target, actors: { ...target.actors, [actor]: { ...held, key: held.key.replace(right, wrong) } } };
    },
  };
}

const keyForms: readonly Fault[] = [
  {
    id: 'key-sandbox-prefix',
    requirement: 'KEY-01',
    sentence: 'Sandbox keys are issued with the prefix of the old product, svc_test_.',
    caughtBy: ['KEY-01.sandbox-prefix'],
    ...renamed('seller', 'svc_sand_', 'svc_test_'),
  },
  {
    id: 'key-production-prefix',
    requirement: 'KEY-01',
    sentence: 'Production keys are issued as svc_live_.',
    caughtBy: ['KEY-01.production-prefix'],
    ...renamed('production', 'svc_prod_', 'svc_live_'),
  },
  {
    id: 'key-secret-echoed',
    requirement: 'KEY-02',
    sentence: 'A validation error repeats the headers of the request, the secret among them, for debugging.',
    caughtBy: ['KEY-02.never-shown'],
    rewrite: changeBody(withStatus(400), (body, { headers }) => ({ ...body, received: Object.fromEntries(headers) })),
  },
];

/** The router forgives a slash behind a path, and the guards compare it letter by letter. */
const alsoWithSlash = (name: string) => (honest: readonly Route[]) => [
  ...honest,
  ...honest.filter((route) => route.name === name).map((route) => ({ ...route, path: `${route.path}/` })),
];
const endsWithSlash = ({ path }: Incoming) => path.endsWith('/');

const otherPaths: readonly Fault[] = [
  {
    id: 'auth-guard-by-exact-path',
    requirement: 'AUTH-01',
    sentence: 'The guard compares the path letter by letter; the router forgives a slash behind it.',
    caughtBy: ['AUTH-01.other-paths'],
    routes: alsoWithSlash('list'),
    rules: replaced((honest) => ({
      authenticate: (service, request) => {
        const [first] = endsWithSlash(request) ? service.store.keys.values() : [];
        return first ?? honest.authenticate(service, request);
      },
    })),
  },
  {
    id: 'perm-guard-by-exact-path',
    requirement: 'PERM-01',
    sentence: 'Permissions are looked up by the exact path; for one with a slash behind it there is none to lack.',
    caughtBy: ['PERM-01.other-paths'],
    routes: alsoWithSlash('create'),
    rules: replaced((honest) => ({
      authorize: (call) => {
        if (!endsWithSlash(call.request)) honest.authorize(call);
      },
    })),
  },
];

export const authenticationEverywhereFaults: readonly Fault[] = [
  ...forgetful,
  ...careless,
  ...others,
  ...keyForms,
  ...otherPaths,
];
