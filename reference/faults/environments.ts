import type { CheckId } from '../../specs/generated/ids.ts';
import { type RuleChange, replaced } from '../overrides/override-rules.ts';
import type { Incoming } from '../service/call.ts';
import { Refusal, refusals } from '../service/refusal.ts';
import type { Fault } from './fault.ts';
import { balanceByGet } from './support/balance-by-get.ts';

const named = ({ headers }: Incoming) => headers.get('X-Environment');
const isList = ({ method, path }: Incoming) => method === 'GET' && path === '/api/v1/invoices';
const isCreation = ({ method, path }: Incoming) => method === 'POST' && path === '/api/v1/invoices';
const isRead = ({ method, path }: Incoming) => method === 'GET' && path !== '/api/v1/invoices';
const isAction = ({ method, path }: Incoming) => method === 'POST' && path !== '/api/v1/invoices';
const isBalance = ({ path }: Incoming) => path.endsWith('/treasury/balance');
const isUnknown = (value: string | null) => value !== null && value !== 'SANDBOX' && value !== 'PRODUCTION';

/** The header is read as another value, or not at all, for some requests. */
function reading(concerns: (request: Incoming) => boolean, as: (value: string) => string | null): RuleChange {
  return replaced((honest) => ({
    resolveEnvironment: (service, key, request) => {
      const value = named(request);
      if (value === null || !concerns(request)) return honest.resolveEnvironment(service, key, request);
      const headers = new Headers(request.headers);
      const read = as(value);
      if (read === null) headers.delete('X-Environment');
      else headers.set('X-Environment', read);
      return honest.resolveEnvironment(service, key, { ...request, headers });
    },
  }));
}

const ignored = (value: string) => (isUnknown(value) ? null : value);

/** The other environment than the key's is let through. */
function switching(concerns: (request: Incoming) => boolean): RuleChange {
  return reading(concerns, (value) => (isUnknown(value) ? value : null));
}

/** A production key is let into the sandbox where it names it. */
function mayLook(concerns: (request: Incoming) => boolean): RuleChange {
  return replaced((honest) => ({
    resolveEnvironment: (service, key, request) =>
      key.environment === 'PRODUCTION' && named(request) === 'SANDBOX' && concerns(request)
        ? 'SANDBOX'
        : honest.resolveEnvironment(service, key, request),
  }));
}

const operations: readonly [word: string, method: string, path: RegExp][] = [
  ['submit', 'POST', /\/submit$/],
  ['delete', 'DELETE', /./],
  ['approve', 'POST', /\/approve$/],
  ['dispute', 'POST', /\/dispute$/],
  ['settle', 'POST', /\/settle$/],
  ['resolve', 'POST', /\/resolve$/],
  ['treasury-balance', 'POST', /\/treasury\/balance$/],
  ['treasury-withdraw', 'POST', /\/treasury\/withdraw$/],
];

/** One endpoint out of all has no gateway in front. */
const forgetful = operations.map(
  ([word, method, path]): Fault => ({
    id: `env-unknown-ignored-on-${word}`,
    requirement: 'ENV-01',
    sentence: `${word} is reached past the gateway, and an unknown X-Environment is ignored.`,
    caughtBy: [`ENV-01.${word}` as CheckId],
    rules: reading((request) => request.method === method && path.test(request.path), ignored),
  }),
);

