import type { Invoice } from '../../service/store.ts';

/** "Fields of an invoice as returned in list items", and the description. */
export function renderInvoice({ notes: _notes, ...record }: Invoice): Record<string, unknown> {
  return record;
}
