import {
  type ApiResponse,
  bodyMember,
  describeResponse,
  hasSameBody,
  headerValue,
  is2xx,
  isSuccess,
  shorten,
} from '../../engine/model/messages.ts';
import { INVOICE_FIELDS, invoiceIn, type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import { utcEpochMs } from '../../engine/records/iso-8601.ts';

// Suites import no engine module; this module re-exports the functions for a response.
export {
  type ApiResponse,
  bodyMember,
  describeResponse,
  hasSameBody,
  headerValue,
  INVOICE_FIELDS,
  invoiceIn,
  is2xx,
  isSuccess,
  type JsonObject,
  listItems,
};

/** Milliseconds since the epoch of a record's createdAt, in any ISO 8601 form; NaN for any other value. */
export function createdAtMs(record: JsonObject): number {
  return utcEpochMs(record.createdAt);
}

/** A record's dueDate as a number in calendar order, such as 20271231. */
export function dueDateNumber(record: JsonObject): number {
  return Number(String(record.dueDate).replaceAll('-', ''));
}

/** The start of a text of a response, with secrets masked. */
export function excerpt(response: ApiResponse, text: string, length: number): string {
  return shorten(response.mask(text), length);
}
