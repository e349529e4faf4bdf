import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Body, Call, IncomingRequest, Service } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Rules } from '../../service/rules.ts';
import type { ApiKey } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { acceptCredentials, skipSecretComparison } from '../support/authentication.ts';
import { readRequestId, skipGateOnReplay } from '../support/other-keys.ts';

const INVOICES = '/api/v1/invoices';

/** Operations by the word in their check ids, with the form of their requests. */
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

type Compare = (expected: string, given: string) => boolean;

const isCreation = ({ method, path }: IncomingRequest) => method === 'POST' && path === INVOICES;

/** Stores the subscription of a request that is rejected afterwards. */
function storedAllTheSame<T>(service: Service, request: IncomingRequest, rule: () => T): T {
  try {
    return rule();
  } catch (refusal) {
    const key = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
    const { url } = request.path.endsWith('/webhooks') ? (JSON.parse(request.text) as Body) : {};
    if (key && typeof url === 'string') {
      service.store.worlds[key.environment].subscriptions.push({
        id: service.rules.newId(),
        organizationId: key.organizationId,
        url,
        eventTypes: ['PAYMENT_COMPLETED'],
        signingSecret: undefined,
        createdAt: service.rules.now().toISOString(),
      });
    }
    throw refusal;
  }
}

const late: readonly [id: keyof ReturnType<typeof lateRules>, check: CheckId, requirement: string, before: string][] = [
  ['credentials', 'AUTH-07.webhook-no-notification', 'AUTH-07', 'the caller is authenticated'],
  ['environment', 'ENV-01.webhook-no-notification', 'ENV-01', 'X-Environment is checked'],
  ['permission', 'PERM-01.webhook-no-notification', 'PERM-01', 'the permission is checked'],
  ['body', 'HOOK-02.no-notification', 'HOOK-02', 'its field types are validated'],
];

function lateRules(base: Readonly<Rules>) {
  return {
    credentials: {
      authenticate: (service: Service, request: IncomingRequest) =>
        storedAllTheSame(service, request, () => base.authenticate(service, request)),
    },
    environment: {
      resolveEnvironment: (service: Service, key: ApiKey, request: IncomingRequest) =>
        storedAllTheSame(service, request, () => base.resolveEnvironment(service, key, request)),
    },
    permission: { authorize: (call: Call) => storedAllTheSame(call, call.request, () => base.authorize(call)) },
    body: {
      validateSubscription: (call: Call) => storedAllTheSame(call, call.request, () => base.validateSubscription(call)),
    },
  };
}

