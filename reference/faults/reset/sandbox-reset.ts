import { overrideRules } from '../../overrides/override-rules.ts';
import { addFunds, availableFunds } from '../../rules/money/funds.ts';
import type { Call } from '../../service/call.ts';
import { DEFAULT_CURRENCY } from '../../service/money.ts';
import { RejectionError } from '../../service/rejection.ts';
import type { ApiKey, Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { isProductionCall } from '../support/environments.ts';
import { bindBalanceToGet } from '../support/treasury.ts';

/** Some keys survive the reset. */
const keepingAlive = (outlives: (call: Call, key: ApiKey) => boolean) =>
  overrideRules((base) => ({
    reset: (call) => {
      const living = [...call.store.keys.values()].filter((key) => key.state === 'active' && outlives(call, key));
      const cleared = base.reset(call);
      for (const key of living) key.state = 'active';
      return cleared;
    },
  }));

export const resetSandboxResetFaults: readonly Fault[] = [
  {
    id: 'reset-clears-environment-of-key',
    requirement: 'RESET-02',
    defect: 'Every key may reset, and a reset clears the environment of the key: with a production key, production.',
    caughtBy: ['RESET-02.production-key'],
    rules: overrideRules((base) => ({
      authorize: (call) => {
        if (!isProductionCall(call, 'reset')) base.authorize(call);
      },
      reset: (call) => {
        if (call.environment === 'SANDBOX') return base.reset(call);
        const cleared = call.world.invoices.size;
        call.world.invoices.clear();
        return { apiKeys: 0, logs: 0, invoices: cleared, bookings: 0 };
      },
    })),
  },
  {
    id: 'reset-rejected-and-drafts-cleared',
    requirement: 'RESET-02',
    defect: 'Drafts in the environment of the key are deleted before its permission to reset is checked.',
    caughtBy: ['RESET-02.production-key'],
    rules: overrideRules((base) => ({
      authorize: (call) => {
        if (isProductionCall(call, 'reset')) {
          for (const [id, { status }] of call.world.invoices) if (status === 'DRAFT') call.world.invoices.delete(id);
        }
        base.authorize(call);
      },
    })),
  },
  {
    id: 'reset-leaves-index',
    requirement: 'RESET-05',
    defect: 'The reset clears the invoices but not the search index behind the lists.',
    caughtBy: ['RESET-05.listed'],
    rules: overrideRules((base) => {
      const ghosts: Invoice[] = [];
      return {
        reset: (call) => {
          ghosts.push(...base.visibleInvoices(call).map((invoice) => ({ ...invoice })));
          return base.reset(call);
        },
        visibleInvoices: (call) => [
          ...base.visibleInvoices(call),
          ...ghosts.filter(
            ({ buyerOrganizationId }) => call.environment === 'SANDBOX' && buyerOrganizationId === call.organizationId,
          ),
        ],
      };
    }),
  },
  {
    id: 'reset-leaves-count',
    requirement: 'RESET-05',
    defect: 'The reset clears the invoices but not the counter behind the total of the list.',
    caughtBy: ['RESET-05.listed'],
    rules: overrideRules((base) => {
      const counted = new Map<string, number>();
      return {
        reset: (call) => {
          for (const { buyerOrganizationId: buyer } of base.visibleInvoices(call))
            counted.set(buyer, (counted.get(buyer) ?? 0) + 1);
          return base.reset(call);
        },
        page: (call, invoices, query) => {
          const page = base.page(call, invoices, query);
          const total = page.total + (call.environment === 'SANDBOX' ? (counted.get(call.organizationId) ?? 0) : 0);
          return { ...page, total, totalPages: Math.ceil(total / page.limit) };
        },
      };
    }),
  },
  {
    id: 'reset-empties-production',
    requirement: 'RESET-02',
    defect: 'The reset sets the balance of the organization to zero in every environment.',
    caughtBy: ['RESET-02.production-funds'],
    target: bindBalanceToGet,
    rules: overrideRules((base) => ({
      reset: (call) => {
        const { PRODUCTION } = call.store.worlds;
        const funds = availableFunds(PRODUCTION, call.organizationId, DEFAULT_CURRENCY);
        addFunds(PRODUCTION, call.organizationId, DEFAULT_CURRENCY, -funds);
        return base.reset(call);
      },
    })),
  },
  {
    id: 'reset-not-deployed',
    requirement: 'RESET-01',
    defect: 'The gateway has no route for the reset and returns its own 404.',
    caughtBy: ['RESET-01.accepted'],
    rules: overrideRules((base) => ({
      authorize: (call) => {
        base.authorize(call);
        if (call.route.name === 'reset') throw new RejectionError(404, 'GW404', 'No such route');
      },
    })),
  },
  {
    id: 'reset-keeps-keys',
    requirement: 'RESET-01',
    defect: 'The reset clears invoices and bookings but not the keys.',
    caughtBy: ['RESET-01.keys-ended'],
    rules: keepingAlive(() => true),
  },
  {
    id: 'reset-revives-revoked',
    requirement: 'RESET-01',
    defect: 'The reset inverts the states of all keys: revoked keys become valid.',
    caughtBy: ['RESET-01.keys-ended'],
    rules: overrideRules((base) => ({
      reset: (call) => {
        const revoked = [...call.store.keys.values()].filter((key) => key.state === 'revoked');
        const cleared = base.reset(call);
        for (const key of revoked) key.state = 'active';
        return cleared;
      },
    })),
  },
  {
    id: 'reset-ends-own-key-only',
    requirement: 'RESET-01',
    defect: 'The reset ends the key that requested it, but not the other keys of the organization.',
    caughtBy: ['RESET-01.keys-ended'],
    rules: keepingAlive((call, { key }) => key !== call.key.key),
  },
  {
    id: 'reset-clears-production',
    requirement: 'RESET-02',
    defect: 'The reset deletes by organization, including production.',
    caughtBy: ['RESET-02.production-untouched'],
    rules: overrideRules((base) => ({
      reset: (call) => {
        call.store.worlds.PRODUCTION.invoices.clear();
        return base.reset(call);
      },
    })),
  },
  {
    id: 'reset-cancels-production',
    requirement: 'RESET-02',
    defect: 'The reset cancels the open production invoices of the organization.',
    caughtBy: ['RESET-02.production-untouched'],
    rules: overrideRules((base) => ({
      reset: (call) => {
        for (const invoice of call.store.worlds.PRODUCTION.invoices.values()) invoice.status = 'CANCELLED';
        return base.reset(call);
      },
    })),
  },
  {
    id: 'reset-hides-only',
    requirement: 'RESET-05',
    defect: 'The reset hides the invoices from its own organization only; their buyers still see them.',
    caughtBy: ['RESET-05.counterparty'],
    rules: overrideRules((base) => ({
      reset: (call) => {
        const kept = [...call.world.invoices];
        const cleared = base.reset(call);
        for (const [id, invoice] of kept) call.world.invoices.set(id, invoice);
        return cleared;
      },
    })),
  },
  {
    id: 'reset-reads-cached',
    requirement: 'RESET-01',
    defect: 'Read responses are cached by key, and a cleared key still gets them.',
    caughtBy: ['RESET-01.keys-ended'],
    rules: overrideRules((base) => {
      const seen = new Map<string, ApiKey>();
      return {
        authenticate: (service, request) => {
          const name = `${request.headers.get('X-API-Key')} ${request.path}`;
          const isRead = request.method === 'GET' && request.path.startsWith('/api/v1/invoices/');
          const known = seen.get(name);
          if (isRead && known && request.headers.get('X-API-Secret') === known.secret) return known;
          const key = base.authenticate(service, request);
          if (isRead) seen.set(name, key);
          return key;
        },
      };
    }),
  },
];
