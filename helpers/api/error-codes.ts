import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import { LacksFunds } from '../../engine/model/outcomes.ts';

/** "Not enough funds to complete the payment." */
export function isForFunds(answer: ApiResponse): boolean {
  return answer.status === 412 && bodyMember(answer, 'code') === 'TREAS007';
}

/** Throws LacksFunds where an action is refused for want of funds: how a sandbox treasury is filled is not shown. */
export function expectFunds(answer: ApiResponse): void {
  if (isForFunds(answer)) {
    throw new LacksFunds('the sandbox treasury lacks the funds to settle an invoice (412 TREAS007)');
  }
}

/** Whether the gateway answered, and not what is behind it: its codes begin with GW_. */
export function byGateway(answer: ApiResponse): boolean {
  return String(bodyMember(answer, 'code')).startsWith('GW_');
}

/** Whether the platform met a number of its own that was given out a moment before: "Invoice number already exists" (409). */
export function isNumberTaken(answer: ApiResponse): boolean {
  return answer.status === 409 && bodyMember(answer, 'code') === 'INV003';
}

/** Those of the contract that speak of something else than a rule of business. */
const SPOKEN_FOR = /^$|^INV00[1-4]$|^CONN0|^GW_/;

/** The statuses by which a rule of the server's own may refuse what is valid otherwise: a quota, a limit, a lock. */
const BY_RULE: ReadonlySet<number> = new Set([403, 409, 412]);

/** Whether a rule that the contract does not show may be behind this refusal. */
export function maybeRuled({ status }: ApiResponse): boolean {
  return BY_RULE.has(status);
}

/** "Business rule not met" (412), with a code that the contract leaves to other modules: of that it says nothing. */
export function isOwnRule(answer: ApiResponse): boolean {
  const code = bodyMember(answer, 'code');
  return answer.status === 412 && typeof code === 'string' && !SPOKEN_FOR.test(code);
}

/** Rules of business are a server's own; of the state of an invoice they say nothing. */
export function blamesNotTheState(answer: ApiResponse): boolean {
  return answer.status >= 400 && answer.status < 500 && bodyMember(answer, 'code') !== 'INV004';
}