export const authenticationEveryOperationFaults: readonly Fault[] = [
  /** One endpoint lacks a line of the authentication. */
  ...operations.map(
    ([name, method, path]): Fault => ({
      id: `auth-${name}-ignores-secret`,
      requirement: 'AUTH-07',
      defect: `The route of ${name} was registered before the middleware that compares the secret: the key alone is sufficient.`,
      caughtBy: [`AUTH-07.${name}` as CheckId],
      rules: acceptCredentials(({ key, request, keys }) =>
        request.method === method && path.test(request.path)
          ? keys.find((each) => each.key === key && each.state === 'active')
          : undefined,
      ),
    }),
  ),
  /** One endpoint has a comparison of its own, which is wrong. */
  ...(
    [
      ['create', 'ignores the case of the secret', (expected, given) => expected.toLowerCase() === given.toLowerCase()],
      [
        'read',
        'accepts the first half of the secret',
        (expected, given) => given.length > 8 && expected.startsWith(given),
      ],
      ['approve', 'accepts a secret with text after its end', (expected, given) => given.startsWith(expected)],
      [
        'settle',
        'ignores the last character of the secret',
        (expected, given) => given.slice(0, -1) === expected.slice(0, -1),
      ],
      ['treasury-balance', 'accepts an empty secret', (_, given) => given === ''],
    ] satisfies [name: string, wrong: string, same: Compare][]
  ).map(([name, wrong, same]): Fault => {
    const [, method, path] = operations.find(([each]) => each === name) ?? ['', '', /$^/];
    return {
      id: `auth-${name}-weak-comparison`,
      requirement: 'AUTH-07',
      defect: `The service behind ${name} compares secrets itself, and ${wrong}.`,
      caughtBy: [`AUTH-07.${name}` as CheckId],
      rules: acceptCredentials(({ key, secret, request, keys }) =>
        request.method === method && path.test(request.path)
          ? keys.find(
              (each) => each.key === key && each.state === 'active' && secret !== null && same(each.secret, secret),
            )
          : undefined,
      ),
    };
  }),
  {
    id: 'auth-list-from-cache',
    requirement: 'AUTH-07',
    defect: 'A cache returns a known list page before the credentials are checked.',
    caughtBy: ['AUTH-07.list'],
    rules: acceptCredentials(({ key, secret, request, keys }) =>
      key === null && secret === null && request.path === INVOICES && request.query.has('limit')
        ? keys.find(({ state }) => state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-later-pages-open',
    requirement: 'AUTH-07',
    defect: 'The credentials are checked for the first page only.',
    caughtBy: ['AUTH-07.list'],
    rules: acceptCredentials(({ request, keys }) =>
      request.path === INVOICES && Number(request.query.get('page')) > 0
        ? keys.find(({ state }) => state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-later-pages-any-secret',
    requirement: 'AUTH-07',
    defect: 'The secret is not compared for later pages if the key was accepted for the first page.',
    caughtBy: ['AUTH-07.list'],
    rules: acceptCredentials(({ key, request, keys }) =>
      request.path === INVOICES && Number(request.query.get('page')) > 0
        ? keys.find((each) => each.key === key && each.state === 'active')
        : undefined,
    ),
  },
  {
    id: 'auth-later-pages-revoked',
    requirement: 'AUTH-07',
    defect: 'Later pages belong to a session that began with the first one, and a revocation ends no session.',
    caughtBy: ['AUTH-07.list'],
    rules: acceptCredentials(({ key, secret, request, keys }) =>
      request.path === INVOICES && Number(request.query.get('page')) > 0
        ? keys.find((each) => each.key === key && each.secret === secret)
        : undefined,
    ),
  },
  {
    id: 'auth-scope-before-secret',
    requirement: 'AUTH-07',
    defect: 'A read-only key gets the 403 before its secret is compared.',
    caughtBy: ['AUTH-07.create'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        const found = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
        if (isCreation(request) && found && !found.scopes.includes('write')) throw rejections.lacksPermission();
        return base.authenticate(service, request);
      },
    })),
  },
  {
    id: 'auth-create-401-but-written',
    requirement: 'AUTH-07',
    defect: 'Creation writes before it authenticates, because an await is missing: the rejected invoice is stored.',
    caughtBy: ['AUTH-07.create'],
    rules: overrideRules((base) => ({
      authenticate: (service, request) => {
        try {
          return base.authenticate(service, request);
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
              body: base.parseBody(service, request),
            };
            const input = base.validateCreate(whole);
            base.issueInvoice(whole, input, base.nextInvoiceNumber(whole, base.findConnection(whole, input)));
          }
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'auth-production-reads-without-secret',
    requirement: 'AUTH-07',
    defect: 'The secret of a production key is not compared when one invoice is read.',
    caughtBy: ['AUTH-07.read'],
    rules: skipSecretComparison(
      ({ environment }, { method, path }) =>
        environment === 'PRODUCTION' && method === 'GET' && path.startsWith('/api/v1/invoices/'),
    ),
  },
  {
    id: 'auth-cached-read-without-credentials',
    requirement: 'AUTH-07',
    defect: 'The cache returns an earlier response without checking the credentials.',
    caughtBy: ['AUTH-07.replayed'],
    rules: skipGateOnReplay('authenticate'),
  },
  {
    id: 'auth-cached-balance-without-credentials',
    requirement: 'AUTH-07',
    defect: 'The cache returns an earlier balance without checking the credentials.',
    caughtBy: ['AUTH-07.replayed'],
    rules: skipGateOnReplay('authenticate', /balance$/),
  },
  {
    id: 'auth-cached-read-for-revoked',
    requirement: 'AUTH-07',
    defect: 'The cache compares key and secret itself and does not know later revocations.',
    caughtBy: ['AUTH-07.replayed'],
    rules: overrideRules((base) => {
      const answered = new Map<string, ApiKey>();
      return {
        authenticate: (service, request) => {
          const id = `${request.path} ${readRequestId(request.text)}`;
          const given = service.store.keys.get(request.headers.get('X-API-Key') ?? '');
          const first = answered.get(id);
          if (first && given?.state === 'revoked' && given.secret === request.headers.get('X-API-Secret')) return first;
          const key = base.authenticate(service, request);
          if (readRequestId(request.text) !== '' && !answered.has(id)) answered.set(id, key);
          return key;
        },
      };
    }),
  },
  ...late.map(
    ([id, check, requirement, before]): Fault => ({
      id: `hook-subscribed-before-${id}`,
      requirement,
      defect: `A subscription is stored before ${before}, and is not rolled back.`,
      caughtBy: [check],
      rules: overrideRules((base) => lateRules(base)[id]),
    }),
  ),
];
