import { type Answer, memberOf } from '../engine/answer.ts';

/** Those of the contract that speak of something else than a rule of business. */
const SPOKEN_FOR = /^$|^INV00[1-4]$|^CONN0|^GW_/;

/** The statuses by which a rule of the server's own may refuse what is valid otherwise: a quota, a limit, a lock. */
const BY_RULE: ReadonlySet<number> = new Set([403, 409, 412]);

/** Whether a rule that the contract does not show may be behind this refusal. */
export function maybeRuled({ status }: Answer): boolean {
  return BY_RULE.has(status);
}

/** "Business rule not met" (412), with a code that the contract leaves to other modules: of that it says nothing. */
export function isOwnRule(answer: Answer): boolean {
  const code = memberOf(answer, 'code');
  return answer.status === 412 && typeof code === 'string' && !SPOKEN_FOR.test(code);
}

/** Rules of business are a server's own; of the state of an invoice they say nothing. */
export function blamesNotTheState(answer: Answer): boolean {
  return answer.status >= 400 && answer.status < 500 && memberOf(answer, 'code') !== 'INV004';
}
