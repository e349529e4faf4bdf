import { type ApiResponse, bodyMember, is2xx } from '../model/messages.ts';
import { invoicesOf } from '../records/invoice-records.ts';

export function anyResponse(): boolean {
  return true;
}

/** Responses of gateways in front of the service, which the contract's rules for bodies do not cover. */
export function isGatewayError(response: ApiResponse): boolean {
  return response.status === 502 || response.status === 503 || response.status === 504;
}

export function isError(response: ApiResponse): boolean {
  return response.status >= 400 && !isGatewayError(response);
}

export function hasBody(response: ApiResponse): boolean {
  return response.text !== '' && !isGatewayError(response);
}

export function hasCode(response: ApiResponse): boolean {
  return typeof bodyMember(response, 'code') === 'string';
}

export function isBadRequest(response: ApiResponse): boolean {
  return response.status === 400;
}

export function isUnauthorized(response: ApiResponse): boolean {
  return response.status === 401;
}

export function isList(response: ApiResponse): boolean {
  return response.request.operation === 'list' && is2xx(response);
}

export function showsInvoices(response: ApiResponse): boolean {
  return invoicesOf(response).length > 0;
}
