import { sharedResult } from '../context/shared-result.ts';
import { expectKeptIfAccepted } from './kept-fields.ts';

/** The next leap day after this year, with the days before and after it. */
export function leapDayWithNeighbors(): [before: string, leapDay: string, after: string] {
  const next = new Date().getUTCFullYear() + 1;
  const year = next + ((4 - (next % 4)) % 4);
  return [`${year}-02-28`, `${year}-02-29`, `${year}-03-01`];
}

/** The response to the creation of an invoice that is due on the leap day. Throws a Breach if it is accepted with another due date. */
export const leapDayCreation = sharedResult((ctx) => {
  const [, dueDate] = leapDayWithNeighbors();
  return expectKeptIfAccepted(ctx, { dueDate }, ['dueDate'], { isDeletedAfterwards: true });
});
