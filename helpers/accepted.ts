import { type Answer, isSuccess } from '../engine/answer.ts';

/** Whether the server did what it was asked, by any status that says so. */
export function accepted(answer: Pick<Answer, 'status'>): boolean {
  return isSuccess(answer);
}
