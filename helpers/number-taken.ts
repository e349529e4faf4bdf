import { type Answer, memberOf } from '../engine/answer.ts';

/** Whether the platform met a number of its own that was given out a moment before: "Invoice number already exists" (409). */
export function isNumberTaken(answer: Answer): boolean {
  return answer.status === 409 && memberOf(answer, 'code') === 'INV003';
}
