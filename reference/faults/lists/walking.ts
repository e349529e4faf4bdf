import { overrideRules } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';
import { overrideSort } from '../support/lists.ts';

export const listsWalkingFaults: readonly Fault[] = [
  {
    id: 'list-offset-skips-one',
    requirement: 'LIST-08',
    defect: 'The offset is page × (limit + 1): one record is lost at each page boundary.',
    caughtBy: ['LIST-08.walk', 'LIST-04.second-is-one'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const start = query.page * (query.limit + 1);
        return { ...base.page(call, invoices, query), items: invoices.slice(start, start + query.limit) };
      },
    })),
  },
  {
    id: 'list-pages-overlap',
    requirement: 'LIST-08',
    defect: 'Pages after the third overlap by one record: the cursor is inclusive.',
    caughtBy: ['LIST-08.walk'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const start = query.page > 1 ? query.page * query.limit - 1 : query.page * query.limit;
        return { ...base.page(call, invoices, query), items: invoices.slice(start, start + query.limit) };
      },
    })),
  },
  {
    id: 'list-joined-with-notes',
    requirement: 'LIST-08',
    defect: 'The list joins the notes of its invoices: a disputed invoice appears once for each note.',
    caughtBy: ['LIST-08.once'],
    alsoRun: ['LIST-08.walk', 'LIST-04.second-is-one', 'LIST-15.status'],
    rules: overrideRules((base) => ({
      visibleInvoices: (call) =>
        base.visibleInvoices(call).flatMap((invoice) => (invoice.notes.length > 1 ? [invoice, invoice] : [invoice])),
    })),
  },
  {
    id: 'list-due-hides-overdue',
    requirement: 'LIST-08',
    defect: 'Sorted by due date, a list omits overdue invoices but counts them.',
    caughtBy: ['LIST-08.every-order'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const page = base.page(call, invoices, query);
        if (query.sortBy !== 'dueDate') return page;
        const today = new Date().toISOString().slice(0, 10);
        const coming = invoices.filter(({ dueDate }) => dueDate >= today);
        return { ...page, items: base.page(call, coming, query).items };
      },
    })),
  },
  {
    id: 'list-ties-random',
    requirement: 'LIST-15',
    defect: 'Records with equal values have another order on each page.',
    caughtBy: ['LIST-15.due-date'],
    rules: overrideSort(
      ({ sortBy }) => sortBy === 'dueDate' || sortBy === 'status',
      (invoices, _call, { sortBy, page }) => {
        const values = [...new Set(invoices.map((invoice) => invoice[sortBy]))].toSorted().reverse();
        return values.flatMap((value) => {
          const equal = invoices.filter((invoice) => invoice[sortBy] === value);
          const turned = equal.length - (page % equal.length);
          return [...equal.slice(turned), ...equal.slice(0, turned)];
        });
      },
    ),
  },
  {
    id: 'list-ties-by-status-page',
    requirement: 'LIST-15',
    defect: 'Sorted by status, the second page repeats the first: the cursor is the status.',
    caughtBy: ['LIST-15.status'],
    rules: overrideRules((base) => ({
      page: (call, invoices, query) => {
        const stuck = query.sortBy === 'status' && query.page === 1;
        return { ...base.page(call, invoices, stuck ? { ...query, page: 0 } : query), page: query.page };
      },
    })),
  },
];
