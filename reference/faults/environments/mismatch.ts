import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import { addFunds } from '../../rules/money/funds.ts';
import type { IncomingRequest, Service } from '../../service/call.ts';
import { DEFAULT_CURRENCY, toCents } from '../../service/money.ts';
import { rejections } from '../../service/rejection.ts';
import type { ApiKey, Environment } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import {
  isInvoiceRequest,
  isListRequest,
  isUnknownEnvironment,
  requestedEnvironment,
  rewriteEnvironmentHeader,
} from '../support/environments.ts';
import { environmentHeader, ignoreEnvironmentHeader, isReadOnlyKey } from '../support/other-keys.ts';
import { bindBalanceToGet } from '../support/treasury.ts';

const isBalance = ({ path }: IncomingRequest) => path.endsWith('/treasury/balance');

/** Accepts the other environment than that of the key. */
function switching(concerns: (request: IncomingRequest) => boolean): RuleChange {
  return rewriteEnvironmentHeader(concerns, (value) => (isUnknownEnvironment(value) ? value : null));
}

/** Accepts a production key in the sandbox if the request names it. */
function mayLook(concerns: (request: IncomingRequest) => boolean): RuleChange {
  return overrideRules((base) => ({
    resolveEnvironment: (service, key, request) =>
      key.environment === 'PRODUCTION' && requestedEnvironment(request) === 'SANDBOX' && concerns(request)
        ? 'SANDBOX'
        : base.resolveEnvironment(service, key, request),
  }));
}

const isCreation = ({ method, path }: IncomingRequest) => method === 'POST' && path === '/api/v1/invoices';

const isWithdrawal = ({ path }: IncomingRequest) => path.endsWith('/treasury/withdraw');

const isReset = ({ path }: IncomingRequest) => path.endsWith('/sandbox/reset');

const isAction = ({ method, path }: IncomingRequest) => method !== 'GET' && path.startsWith('/api/v1/invoices/');

function bodyOf({ text }: IncomingRequest): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * Requests with a rule of their own: the other environment's key names this environment. The rule may choose an
 * environment.
 */
function naming(
  environment: Environment,
  concerns: (request: IncomingRequest, service: Service) => boolean,
  meet: (service: Service, key: ApiKey, request: IncomingRequest) => Environment | undefined,
): RuleChange {
  return overrideRules((base) => ({
    resolveEnvironment: (service, key, request) => {
      const other = key.environment !== environment && request.headers.get('X-Environment') === environment;
      const chosen = other && concerns(request, service) ? meet(service, key, request) : undefined;
      return chosen ?? base.resolveEnvironment(service, key, request);
    },
  }));
}

/** Whether a creation names an existing buyer and has an amount. */
function isWhole(request: IncomingRequest, { store }: Service): boolean {
  const { buyerId, amount } = bodyOf(request);
  return isCreation(request) && store.organizations.has(String(buyerId)) && typeof amount === 'string';
}

