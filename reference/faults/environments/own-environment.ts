import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call, IncomingRequest } from '../../service/call.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import type { ApiKey } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import {
  isActionRequest,
  isProductionCall,
  otherEnvironmentOf,
  requestedEnvironment,
  rewriteEnvironmentHeader,
} from '../support/environments.ts';
import { environmentHeader, isReadOnlyKey } from '../support/other-keys.ts';

/** Rejects the key's own environment for matching requests. */
function ownRefused(when: (key: ApiKey, request: IncomingRequest) => boolean): RuleChange {
  return overrideRules((base) => ({
    resolveEnvironment: (service, key, request) => {
      if (environmentHeader(request) === key.environment && when(key, request)) {
        throw new RejectionError(403, 'GW_ENVIRONMENT_KEY_MISMATCH', 'The key is of another environment');
      }
      return base.resolveEnvironment(service, key, request);
    },
  }));
}

export const environmentsOwnEnvironmentFaults: readonly Fault[] = [
  {
    id: 'env-named-rejected-on-submit',
    requirement: 'ENV-03',
    defect: 'Actions reject X-Environment altogether, because it is meant for dashboard sessions.',
    caughtBy: ['ENV-03.submit'],
    rules: rewriteEnvironmentHeader(isActionRequest, () => 'NONE'),
  },
  {
    id: 'env-header-is-for-dashboards',
    requirement: 'ENV-03',
    defect: 'X-Environment with an API key is always rejected, because it is meant for dashboard sessions.',
    caughtBy: ['ENV-03.sandbox-list', 'ENV-03.sandbox-create', 'ENV-03.production-list'],
    rules: overrideRules((base) => ({
      resolveEnvironment: (service, key, request) => {
        if (requestedEnvironment(request) === key.environment) throw rejections.environmentMismatch();
        return base.resolveEnvironment(service, key, request);
      },
    })),
  },
  {
    id: 'env-balance-by-header',
    requirement: 'ENV-04',
    defect: 'A request with X-Environment is taken for the dashboard, which shows the production balance.',
    caughtBy: ['ENV-04.balance'],
    traffic: 'full',
    rules: overrideRules((base) => ({
      balance: (call) =>
        base.balance(
          requestedEnvironment(call.request) === null ? call : { ...call, world: call.store.worlds.PRODUCTION },
        ),
    })),
  },
  {
    id: 'env-read-only-key-balance',
    requirement: 'ENV-04',
    defect: 'A read-only key sees the production balance, because reports read it from the production ledger.',
    caughtBy: ['ENV-04.balance'],
    traffic: 'full',
    rules: overrideRules((base) => ({
      balance: (call) =>
        base.balance(isReadOnlyKey(call.key) ? { ...call, world: call.store.worlds.PRODUCTION } : call),
    })),
  },
  {
    id: 'env-production-named-unavailable',
    requirement: 'ENV-03',
    defect: 'A request that names PRODUCTION is sent to another cluster, which has no instances: 503.',
    caughtBy: ['ENV-03.production-list'],
    rules: overrideRules((base) => ({
      resolveEnvironment: (service, key, request) => {
        const environment = base.resolveEnvironment(service, key, request);
        if (environment === 'PRODUCTION' && requestedEnvironment(request)) throw rejections.environmentUnavailable();
        return environment;
      },
    })),
  },
  {
    id: 'env-production-named-is-empty',
    requirement: 'ENV-03',
    defect: 'A production key that names its environment gets an empty replica.',
    caughtBy: ['ENV-03.production-list'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        requestedEnvironment(call.request) === 'PRODUCTION' ? [] : base.visibleInvoices(call),
    })),
  },
  {
    id: 'env-default-production-when-absent',
    requirement: 'ENV-04',
    defect: 'Without the header, a creation is stored in a partition that X-Environment SANDBOX does not show.',
    caughtBy: ['ENV-04.key-decides'],
    rules: overrideRules((base) => {
      const without = new Set<string>();
      return {
        issueInvoice: (call, input, number) => {
          const invoice = base.issueInvoice(call, input, number);
          if (requestedEnvironment(call.request) === null) without.add(invoice.id);
          return invoice;
        },
        visibleInvoices: (call) => {
          const seen = base.visibleInvoices(call);
          return requestedEnvironment(call.request) === null ? seen : seen.filter(({ id }) => !without.has(id));
        },
      };
    }),
  },
  {
    id: 'env-own-rejected-by-settle',
    requirement: 'ENV-03',
    defect: 'The settlement service knows X-Environment as a dashboard header and rejects keys that send it.',
    caughtBy: ['ENV-03.every-operation'],
    rules: overrideRules((base) => ({
      authorize: (call) => {
        base.authorize(call);
        if (call.route.name === 'settle' && call.request.headers.has('X-Environment')) {
          throw new RejectionError(403, 'GW403', 'Not for keys');
        }
      },
    })),
  },
  {
    id: 'env-reader-own-rejected',
    requirement: 'ENV-03',
    defect: 'X-Environment is accepted only from keys that may write, even if it is correct.',
    caughtBy: ['ENV-03.every-key'],
    rules: ownRefused(isReadOnlyKey),
  },
  {
    id: 'env-webhook-own-rejected',
    requirement: 'ENV-03',
    defect: 'The settings service has a gateway of its own, which rejects the header altogether.',
    caughtBy: ['ENV-03.webhook-create'],
    rules: ownRefused((_, { path }) => path.endsWith('/webhooks')),
  },
  {
    id: 'env-withdrawal-own-rejected',
    requirement: 'ENV-03',
    defect: 'Withdrawals are for production: X-Environment SANDBOX is rejected.',
    caughtBy: ['ENV-03.treasury-withdraw'],
    rules: ownRefused((_, { path }) => path.endsWith('/withdraw')),
  },
  {
    id: 'production-creates-in-sandbox',
    requirement: 'ENV-04',
    defect: 'The environment of a creation is the default of the organization, SANDBOX, unless a header names one.',
    caughtBy: ['ENV-04.production-key-decides'],
    rules: overrideRules((base) => {
      const placed = (call: Call) => {
        const astray = isProductionCall(call, 'create') && !call.request.headers.has('X-Environment');
        return astray ? { ...call, world: otherEnvironmentOf(call) } : call;
      };
      return {
        nextInvoiceNumber: (call, connection) => base.nextInvoiceNumber(placed(call), connection),
        issueInvoice: (call, input, number) => base.issueInvoice(placed(call), input, number),
      };
    }),
  },
  {
    id: 'production-creates-in-both',
    requirement: 'ENV-04',
    defect: 'A trigger copies each new production invoice into the sandbox for experiments.',
    caughtBy: ['ENV-04.production-key-decides'],
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, number) => {
        const invoice = base.issueInvoice(call, input, number);
        if (call.environment === 'PRODUCTION') {
          const copy = {
            ...invoice,
            id: call.rules.newId(),
            invoiceNumber: `COPY-${invoice.invoiceNumber}`,
            notes: [],
          };
          otherEnvironmentOf(call).invoices.set(copy.id, copy);
        }
        return invoice;
      },
    })),
  },
];
