import { overrideRules } from '../../overrides/override-rules.ts';
import { rejections } from '../../service/rejection.ts';
import type { Fault } from '../fault.ts';
import { isReadCall, otherEnvironmentOf, sandboxOf } from '../support/environments.ts';

export const isolationProductionKeyFaults: readonly Fault[] = [
  {
    id: 'iso-production-reads-sandbox',
    requirement: 'ISO-01',
    defect: 'One invoice is read from either environment: ids are unique across both.',
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
    defect: 'The production list shows the sandbox invoices, too, marked in the dashboard only.',
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
    defect: 'In ascending order the list is read from the archive, in which there is one table for both environments.',
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
    defect: 'Without an order the list comes from a cache of the newest, which both environments share.',
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
    defect:
      'The order of states comes from a table that is joined, and with it comes what is in the other environment.',
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
    defect: 'Who names PRODUCTION is taken to the whole of the data, of which the dashboard shows a part.',
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
    defect: 'Disputes are kept in one place for both environments: production reads whatever was disputed.',
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
    defect: 'Actions look their invoice up by its id in whichever environment has it.',
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
    id: 'iso-production-told-of-sandbox-state',
    requirement: 'ISO-01',
    defect: 'A production key that acts on a sandbox invoice is told that its state is another one: 412.',
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
    defect: 'Answers are kept for replays by organization and requestId; nobody thought of two environments.',
    caughtBy: ['ISO-01.replayed'],
    rules: overrideRules((base) => ({
      replayKey: (call, requestId, subject) => base.replayKey({ ...call, environment: 'SANDBOX' }, requestId, subject),
      replay: (call, key, perform) => base.replay({ ...call, world: call.store.worlds.SANDBOX }, key, perform),
    })),
  },
];
