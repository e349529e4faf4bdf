import { act } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';
import { IN_PRODUCTION } from '../context/leftover-reason.ts';

const REMOVED_BY = { DRAFT: 'delete', SUBMITTED: 'cancel' } as const;

/** Deletes or cancels the invoices that the run has made in production, with the production key. */
export async function removeAllFromProduction(lab: Lab): Promise<void> {
  const made = lab.run.leftovers().filter(([, { what }]) => what.startsWith(`${IN_PRODUCTION}invoice `));
  await Promise.all(made.map(([key, { what }]) => removeOne(lab, key, what.replace(`${IN_PRODUCTION}invoice `, ''))));
}

async function removeOne(lab: Lab, key: string, state: string): Promise<void> {
  const action = state === 'DRAFT' || state === 'SUBMITTED' ? REMOVED_BY[state] : undefined;
  if (!action || !lab.target.operations[action]) return;
  try {
    const answer = await act(lab, action, key.slice(IN_PRODUCTION.length), { as: lab.who('production') });
    if (!isSuccess(answer)) lab.run.stays(key, `${action} was refused with ${answer.status}`);
    else if (action === 'delete') lab.run.removed(key);
  } catch (error) {
    lab.run.stays(key, `${action} failed: ${(error as Error).message}`);
  }
}
