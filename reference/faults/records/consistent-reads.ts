import { overrideRules } from '../../overrides/override-rules.ts';
import type { ServiceResponse } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { isReadOnlyKey } from '../support/other-keys.ts';

export const recordsConsistentReadsFaults: readonly Fault[] = [
  {
    id: 'rec-reader-stale-cache',
    requirement: 'REC-15',
    defect: 'Read-only keys get the first cached version of an invoice, because the cache never expires.',
    caughtBy: ['REC-15.after-transition'],
    rules: overrideRules((base) => {
      const seen = new Map<string, ServiceResponse>();
      return {
        renderRead: (call, invoice) => {
          const response = (isReadOnlyKey(call.key) && seen.get(invoice.id)) || base.renderRead(call, invoice);
          if (isReadOnlyKey(call.key)) seen.set(invoice.id, response);
          return response;
        },
      };
    }),
  },
  {
    id: 'rec-buyer-reads-old-copy',
    requirement: 'REC-15',
    defect: 'Buyers read a copy that is written at the submission but not at the settlement.',
    caughtBy: ['REC-15.read'],
    rules: overrideRules((base) => ({
      renderRead: (call, invoice) => {
        const bought = invoice.buyerOrganizationId === call.organizationId;
        const old = bought && invoice.status === 'SETTLED';
        return base.renderRead(call, old ? { ...invoice, status: 'APPROVED' } : invoice);
      },
    })),
  },
  {
    id: 'rec-buyer-lists-due-date-of-zone',
    requirement: 'REC-15',
    defect: "The buyer's list shows due dates in the time zone of the buyer: one day early.",
    caughtBy: ['REC-15.listed'],
    rules: overrideRules((base) => ({
      renderList: (call, page) => {
        const early = (date: string) => new Date(Date.parse(date) - 3_600_000).toISOString().slice(0, 10);
        const items = page.items.map((item) =>
          item.buyerOrganizationId === call.organizationId ? { ...item, dueDate: early(item.dueDate) } : item,
        );
        return base.renderList(call, { ...page, items });
      },
    })),
  },
  {
    id: 'rec-read-of-another-table',
    requirement: 'REC-15',
    defect: 'Reading joins a table of states that a cancellation does not update, and action responses show no state.',
    caughtBy: ['REC-15.read-as-listed'],
    alsoRun: ['LIFE-04.cancel'],
    rules: overrideRules((base) => ({
      renderChanged: () => ({ status: 200, body: {} }),
      renderRead: (call, invoice) =>
        base.renderRead(call, invoice.status === 'CANCELLED' ? { ...invoice, status: 'SUBMITTED' } : invoice),
    })),
  },
];
