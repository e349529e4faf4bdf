import { PRODUCTION_PREFIX } from '../../engine/ledger/leftovers.ts';
import { sendAction } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';

const PRODUCTION_REMOVAL_ACTIONS = { DRAFT: 'delete', SUBMITTED: 'cancel' } as const;

/** Deletes or cancels the production invoices of the run with the production key. */
export async function removeAllFromProduction(ctx: CheckContext): Promise<void> {
  const made = ctx.run.leftovers.entries().filter(([, { what }]) => what.startsWith(`${PRODUCTION_PREFIX}invoice `));
  await Promise.all(
    made.map(([key, { what }]) => removeProductionInvoice(ctx, key, what.replace(`${PRODUCTION_PREFIX}invoice `, ''))),
  );
}

async function removeProductionInvoice(ctx: CheckContext, key: string, state: string): Promise<void> {
  const action = state === 'DRAFT' || state === 'SUBMITTED' ? PRODUCTION_REMOVAL_ACTIONS[state] : undefined;
  if (!action || !ctx.target.operations[action]) return;
  try {
    const response = await sendAction(ctx, action, key.slice(PRODUCTION_PREFIX.length), {
      as: ctx.credentials('production'),
    });
    if (!isSuccess(response))
      ctx.run.leftovers.recordUnremovable(key, `${action} was rejected with ${response.status}`);
    else if (action === 'delete') ctx.run.leftovers.recordDeleted(key);
  } catch (error) {
    ctx.run.leftovers.recordUnremovable(key, `${action} failed: ${(error as Error).message}`);
  }
}
