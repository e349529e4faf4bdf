import {
  type ApiResponse,
  bodyMember,
  describeResponse,
  headerValue,
  isShown,
  isSuccess,
  sameBody,
  shorten,
} from '../../engine/model/messages.ts';
import { INVOICE_FIELDS, invoiceIn, type JsonObject, listItems } from '../../engine/records/find-invoice-record.ts';
import { utcMilliseconds } from '../../engine/records/iso-8601.ts';

// Suites use no engine; these are its words for a response, under their own names.
export {
  type ApiResponse,
  bodyMember,
  describeResponse,
  headerValue,
  INVOICE_FIELDS,
  invoiceIn,
  isShown,
  isSuccess,
  type JsonObject,
  listItems,
  sameBody,
};

/** Milliseconds since the epoch of a record's createdAt, in any ISO 8601 form; NaN when it is in none. */
export function createdMilliseconds(record: JsonObject): number {
  return utcMilliseconds(record.createdAt);
}

/** A record's dueDate as a number that grows with it, such as 20271231. */
export function dueDay(record: JsonObject): number {
  return Number(String(record.dueDate).replaceAll('-', ''));
}

/** The beginning of a text that a response shows, with its secrets masked. */
export function excerpt(response: ApiResponse, text: string, length: number): string {
  return shorten(response.masked(text), length);
}
