import { overrideRules } from '../../overrides/override-rules.ts';
import type { Invoice, Store } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { isReadCall, otherEnvironmentOf, sandboxOf } from '../support/environments.ts';
import { bindBalanceToGet } from '../support/treasury.ts';

export const isolationSandboxKeyFaults: readonly Fault[] = [
  {
    id: 'iso-sandbox-reads-production',
    requirement: 'ISO-02',
    defect: 'The cache of single invoices has no environment in its key: a sandbox key reads a production invoice.',
    caughtBy: ['ISO-02.read'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) =>
        isReadCall(call) && call.environment === 'SANDBOX' && otherEnvironmentOf(call).invoices.has(id)
          ? base.findInvoice({ ...call, world: otherEnvironmentOf(call) }, id)
          : base.findInvoice(call, id),
    })),
  },
  {
    id: 'iso-sandbox-lists-production',
    requirement: 'ISO-02',
    defect: 'The sandbox contains a copy of production that is kept up to date.',
    caughtBy: ['ISO-02.list'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        call.environment === 'SANDBOX'
          ? [...base.visibleInvoices({ ...call, world: otherEnvironmentOf(call) }), ...base.visibleInvoices(call)]
          : base.visibleInvoices(call),
    })),
  },
  {
    id: 'iso-totals-of-both',
    requirement: 'ISO-03',
    defect: 'total counts both environments, but the records do not.',
    caughtBy: ['ISO-03.totals'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const other = base.visibleInvoices({ ...call, world: otherEnvironmentOf(call) }).length;
        const total = invoices.length + (call.environment === 'PRODUCTION' ? other : 0);
        return { ...base.page(call, invoices, query), total, totalPages: Math.ceil(total / query.limit) };
      },
    })),
  },
  {
    id: 'iso-copied-to-production',
    requirement: 'ISO-03',
    defect: 'A creation with a requestId is stored in both environments, so that it is found in both.',
    caughtBy: ['ISO-03.totals'],
    rules: overrideRules((base) => ({
      issueInvoice: (call, input, invoiceNumber) => {
        if (call.body.requestId !== undefined)
          base.issueInvoice({ ...call, world: otherEnvironmentOf(call) }, input, invoiceNumber);
        return base.issueInvoice(call, input, invoiceNumber);
      },
    })),
  },
  {
    id: 'iso-environment-by-query',
    requirement: 'ISO-02',
    defect: 'The dashboard list takes its environment from the query, and an API key may use it.',
    caughtBy: ['ISO-02.list'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        call.request.query.get('environment') === 'PRODUCTION'
          ? base.visibleInvoices({ ...call, world: call.store.worlds.PRODUCTION })
          : base.visibleInvoices(call),
    })),
  },
  {
    id: 'iso-buyer-reads-production',
    requirement: 'ISO-02',
    defect: 'The purchases of an organization are looked up in both environments.',
    caughtBy: ['ISO-02.read'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const other = otherEnvironmentOf(call).invoices.get(id);
        const theirs = call.environment === 'SANDBOX' && other?.buyerOrganizationId === call.organizationId;
        return isReadCall(call) && theirs ? other : base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-due-dates-of-both',
    requirement: 'ISO-02',
    defect: 'Sorting by due date uses a view without environments.',
    caughtBy: ['ISO-02.list'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) => {
        const mine = ({ sellerOrganizationId: seller, buyerOrganizationId: buyer }: Invoice) =>
          [seller, buyer].includes(call.organizationId);
        const both = call.environment === 'SANDBOX' && query.sortBy === 'dueDate';
        const more = both ? [...otherEnvironmentOf(call).invoices.values()].filter(mine) : [];
        return base.sort(call, [...invoices, ...more], query);
      },
    })),
  },
  {
    id: 'iso-settled-counted-in-production',
    requirement: 'ISO-03',
    defect: 'The production balance includes the payments of both environments.',
    caughtBy: ['ISO-03.every-state'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const paid = base
          .visibleInvoices({ ...call, world: sandboxOf(call) })
          .filter(({ status }) => status === 'SETTLED');
        const total = invoices.length + (call.environment === 'PRODUCTION' ? paid.length : 0);
        return { ...base.page(call, invoices, query), total, totalPages: Math.ceil(total / query.limit) };
      },
    })),
  },
  {
    id: 'iso-sandbox-settles-production',
    requirement: 'ISO-02',
    defect: 'A settlement finds its invoice by id alone: a sandbox key pays a production invoice.',
    caughtBy: ['ISO-02.act'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const real = call.route.name === 'settle' ? call.store.worlds.PRODUCTION.invoices.get(id) : undefined;
        return real ?? base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-sandbox-cancels-production-with-404',
    requirement: 'ISO-02',
    defect: 'A cancellation is broadcast to both environments, and that of the key responds: 404.',
    caughtBy: ['ISO-02.act'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const real = call.route.name === 'cancel' ? call.store.worlds.PRODUCTION.invoices.get(id) : undefined;
        if (call.environment === 'SANDBOX' && real?.status === 'SUBMITTED') real.status = 'CANCELLED';
        return base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'treas-balance-cached-once',
    requirement: 'ISO-02',
    defect: 'The last balance is cached by organization alone and returned once to the other environment.',
    caughtBy: ['ISO-02.balance'],
    target: bindBalanceToGet,
    rules: overrideRules((base) => {
      const kept = new WeakMap<Store, { environment: string; cents: bigint }>();
      return {
        balance: (call) => {
          const known = kept.get(call.store);
          kept.delete(call.store);
          if (known && known.environment !== call.environment) return known.cents;
          // Both environments begin with the same funds, which would hide the defect.
          const cents = base.balance(call) + (call.environment === 'PRODUCTION' ? 1_000n : 0n);
          kept.set(call.store, { environment: call.environment, cents });
          return cents;
        },
      };
    }),
  },
  {
    id: 'treas-balance-cached-across-environments',
    requirement: 'ISO-02',
    defect: 'The balance of an organization is cached for a second, for both environments.',
    caughtBy: ['ISO-02.balance'],
    traffic: 'smoke',
    target: bindBalanceToGet,
    rules: overrideRules((base) => {
      const kept = new WeakMap<Store, { environment: string; cents: bigint; until: number }>();
      return {
        balance: (call) => {
          const known = kept.get(call.store);
          if (known && known.environment !== call.environment && performance.now() < known.until) return known.cents;
          const cents = base.balance(call) + (call.environment === 'PRODUCTION' ? 1_000n : 0n);
          kept.set(call.store, { environment: call.environment, cents, until: performance.now() + 1_000 });
          return cents;
        },
      };
    }),
  },
];
