import { type Answer, memberOf } from '../engine/answer.ts';

/** Those of the contract that speak of something else than a rule of business. */
const SPOKEN_FOR = /^$|^INV00[1-4]$|^CONN0|^GW_/;

/** "Business rule not met" (412), with a code that the contract leaves to other modules: of that it says nothing. */
export function isOwnRule(answer: Answer): boolean {
  const code = memberOf(answer, 'code');
  return answer.status === 412 && typeof code === 'string' && !SPOKEN_FOR.test(code);
}
