import { overrideRules } from '../../overrides/override-rules.ts';
import type { ServiceResponse } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { isReadOnlyKey } from '../support/other-keys.ts';

export const recordsConsistentReadsFaults: readonly Fault[] = [
  {
    id: 'rec-reader-first-sight',
    requirement: 'REC-15',
    defect: 'Keys that only read get what the cache took in first, and nothing ever leaves it.',
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
    defect: 'Buyers read a copy that is written at the submission, and not when the invoice is settled.',
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
    defect: "The buyer's list writes due dates in the zone of the buyer: a day early.",
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
    defect: 'Reading joins a table of states that cancellations forget, and no answer to an action tells a state.',
    caughtBy: ['REC-15.read-as-listed'],
    alsoRun: ['LIFE-04.cancel'],
    rules: overrideRules((base) => ({
      renderChanged: () => ({ status: 200, body: {} }),
      renderRead: (call, invoice) =>
        base.renderRead(call, invoice.status === 'CANCELLED' ? { ...invoice, status: 'SUBMITTED' } : invoice),
    })),
  },
];
