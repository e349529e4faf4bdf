import { sameBody } from '../../engine/judges/rules/unauthorized-bodies.ts';
import * as engine from '../../engine/model/messages.ts';
import * as records from '../../engine/records/find-invoice-record.ts';
import { utcMilliseconds } from '../../engine/records/iso-8601.ts';

/** One received answer. */
export type Answer = engine.Answer;
export type InvoiceRecord = records.JsonObject;

/** The fields that the contract gives an invoice. */
export const invoiceFields = records.INVOICE_FIELDS;

/** The invoice that an answer carries, bare or wrapped; without its status where it stands there in several. */
export function invoiceIn(answer: Answer): InvoiceRecord | undefined {
  return records.invoiceIn(answer);
}

/** The records that a list answer shows. */
export function recordsIn(answer: Answer): InvoiceRecord[] {
  return records.listItems(answer);
}

/** Milliseconds of the epoch of a record's createdAt, in whichever ISO 8601 form it is written; NaN when in none. */
export function createdMilliseconds(record: InvoiceRecord): number {
  return utcMilliseconds(record.createdAt);
}

/** A record's dueDate as a number that grows with it, such as 20271231. */
export function dueDay(record: InvoiceRecord): number {
  return Number(String(record.dueDate).replaceAll('-', ''));
}

/** A member of an answer's body, such as `code`. */
export function bodyMember(answer: Answer, name: string): unknown {
  return engine.memberOf(answer, name);
}

/** A header of an answer, by its lower-case name. */
export function headerIn(answer: Answer, name: string): string | undefined {
  return engine.headerOf(answer, name);
}

/** What came, in a few words: `409 {"error":…}`. */
export function inWords(answer: Answer): string {
  return engine.describe(answer);
}

/** The beginning of a text that an answer shows. */
export function excerpt(answer: Answer, text: string, length: number): string {
  return engine.shorten(answer.masked(text), length);
}

/** Whether two answers have one and the same body. */
export function equalBodies(one: Answer, other: Answer): boolean {
  return sameBody(one, other);
}
