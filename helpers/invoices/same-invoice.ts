import { createdAtMs, type JsonObject } from '../api/responses.ts';

const DECIMAL = /^-?\d+(\.\d+)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/**
 * Whether a record is another invoice than the known one with the same id, because two data stores may use the same
 * id. Compares fields that rarely agree by chance, and only if both records use the same format.
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

/** The precision of a moment, in milliseconds. */
function precisionMs(moment: number): number {
  if (moment % MINUTE_MS === 0) return MINUTE_MS;
  return moment % SECOND_MS === 0 ? SECOND_MS : 1;
}
