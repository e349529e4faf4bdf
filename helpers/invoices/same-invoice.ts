import { createdAtMs, type JsonObject } from '../api/responses.ts';

const DECIMAL = /^-?\d+(\.\d+)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/**
 * Whether a record that was got by an id is another invoice than the one that is known by it elsewhere: ids need not differ between
 * two stores. Told by what hardly two invoices have in common that are made apart, and only where both show it in the same way: how
 * reading shows an invoice is not given, and a list may be coarser.
 */
export function isDifferentInvoice(record: JsonObject | undefined, known: JsonObject): boolean {
  if (!record) return false;
  return (
    isDifferentAmount(record.amount, known.amount) ||
    isDifferentText(record.dueDate, known.dueDate, DATE) ||
    isDifferentText(record.invoiceNumber, known.invoiceNumber) ||
    isDifferentText(record.currency, known.currency) ||
    isDifferentTime(createdAtMs(record), createdAtMs(known))
  );
}

function isDifferentText(one: unknown, other: unknown, form = /./): boolean {
  return typeof one === 'string' && typeof other === 'string' && form.test(one) && form.test(other) && one !== other;
}

function isDifferentAmount(one: unknown, other: unknown): boolean {
  return DECIMAL.test(String(one)) && DECIMAL.test(String(other)) && Number(one) !== Number(other);
}

function isDifferentTime(one: number, other: number): boolean {
  const coarsest = Math.max(precisionMs(one), precisionMs(other));
  return Math.abs(one - other) >= coarsest;
}

/** In milliseconds. */
function precisionMs(moment: number): number {
  if (moment % MINUTE_MS === 0) return MINUTE_MS;
  return moment % SECOND_MS === 0 ? SECOND_MS : 1;
}