export const environmentFaults: readonly Fault[] = [
  ...forgetful,
  {
    id: 'env-by-prefix',
    requirement: 'ENV-01',
    sentence: 'X-Environment is matched from its beginning: SANDBOX2 is SANDBOX.',
    caughtBy: ['ENV-01.extended', 'ENV-01.both'],
    rules: reading(isList, (value) => (value.startsWith('SANDBOX') ? 'SANDBOX' : value)),
  },
  {
    id: 'env-placeholder-is-none',
    requirement: 'ENV-01',
    sentence: 'What the dashboard sends when nothing is chosen, "undefined" or "null", counts as no environment.',
    caughtBy: ['ENV-01.placeholder'],
    rules: reading(isList, (value) => (/^(undefined|null)$/.test(value) ? null : value)),
  },
  {
    id: 'env-named-refused-on-submit',
    requirement: 'ENV-03',
    sentence: 'Actions refuse X-Environment altogether: it is meant for dashboard sessions.',
    caughtBy: ['ENV-03.submit'],
    rules: reading(isAction, () => 'NONE'),
  },
  {
    id: 'env-unknown-ignored-on-list',
    requirement: 'ENV-01',
    sentence: 'An unknown X-Environment is ignored by the list.',
    caughtBy: ['ENV-01.list'],
    rules: reading(isList, ignored),
  },
  {
    id: 'env-unknown-ignored-on-later-pages',
    requirement: 'ENV-01',
    sentence: 'Later pages come from a cursor that was opened with the first one, where the header was looked at.',
    caughtBy: ['ENV-01.list'],
    rules: reading((request) => isList(request) && Number(request.query.get('page')) > 0, ignored),
  },
  {
    id: 'env-mismatch-ignored-on-sorted-lists',
    requirement: 'ENV-02',
    sentence: 'Sorted lists are served by the search, which knows the environments and does not compare them.',
    caughtBy: ['ENV-02.sandbox-key-list', 'ENV-02.production-key-list'],
    rules: switching((request) => isList(request) && request.query.has('sortBy')),
  },
  {
    id: 'env-unknown-ignored-on-create',
    requirement: 'ENV-01',
    sentence: 'An unknown X-Environment is ignored by the creation, which runs on another gateway.',
    caughtBy: ['ENV-01.create'],
    rules: reading(isCreation, ignored),
  },
  {
    id: 'env-unknown-ignored-on-webhooks',
    requirement: 'ENV-01',
    sentence: 'The settings are served by another gateway, which ignores an unknown X-Environment.',
    caughtBy: ['ENV-01.webhook-create'],
    rules: reading(({ path }) => path.endsWith('/webhooks'), ignored),
  },
  {
    id: 'env-unknown-ignored-on-read',
    requirement: 'ENV-01',
    sentence: 'An unknown X-Environment is ignored when one invoice is read.',
    caughtBy: ['ENV-01.read'],
    rules: reading(isRead, ignored),
  },
  {
    id: 'env-unknown-ignored-on-action',
    requirement: 'ENV-01',
    sentence: 'An unknown X-Environment is ignored by the actions.',
    caughtBy: ['ENV-01.cancel'],
    rules: reading(isAction, ignored),
  },
  {
    id: 'env-lower-case-accepted',
    requirement: 'ENV-01',
    sentence: 'X-Environment is compared without regard to case.',
    caughtBy: ['ENV-01.lower-case'],
    rules: reading(
      () => true,
      (value) => value.toUpperCase(),
    ),
  },
  {
    id: 'env-abbreviation-accepted',
    requirement: 'ENV-01',
    sentence: 'X-Environment is matched by its beginning: PROD names the other environment, and is told so.',
    caughtBy: ['ENV-01.abbreviation'],
    rules: reading(
      () => true,
      (value) => ('PRODUCTION'.startsWith(value) && value !== '' ? 'PRODUCTION' : value),
    ),
  },
  {
    id: 'env-unknown-other-code',
    requirement: 'ENV-01',
    sentence: 'An unknown X-Environment is refused with 400 and the general code.',
    caughtBy: ['ENV-01.list', 'ENV-01.create', 'ENV-01.read', 'ENV-01.cancel'],
    rules: replaced((honest) => ({
      resolveEnvironment: (service, key, request) => {
        if (isUnknown(named(request))) throw refusals.invalidRequest('X-Environment is unknown');
        return honest.resolveEnvironment(service, key, request);
      },
    })),
  },
  {
    id: 'env-mismatch-ignored-on-list',
    requirement: 'ENV-02',
    sentence: 'X-Environment of the other environment is ignored by the list; the key decides.',
    caughtBy: ['ENV-02.sandbox-key-list'],
    rules: switching((request) => isList(request) && named(request) === 'PRODUCTION'),
  },
  {
    id: 'env-mismatch-ignored-on-read',
    requirement: 'ENV-02',
    sentence: 'X-Environment of the other environment is ignored when one invoice is read.',
    caughtBy: ['ENV-02.sandbox-key-read'],
    rules: switching(isRead),
  },
  {
    id: 'env-mismatch-ignored-on-mutations',
    requirement: 'ENV-02',
    sentence: 'The environment is compared where something is read; whatever changes something goes by the key alone.',
    caughtBy: ['ENV-02.sandbox-key-action'],
    rules: switching((request) => request.method !== 'GET' && named(request) === 'PRODUCTION'),
  },
  {
    id: 'env-mismatch-ignored-on-creations',
    requirement: 'ENV-02',
    sentence: 'The rule that compares the environments has no line for what creates an invoice.',
    caughtBy: ['ENV-02.sandbox-key-create'],
    rules: switching(
      (request) => request.method === 'POST' && request.path.endsWith('/invoices') && named(request) === 'PRODUCTION',
    ),
  },
  {
    id: 'env-mismatch-ignored-on-subscriptions',
    requirement: 'ENV-02',
    sentence: 'The settings are behind another gateway, which knows the environments and does not compare them.',
    caughtBy: ['ENV-02.webhook-create'],
    rules: switching((request) => request.path.endsWith('/webhooks') && named(request) === 'PRODUCTION'),
  },
  {
    id: 'env-mismatch-carried-out',
    requirement: 'ENV-02',
    sentence: 'A settlement is carried out by another service before the gateway compares the environments.',
    caughtBy: ['ENV-02.sandbox-key-action'],
    rules: switching((request) => request.path.endsWith('/settle') && named(request) === 'PRODUCTION'),
  },
  {
    id: 'env-production-key-may-switch',
    requirement: 'ENV-02',
    sentence: 'A production key may look into the sandbox with X-Environment: it is the stronger key.',
    caughtBy: ['ENV-02.production-key-list'],
    rules: mayLook(() => true),
  },
  {
    id: 'env-production-key-may-read',
    requirement: 'ENV-02',
    sentence: 'A production key that names the sandbox reads its invoices one by one; only the list is guarded.',
    caughtBy: ['ENV-02.production-key-read'],
    rules: mayLook((request) => isRead(request) && !isBalance(request)),
  },
  {
    id: 'env-mismatch-ignored-on-balance',
    requirement: 'ENV-02',
    sentence: 'The balance is served by another gateway, which ignores X-Environment of the other environment.',
    caughtBy: ['ENV-02.sandbox-key-balance'],
    target: balanceByGet,
    rules: switching((request) => isBalance(request) && named(request) === 'PRODUCTION'),
  },
  {
    id: 'env-production-key-may-see-balance',
    requirement: 'ENV-02',
    sentence: 'A production key may look at the sandbox balance.',
    caughtBy: ['ENV-02.production-key-balance'],
    target: balanceByGet,
    rules: mayLook(isBalance),
  },
  {
    id: 'env-header-decides',
    requirement: 'ENV-02',
    sentence: 'X-Environment decides, and not the key: a sandbox key lists production.',
    caughtBy: ['ENV-02.sandbox-key-list', 'ENV-02.sandbox-key-read'],
    rules: replaced((honest) => ({
      resolveEnvironment: (service, key, request) =>
        named(request) === 'PRODUCTION' ? 'PRODUCTION' : honest.resolveEnvironment(service, key, request),
    })),
  },
  {
    id: 'env-mismatch-400',
    requirement: 'ENV-02',
    sentence: 'The mismatch is refused as an unknown environment.',
    caughtBy: ['ENV-02.sandbox-key-list', 'ENV-02.production-key-list'],
    rules: replaced((honest) => ({
      resolveEnvironment: (service, key, request) => {
        const value = named(request);
        if (value !== null && value !== key.environment) throw refusals.unknownEnvironment();
        return honest.resolveEnvironment(service, key, request);
      },
    })),
  },
  {
    id: 'env-header-is-for-dashboards',
    requirement: 'ENV-03',
    sentence: 'X-Environment with an API key is always refused: it is meant for dashboard sessions.',
    caughtBy: ['ENV-03.sandbox-list', 'ENV-03.sandbox-create', 'ENV-03.production-list'],
    rules: replaced((honest) => ({
      resolveEnvironment: (service, key, request) => {
        if (named(request) === key.environment) throw refusals.environmentMismatch();
        return honest.resolveEnvironment(service, key, request);
      },
    })),
  },
  {
    id: 'env-balance-by-header',
    requirement: 'ENV-04',
    sentence: 'Whoever names an environment comes from the dashboard, which shows the balance of production.',
    caughtBy: ['ENV-04.balance'],
    wholeRun: true,
    rules: replaced((honest) => ({
      balance: (call) =>
        honest.balance(named(call.request) === null ? call : { ...call, world: call.store.worlds.PRODUCTION }),
    })),
  },
  {
    id: 'env-production-named-unavailable',
    requirement: 'ENV-03',
    sentence: 'Who names PRODUCTION is sent to instances that are counted elsewhere, and there are none: 503.',
    caughtBy: ['ENV-03.production-list'],
    rules: replaced((honest) => ({
      resolveEnvironment: (service, key, request) => {
        const environment = honest.resolveEnvironment(service, key, request);
        if (environment === 'PRODUCTION' && named(request)) throw refusals.environmentUnavailable();
        return environment;
      },
    })),
  },
  {
    id: 'env-production-named-is-empty',
    requirement: 'ENV-03',
    sentence: 'A production key that names its environment is led to a replica that was never filled.',
    caughtBy: ['ENV-03.production-list'],
    rules: replaced((honest) => ({
      visible: (call) => (named(call.request) === 'PRODUCTION' ? [] : honest.visible(call)),
    })),
  },
  {
    id: 'env-default-production-when-absent',
    requirement: 'ENV-04',
    sentence: 'Without the header a creation lands in a partition that X-Environment SANDBOX does not show.',
    caughtBy: ['ENV-04.key-decides'],
    rules: replaced((honest) => {
      const without = new Set<string>();
      return {
        issue: (call, input, number) => {
          const invoice = honest.issue(call, input, number);
          if (named(call.request) === null) without.add(invoice.id);
          return invoice;
        },
        visible: (call) => {
          const seen = honest.visible(call);
          return named(call.request) === null ? seen : seen.filter(({ id }) => !without.has(id));
        },
      };
    }),
  },
  {
    id: 'env-production-elsewhere',
    requirement: 'ORG-02',
    sentence: 'Production keys work at another host only; here they are refused.',
    caughtBy: ['ORG-02.production-served'],
    rules: replaced((honest) => ({
      resolveEnvironment: (service, key, request) => {
        if (key.environment === 'PRODUCTION') throw refusals.environmentMismatch();
        return honest.resolveEnvironment(service, key, request);
      },
    })),
  },
  {
    id: 'env-own-refused-by-settle',
    requirement: 'ENV-03',
    sentence: 'The settlement service knows X-Environment as a header of the dashboard, and refuses keys that send it.',
    caughtBy: ['ENV-03.every-operation'],
    rules: replaced((honest) => ({
      authorize: (call) => {
        honest.authorize(call);
        if (call.route.name === 'settle' && call.request.headers.has('X-Environment')) {
          throw new Refusal(403, 'GW403', 'Not for keys');
        }
      },
    })),
  },
  {
    id: 'env-unknown-ignored-on-reset',
    requirement: 'ENV-01',
    sentence: 'The reset is routed past the gateway that looks at X-Environment.',
    caughtBy: ['ENV-01.reset'],
    rules: replaced((honest) => ({
      resolveEnvironment: (service, key, request) =>
        isUnknown(named(request)) && request.path.endsWith('/sandbox/reset')
          ? key.environment
          : honest.resolveEnvironment(service, key, request),
    })),
  },
  {
    id: 'env-production-not-readable',
    requirement: 'ORG-02',
    sentence: 'The path of one invoice is routed to the sandbox only; with a production key nothing is found there.',
    caughtBy: ['ORG-02.production-read'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        if (call.environment === 'PRODUCTION') throw refusals.invoiceNotFound();
        return honest.findInvoice(call, id);
      },
    })),
  },
];
