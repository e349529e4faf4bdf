import { overrideRules } from '../../overrides/override-rules.ts';
import type { Fault } from '../fault.ts';
import { changeItems } from '../support/response-filters.ts';

export const recordsInvoiceNumberFaults: readonly Fault[] = [
  {
    id: 'rec-number-of-the-minute',
    requirement: 'REC-11',
    defect: 'The invoice number is made from the time of day in seconds.',
    caughtBy: ['REC-11.unique', 'REC-11.simultaneous'],
    rules: overrideRules(() => ({ nextInvoiceNumber: ({ rules }) => `INV-${rules.now().toISOString().slice(0, 19)}` })),
  },
  {
    id: 'rec-number-race',
    requirement: 'REC-11',
    defect: 'The next number is read and then written: concurrent creations get the same number.',
    caughtBy: ['REC-11.unique'],
    rules: overrideRules(() => ({
      nextInvoiceNumber: ({ world: environment }) => {
        const number = `INV-${String(Math.floor(environment.invoices.size / 2)).padStart(6, '0')}`;
        return number;
      },
    })),
  },
  {
    id: 'rec-number-shared-by-instances',
    requirement: 'REC-11',
    defect: 'Eight instances count separately, and only the list shows that they assign the same numbers.',
    caughtBy: ['REC-11.unique'],
    rewrite: changeItems((record) => ({
      ...record,
      invoiceNumber: String(record.invoiceNumber).replace(/\d$/, '0'),
    })),
  },
  {
    id: 'rec-number-counts-rows',
    requirement: 'REC-11',
    defect: 'The invoice number is the row count plus one: after a deletion, a number is assigned twice.',
    caughtBy: ['REC-11.after-delete'],
    rules: overrideRules(() => ({
      nextInvoiceNumber: ({ world: environment }) => `INV-${String(environment.invoices.size + 1).padStart(8, '0')}`,
    })),
  },
];
