import { type ApiResponse, bodyMember, is2xx } from '../model/messages.ts';
import { invoicesOf } from '../records/find-invoice-record.ts';

export function anyResponse(): boolean {
  return true;
}

/** Answers of gateways in front of the service: the contract's rules for bodies cannot be asked of them. */
export function isGatewayError(answer: ApiResponse): boolean {
  return answer.status === 502 || answer.status === 503 || answer.status === 504;
}

export function isError(answer: ApiResponse): boolean {
  return answer.status >= 400 && !isGatewayError(answer);
}

export function hasBody(answer: ApiResponse): boolean {
  return answer.text !== '' && !isGatewayError(answer);
}

export function hasCode(answer: ApiResponse): boolean {
  return typeof bodyMember(answer, 'code') === 'string';
}

export function isBadRequest(answer: ApiResponse): boolean {
  return answer.status === 400;
}

export function isUnauthorized(answer: ApiResponse): boolean {
  return answer.status === 401;
}

export function isList(answer: ApiResponse): boolean {
  return answer.request.operation === 'list' && is2xx(answer);
}

export function showsInvoices(answer: ApiResponse): boolean {
  return invoicesOf(answer).length > 0;
}
