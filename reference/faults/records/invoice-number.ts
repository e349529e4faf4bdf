import { overrideRules } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';
import { changeItems } from '../support/response-filters.ts';

export const recordsInvoiceNumberFaults: readonly Fault[] = [
  {
    id: 'rec-number-of-the-minute',
    requirement: 'REC-11',
    defect: 'The number is made of the time of day, to the second.',
    caughtBy: ['REC-11.unique', 'REC-11.simultaneous'],
    rules: overrideRules(() => ({ nextInvoiceNumber: ({ rules }) => `INV-${rules.now().toISOString().slice(0, 19)}` })),
  },
  {
    id: 'rec-number-race',
    requirement: 'REC-11',
    defect: 'The next number is read before and written after: simultaneous creations get the same one.',
    caughtBy: ['REC-11.unique'],
    rules: overrideRules(() => ({
      nextInvoiceNumber: ({ world: environment }) => {
        const number = `INV-${String(Math.floor(environment.invoices.size / 2)).padStart(6, '0')}`;
        return number;
      },
    })),
  },
  {
    id: 'rec-number-shared-by-neighbours',
    requirement: 'REC-11',
    defect: 'Eight instances count for themselves, and only the list shows that they give out the same numbers.',
    caughtBy: ['REC-11.unique'],
    rewrite: changeItems((record) => ({
      ...record,
      invoiceNumber: String(record.invoiceNumber).replace(/\d$/, '0'),
    })),
  },
  {
    id: 'rec-number-counts-rows',
    requirement: 'REC-11',
    defect: 'The number is the count of the rows plus one: after a deletion one comes twice.',
    caughtBy: ['REC-11.after-delete'],
    rules: overrideRules(() => ({
      nextInvoiceNumber: ({ world: environment }) => `INV-${String(environment.invoices.size + 1).padStart(8, '0')}`,
    })),
  },
];
