import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { isReadCall, otherEnvironmentOf, sandboxOf } from '../support/environments.ts';

export const isolationProductionKeyFaults: readonly Fault[] = [
  {
    id: 'iso-production-reads-sandbox',
    requirement: 'ISO-01',
    defect: 'One invoice is read from both environments, because ids are unique across them.',
    caughtBy: ['ISO-01.read', 'ISO-02.read'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) =>
        isReadCall(call) && otherEnvironmentOf(call).invoices.has(id)
          ? base.findInvoice({ ...call, world: otherEnvironmentOf(call) }, id)
          : base.findInvoice(call, id),
    })),
  },
  {
    id: 'iso-production-lists-sandbox',
    requirement: 'ISO-01',
    defect: 'The production list shows the sandbox invoices, too; only the dashboard marks them.',
    caughtBy: ['ISO-01.list', 'ISO-03.totals'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        call.environment === 'PRODUCTION'
          ? [...base.visibleInvoices({ ...call, world: otherEnvironmentOf(call) }), ...base.visibleInvoices(call)]
          : base.visibleInvoices(call),
    })),
  },
  {
    id: 'iso-oldest-first-of-both',
    requirement: 'ISO-01',
    defect: 'In ascending order, the list is read from the archive, which has one table for both environments.',
    caughtBy: ['ISO-01.list'],
    rules: overrideRules((base) => ({
      sort: (call, invoices, query) => {
        const archived = query.sortOrder === 'asc' && call.environment === 'PRODUCTION';
        const more = archived ? base.visibleInvoices({ ...call, world: otherEnvironmentOf(call) }) : [];
        return [...base.sort(call, invoices, query), ...more];
      },
    })),
  },
  {
    id: 'iso-production-lists-sandbox-by-default',
    requirement: 'ISO-01',
    defect: 'Without an order, the list comes from a cache of the newest invoices, which both environments share.',
    caughtBy: ['ISO-01.list'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) => {
        const shared = call.environment === 'PRODUCTION' && !call.request.query.has('sortBy');
        return shared
          ? [...base.visibleInvoices(call), ...otherEnvironmentOf(call).invoices.values()].reverse()
          : base.visibleInvoices(call);
      },
    })),
  },
  {
    id: 'iso-production-lists-sandbox-by-status',
    requirement: 'ISO-01',
    defect: 'Sorting by status joins a table of states, which adds the invoices of the other environment.',
    caughtBy: ['ISO-01.list'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        call.environment === 'PRODUCTION' && call.request.query.get('sortBy') === 'status'
          ? [...base.visibleInvoices({ ...call, world: otherEnvironmentOf(call) }), ...base.visibleInvoices(call)]
          : base.visibleInvoices(call),
    })),
  },
  {
    id: 'iso-production-named-lists-sandbox',
    requirement: 'ISO-01',
    defect: 'A request that names PRODUCTION gets all data, of which the dashboard shows only a part.',
    caughtBy: ['ISO-01.list'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        call.environment === 'PRODUCTION' && call.request.headers.has('X-Environment')
          ? [...base.visibleInvoices({ ...call, world: otherEnvironmentOf(call) }), ...base.visibleInvoices(call)]
          : base.visibleInvoices(call),
    })),
  },
  {
    id: 'iso-settled-for-production',
    requirement: 'ISO-01',
    defect: 'Settled invoices are read from an archive that both environments share.',
    caughtBy: ['ISO-01.every-state'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const other = otherEnvironmentOf(call).invoices.get(id);
        return isReadCall(call) && other?.status === 'SETTLED' ? other : base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-resolved-for-production',
    requirement: 'ISO-01',
    defect:
      'Disputes are stored in one table for both environments: production reads sandbox invoices that were disputed.',
    caughtBy: ['ISO-01.every-variant'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const disputed = sandboxOf(call).invoices.get(id);
        return isReadCall(call) && disputed && disputed.notes.length > 0 ? disputed : base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-production-acts-on-sandbox',
    requirement: 'ISO-01',
    defect: 'Actions look up their invoice by id in both environments.',
    caughtBy: ['ISO-01.act', 'ISO-02.act'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const other = call.route.name === 'read' ? undefined : otherEnvironmentOf(call).invoices.get(id);
        const theirs = [other?.sellerOrganizationId, other?.buyerOrganizationId].includes(call.organizationId);
        return other && theirs ? other : base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-production-shown-sandbox-state',
    requirement: 'ISO-01',
    defect: 'A production key that acts on a sandbox invoice gets the 412 of its state.',
    caughtBy: ['ISO-01.act'],
    rules: overrideRules((base) => ({
      findInvoice: (call, id) => {
        const strange =
          call.environment === 'PRODUCTION' && call.route.name !== 'read' && otherEnvironmentOf(call).invoices.has(id);
        if (strange) throw rejections.actionNotAllowed();
        return base.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-replays-of-both',
    requirement: 'ISO-01',
    defect: 'Responses for replays are stored by organization and requestId, without the environment.',
    caughtBy: ['ISO-01.replayed'],
    rules: overrideRules((base) => ({
      replayKey: (call, requestId, subject) => base.replayKey({ ...call, environment: 'SANDBOX' }, requestId, subject),
      replay: (call, key, perform) => base.replay({ ...call, world: call.store.worlds.SANDBOX }, key, perform),
    })),
  },
];
