import type { InvoiceAction } from '../../specs/lifecycle.ts';
import type { Lab } from '../context/check-context.ts';
import type { Attempt } from '../lifecycle/rejected-for-all.ts';
import { expectNoneMoves } from '../lifecycle/rejected-for-all.ts';
import { isForeignId } from './production-invoices.ts';

/** As `expectNoneMoves`, for the production key, where production cannot hold another invoice of that id. */
export async function expectNoneChangesByProduction(
  lab: Lab,
  actions: readonly InvoiceAction[],
  attempt: Attempt,
): Promise<boolean> {
  const isForeign = (action: InvoiceAction, id: string) => isForeignId(lab, action, id, 'production');
  return await expectNoneMoves(lab, actions, isForeign, attempt);
}
