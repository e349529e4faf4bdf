import type { Call } from '../../service/call.ts';
import type { ActionInput } from '../../service/inputs.ts';
import type { Invoice, InvoiceStatus } from '../../service/store.ts';

/**
 * Stores the resulting state. For resolve, "via notes or adjustment", also stores the notes and the adjusted amount.
 */
export function changeInvoice(
  { world: environment }: Call,
  invoice: Invoice,
  next: InvoiceStatus | 'DELETED',
  input: ActionInput,
): void {
  if (next === 'DELETED') {
    environment.invoices.delete(invoice.id);
    return;
  }
  invoice.status = next;
  if (input.adjustment) invoice.amount = input.adjustment.amount;
  const said = input.reason ?? input.note;
  if (said !== undefined) invoice.notes.push(said);
}
