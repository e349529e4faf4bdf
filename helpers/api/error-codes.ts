import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import { InsufficientFunds } from '../../engine/model/outcomes.ts';

/** "Not enough funds to complete the payment." */
export function isInsufficientFunds(response: ApiResponse): boolean {
  return response.status === 412 && bodyMember(response, 'code') === 'TREAS007';
}

/** Throws InsufficientFunds where an action is refused for want of funds: how a sandbox treasury is filled is not shown. */
export function skipIfInsufficientFunds(response: ApiResponse): void {
  if (isInsufficientFunds(response)) {
    throw new InsufficientFunds('the sandbox treasury lacks the funds to settle an invoice (412 TREAS007)');
  }
}

/** Whether the gateway answered, and not what is behind it: its codes begin with GW_. */
export function isGatewayResponse(response: ApiResponse): boolean {
  return String(bodyMember(response, 'code')).startsWith('GW_');
}

/** Whether the platform met a number of its own that was given out a moment before: "Invoice number already exists" (409). */
export function isInvoiceNumberTaken(response: ApiResponse): boolean {
  return response.status === 409 && bodyMember(response, 'code') === 'INV003';
}

/** Those of the contract that speak of something else than a rule of business. */
const NON_BUSINESS_CODE = /^$|^INV00[1-4]$|^CONN0|^GW_/;

/** The statuses by which a rule of the server's own may refuse what is valid otherwise: a quota, a limit, a lock. */
const BUSINESS_RULE_STATUSES: ReadonlySet<number> = new Set([403, 409, 412]);

/** Whether a rule that the contract does not show may be behind this refusal. */
export function mayBeBusinessRule({ status }: ApiResponse): boolean {
  return BUSINESS_RULE_STATUSES.has(status);
}

/** "Business rule not met" (412), with a code that the contract leaves to other modules: of that it says nothing. */
export function isBusinessRule(response: ApiResponse): boolean {
  const code = bodyMember(response, 'code');
  return response.status === 412 && typeof code === 'string' && !NON_BUSINESS_CODE.test(code);
}

/** Rules of business are a server's own; of the state of an invoice they say nothing. */
export function isNotStateError(response: ApiResponse): boolean {
  return response.status >= 400 && response.status < 500 && bodyMember(response, 'code') !== 'INV004';
}
