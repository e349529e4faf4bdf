import type { Answer } from '../engine/answer.ts';

/** Whether the server did what it was asked, by any success status. */
export function accepted(answer: Answer): boolean {
  return answer.status >= 200 && answer.status <= 299;
}
