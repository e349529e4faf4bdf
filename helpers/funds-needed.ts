import { type Answer, memberOf } from '../engine/answer.ts';
import { LacksFunds } from '../engine/outcome.ts';

/** "Not enough funds to complete the payment." */
export function isForFunds(answer: Answer): boolean {
  return answer.status === 412 && memberOf(answer, 'code') === 'TREAS007';
}

/** Throws LacksFunds where an action is refused for want of funds: how a sandbox treasury is filled is not shown. */
export function expectFunds(answer: Answer): void {
  if (isForFunds(answer)) {
    throw new LacksFunds('the sandbox treasury lacks the funds to settle an invoice (412 TREAS007)');
  }
}
