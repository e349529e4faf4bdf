import { type Answer, isShown, memberOf } from '../model/messages.ts';
import { invoicesOf } from '../records/find-invoice-record.ts';

export function anyAnswer(): boolean {
  return true;
}

/** Answers of gateways in front of the service: the contract's rules for bodies cannot be asked of them. */
export function fromGateway(answer: Answer): boolean {
  return answer.status === 502 || answer.status === 503 || answer.status === 504;
}

export function isError(answer: Answer): boolean {
  return answer.status >= 400 && !fromGateway(answer);
}

export function hasBody(answer: Answer): boolean {
  return answer.text !== '' && !fromGateway(answer);
}

export function hasCode(answer: Answer): boolean {
  return typeof memberOf(answer, 'code') === 'string';
}

export function isBadRequest(answer: Answer): boolean {
  return answer.status === 400;
}

export function isUnauthorized(answer: Answer): boolean {
  return answer.status === 401;
}

export function isList(answer: Answer): boolean {
  return answer.ask.operation === 'list' && isShown(answer);
}

export function showsInvoices(answer: Answer): boolean {
  return invoicesOf(answer).length > 0;
}
