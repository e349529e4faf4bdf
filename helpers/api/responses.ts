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
import { Blocked, InsufficientFunds, NoResponse } from '../../engine/model/outcomes.ts';
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

/** Insufficient funds: 412 TREAS007, "Not enough funds to complete the payment." */
export function isInsufficientFunds(response: ApiResponse): boolean {
  return response.status === 412 && bodyMember(response, 'code') === 'TREAS007';
}

/**
 * Throws InsufficientFunds if an action is rejected for insufficient funds. The contract does not say how to fill a
 * sandbox treasury.
 */
export function skipIfInsufficientFunds(response: ApiResponse): void {
  if (isInsufficientFunds(response)) {
    throw new InsufficientFunds('the sandbox treasury has insufficient funds to settle an invoice (412 TREAS007)');
  }
}

/** Whether the response comes from the gateway: its codes begin with GW_. */
export function isGatewayResponse(response: ApiResponse): boolean {
  return String(bodyMember(response, 'code')).startsWith('GW_');
}

/** Whether the platform generated an invoice number twice: 409 "Invoice number already exists". */
export function isInvoiceNumberTaken(response: ApiResponse): boolean {
  return response.status === 409 && bodyMember(response, 'code') === 'INV003';
}

/** The codes of the contract that do not mean a business rule. */
const NON_BUSINESS_CODE = /^$|^INV00[1-4]$|^CONN0|^GW_/;

/** The statuses of rejections by a rule of the server, such as a quota, a limit or a lock. */
const BUSINESS_RULE_STATUSES: ReadonlySet<number> = new Set([403, 409, 412]);

/** Whether a rule that the contract does not describe may cause this rejection. */
export function mayBeBusinessRule({ status }: ApiResponse): boolean {
  return BUSINESS_RULE_STATUSES.has(status);
}

/** Whether the code is one that the contract leaves to other modules. */
export function hasModuleCode(response: ApiResponse): boolean {
  const code = bodyMember(response, 'code');
  return typeof code === 'string' && !NON_BUSINESS_CODE.test(code);
}

/** 412 "Business rule not met" with a code that the contract leaves to other modules. */
export function isBusinessRule(response: ApiResponse): boolean {
  return response.status === 412 && hasModuleCode(response);
}

/** Whether the code means a rule of the server, which does not depend on the state of an invoice. */
export function isNotStateError(response: ApiResponse): boolean {
  return response.status >= 400 && response.status < 500 && bodyMember(response, 'code') !== 'INV004';
}

/**
 * The response to an unusual request; null if the server closed the connection or did not respond in time. A firewall may drop such a
 * request. The request needs `mayEndWithoutResponse`.
 */
export async function responseOrNull(send: () => Promise<ApiResponse>): Promise<ApiResponse | null> {
  try {
    return await send();
  } catch (error) {
    const isLate = error instanceof Blocked && String(error.blockedBy).startsWith('limits.requestTimeoutMs');
    if (isLate || error instanceof NoResponse) return null;
    throw error;
  }
}

/** The response to an ordinary request, or the error if the request gets none while the target responds to others. */
export async function responseOrUnanswered(send: () => Promise<ApiResponse>): Promise<ApiResponse | NoResponse> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof NoResponse) return error;
    throw error;
  }
}

/** The responses to unusual requests that are sent at once, without those that got none. */
export async function responsesOf(sends: readonly (() => Promise<ApiResponse>)[]): Promise<ApiResponse[]> {
  const responses = await Promise.all(sends.map(responseOrNull));
  return responses.filter((response) => response !== null);
}
