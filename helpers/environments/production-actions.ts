import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import type { CheckContext } from '../context/check.ts';
import { type ActionAttempt, expectNoChangeInAnyState } from '../lifecycle/unauthorized-actions.ts';
import { isForeignId } from './production-invoices.ts';

/** `expectNoChangeInAnyState` for the production key, on ids that production cannot contain. */
export async function expectNoChangeByProduction(
  ctx: CheckContext,
  actions: readonly InvoiceAction[],
  attempt: ActionAttempt,
): Promise<boolean> {
  const isForeign = (action: InvoiceAction, id: string) => isForeignId(ctx, action, id, 'production');
  return await expectNoChangeInAnyState(ctx, actions, isForeign, attempt);
}