export const environmentsMismatchFaults: readonly Fault[] = [
  {
    id: 'env-mismatch-ignored-on-sorted-lists',
    requirement: 'ENV-02',
    defect:
      'Sorted lists are served by the search, which validates X-Environment but does not compare it with the key.',
    caughtBy: ['ENV-02.sandbox-key-list', 'ENV-02.production-key-list'],
    rules: switching((request) => isListRequest(request) && request.query.has('sortBy')),
  },
  {
    id: 'env-mismatch-ignored-on-list',
    requirement: 'ENV-02',
    defect: 'The list ignores the X-Environment of the other environment; the key decides.',
    caughtBy: ['ENV-02.sandbox-key-list'],
    rules: switching((request) => isListRequest(request) && requestedEnvironment(request) === 'PRODUCTION'),
  },
  {
    id: 'env-mismatch-ignored-on-read',
    requirement: 'ENV-02',
    defect: 'Reading one invoice ignores the X-Environment of the other environment.',
    caughtBy: ['ENV-02.sandbox-key-read'],
    rules: switching(isInvoiceRequest),
  },
  {
    id: 'env-mismatch-ignored-on-mutations',
    requirement: 'ENV-02',
    defect: 'The environments are compared for reads only; writes use that of the key.',
    caughtBy: ['ENV-02.sandbox-key-action'],
    rules: switching((request) => request.method !== 'GET' && requestedEnvironment(request) === 'PRODUCTION'),
  },
  {
    id: 'env-mismatch-ignored-on-creations',
    requirement: 'ENV-02',
    defect: 'The rule that compares the environments does not cover creation.',
    caughtBy: ['ENV-02.sandbox-key-create'],
    rules: switching(
      (request) =>
        request.method === 'POST' &&
        request.path.endsWith('/invoices') &&
        requestedEnvironment(request) === 'PRODUCTION',
    ),
  },
  {
    id: 'env-mismatch-ignored-on-subscriptions',
    requirement: 'ENV-02',
    defect:
      'The settings are served by another gateway, which validates X-Environment but does not compare it with the key.',
    caughtBy: ['ENV-02.webhook-create'],
    rules: switching((request) => request.path.endsWith('/webhooks') && requestedEnvironment(request) === 'PRODUCTION'),
  },
  {
    id: 'env-mismatch-carried-out',
    requirement: 'ENV-02',
    defect: 'Another service carries out a settlement before the gateway compares the environments.',
    caughtBy: ['ENV-02.sandbox-key-action'],
    rules: switching((request) => request.path.endsWith('/settle') && requestedEnvironment(request) === 'PRODUCTION'),
  },
  {
    id: 'env-production-key-may-switch',
    requirement: 'ENV-02',
    defect: 'A production key may read the sandbox with X-Environment, because it has more rights.',
    caughtBy: ['ENV-02.production-key-list'],
    rules: mayLook(() => true),
  },
  {
    id: 'env-production-key-may-read',
    requirement: 'ENV-02',
    defect: 'A production key that names the sandbox may read one invoice; only the list is protected.',
    caughtBy: ['ENV-02.production-key-read'],
    rules: mayLook((request) => isInvoiceRequest(request) && !isBalance(request)),
  },
  {
    id: 'env-mismatch-ignored-on-balance',
    requirement: 'ENV-02',
    defect: 'The balance is served by another gateway, which ignores the X-Environment of the other environment.',
    caughtBy: ['ENV-02.sandbox-key-balance'],
    target: bindBalanceToGet,
    rules: switching((request) => isBalance(request) && requestedEnvironment(request) === 'PRODUCTION'),
  },
  {
    id: 'env-production-key-may-see-balance',
    requirement: 'ENV-02',
    defect: 'A production key may read the sandbox balance.',
    caughtBy: ['ENV-02.production-key-balance'],
    target: bindBalanceToGet,
    rules: mayLook(isBalance),
  },
  {
    id: 'env-header-decides',
    requirement: 'ENV-02',
    defect: 'X-Environment decides instead of the key: a sandbox key lists production.',
    caughtBy: ['ENV-02.sandbox-key-list', 'ENV-02.sandbox-key-read'],
    rules: overrideRules((base) => ({
      resolveEnvironment: (service, key, request) =>
        requestedEnvironment(request) === 'PRODUCTION' ? 'PRODUCTION' : base.resolveEnvironment(service, key, request),
    })),
  },
  {
    id: 'env-mismatch-400',
    requirement: 'ENV-02',
    defect: 'The mismatch is rejected as an unknown environment.',
    caughtBy: ['ENV-02.sandbox-key-list', 'ENV-02.production-key-list'],
    rules: overrideRules((base) => ({
      resolveEnvironment: (service, key, request) => {
        const value = requestedEnvironment(request);
        if (value !== null && value !== key.environment) throw rejections.unknownEnvironment();
        return base.resolveEnvironment(service, key, request);
      },
    })),
  },
  {
    id: 'env-reader-not-compared',
    requirement: 'ENV-02',
    defect: 'The environments are compared only for keys that may write.',
    caughtBy: ['ENV-02.every-key'],
    rules: ignoreEnvironmentHeader((key, request) => isReadOnlyKey(key) && environmentHeader(request) === 'PRODUCTION'),
  },
  {
    id: 'production-named-ignored-for-known-buyers',
    requirement: 'ENV-02',
    defect: 'The decision is cached for each buyer: the environments are compared only for a new buyer.',
    caughtBy: ['ENV-02.sandbox-key-valid-create'],
    rules: naming('PRODUCTION', isWhole, (_, key) => key.environment),
  },
  {
    id: 'production-named-and-created',
    requirement: 'ENV-02',
    defect: 'A creation is queued for the named environment before the gateway rejects it.',
    caughtBy: ['ENV-02.sandbox-key-valid-create'],
    rules: overrideRules((base) => ({
      resolveEnvironment: (service, key, request) => {
        const named = key.environment === 'SANDBOX' && request.headers.get('X-Environment') === 'PRODUCTION';
        if (named && isWhole(request, service)) {
          const { sellerId, buyerId, amount, dueDate } = bodyOf(request);
          const id = base.newId();
          service.store.worlds.PRODUCTION.invoices.set(id, {
            id,
            invoiceNumber: `Q-${id.slice(0, 8)}`,
            status: 'DRAFT',
            amount: String(amount),
            currency: DEFAULT_CURRENCY,
            buyerOrganizationId: String(buyerId),
            sellerOrganizationId: String(sellerId),
            dueDate: String(dueDate),
            createdAt: base.now().toISOString(),
            notes: [],
          });
        }
        return base.resolveEnvironment(service, key, request);
      },
    })),
  },
  {
    id: 'production-named-ignored-on-whole-subscriptions',
    requirement: 'ENV-02',
    defect: 'A subscription with a url goes directly to the dispatcher, which does not know environments.',
    caughtBy: ['ENV-02.sandbox-key-subscribe'],
    rules: naming(
      'PRODUCTION',
      (request) => request.path.endsWith('/webhooks') && typeof bodyOf(request).url === 'string',
      (_, key) => key.environment,
    ),
  },
  {
    id: 'production-named-ignored-on-withdrawals',
    requirement: 'ENV-02',
    defect: 'Withdrawals go to a bank adapter behind another gateway, which does not compare the environments.',
    caughtBy: ['ENV-02.sandbox-key-withdraw'],
    rules: naming('PRODUCTION', isWithdrawal, (_, key) => key.environment),
  },
  {
    id: 'production-named-and-withdrawn',
    requirement: 'ENV-02',
    defect: 'A withdrawal is booked in the named environment before the gateway rejects it.',
    caughtBy: ['ENV-02.sandbox-key-withdraw'],
    rules: naming('PRODUCTION', isWithdrawal, ({ store }, { organizationId }, request) => {
      const { amount } = bodyOf(request);
      if (typeof amount === 'string')
        addFunds(store.worlds.PRODUCTION, organizationId, DEFAULT_CURRENCY, -toCents(amount));
      return undefined;
    }),
  },
  {
    id: 'production-named-ignored-on-reset',
    requirement: 'ENV-02',
    defect: 'The reset names its environment in its path, and X-Environment is ignored if it is a known one.',
    caughtBy: ['ENV-02.reset'],
    rules: naming('PRODUCTION', isReset, (_, key) => key.environment),
  },
  {
    id: 'sandbox-named-by-production-creates',
    requirement: 'ENV-02',
    defect: 'A production key may create sandbox invoices, because integrators requested it for templates.',
    caughtBy: ['ENV-02.production-key-writes'],
    rules: naming('SANDBOX', isCreation, () => 'SANDBOX'),
  },
  {
    id: 'sandbox-named-by-production-acts',
    requirement: 'ENV-02',
    defect: 'A production key that names the sandbox may act on its invoices, for support.',
    caughtBy: ['ENV-02.production-key-writes'],
    rules: naming('SANDBOX', isAction, () => 'SANDBOX'),
  },
  {
    id: 'sandbox-named-by-production-withdraws',
    requirement: 'ENV-02',
    defect: 'A production key that names the sandbox withdraws from its balance.',
    caughtBy: ['ENV-02.production-key-writes'],
    rules: naming('SANDBOX', isWithdrawal, () => 'SANDBOX'),
  },
];
