import { sendAction } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { PRODUCTION_PREFIX } from '../context/leftover-reason.ts';

const PRODUCTION_REMOVAL_ACTIONS = { DRAFT: 'delete', SUBMITTED: 'cancel' } as const;

/** Deletes or cancels the invoices that the run has made in production, with the production key. */
export async function removeAllFromProduction(lab: CheckContext): Promise<void> {
  const made = lab.run.leftovers().filter(([, { what }]) => what.startsWith(`${PRODUCTION_PREFIX}invoice `));
  await Promise.all(
    made.map(([key, { what }]) => removeProductionInvoice(lab, key, what.replace(`${PRODUCTION_PREFIX}invoice `, ''))),
  );
}

async function removeProductionInvoice(lab: CheckContext, key: string, state: string): Promise<void> {
  const action = state === 'DRAFT' || state === 'SUBMITTED' ? PRODUCTION_REMOVAL_ACTIONS[state] : undefined;
  if (!action || !lab.target.operations[action]) return;
  try {
    const answer = await sendAction(lab, action, key.slice(PRODUCTION_PREFIX.length), {
      as: lab.credentials('production'),
    });
    if (!isSuccess(answer)) lab.run.recordUnremovable(key, `${action} was refused with ${answer.status}`);
    else if (action === 'delete') lab.run.recordDeleted(key);
  } catch (error) {
    lab.run.recordUnremovable(key, `${action} failed: ${(error as Error).message}`);
  }
}
