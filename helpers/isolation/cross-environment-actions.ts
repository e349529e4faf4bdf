import { type InvoiceState, lifecycle } from '../../specs/contract/lifecycle.ts';
import { sendAction } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { skipIfChangesSpontaneously } from '../controls/spontaneous-change.ts';
import { expectNotFound } from '../environments/inaccessible-invoice.ts';
import { listProductionInvoices } from '../environments/production.ts';
import { isForeignId, type ProductionInvoice, waitForProductionState } from '../environments/production-invoices.ts';
import { partyFor } from '../invoices/acting-party.ts';

/** Expects 404 INV001 for each action that a production invoice offers. Returns whether any action was tried. */
export async function expectActionsNotFound(
  ctx: CheckContext,
  { id, state }: { id: string; state: InvoiceState },
): Promise<boolean> {
  const { operations, actors } = ctx.target;
  const offered = lifecycle.offered[state].filter((each) => operations[each] && actors[partyFor(ctx, each)]);
  let tried = false;
  for (const action of offered) {
    const party = partyFor(ctx, action);
    if (!(await isForeignId(ctx, action, id, party))) continue;
    const response = await expectNotFound(ctx, action, id, party);
    tried ||= response.status !== 403;
  }
  return tried;
}

/** Like `expectActionsNotFound` for an invoice of the kit. Also expects its state to be unchanged. */
export async function expectUnchangedByActions(ctx: CheckContext, { id, state }: ProductionInvoice): Promise<boolean> {
  const tried = await expectActionsNotFound(ctx, { id, state });
  const { record, response } = await waitForProductionState(ctx, id, state);
  if (record?.status === state) return tried;
  await skipIfChangesSpontaneously(ctx, [state], ctx.target.limits.settleWithinMs);
  const because = `the invoice was ${state} before a sandbox key sent actions on it, and is now ${String(record?.status ?? 'gone')}`;
  throw breach(ctx, response, `production invoice ${id} in ${state}`, because);
}

/** The invoice after its submission by the production key. Empty if the submission is rejected. */
export async function submitInProduction(ctx: CheckContext, invoice: ProductionInvoice): Promise<ProductionInvoice[]> {
  if (invoice.state !== 'DRAFT' || !ctx.target.operations.submit) return [];
  const response = await sendAction(ctx, 'submit', invoice.id, { as: ctx.credentials('production') });
  const { record } = await waitForProductionState(ctx, invoice.id, 'SUBMITTED');
  return isSuccess(response) && record?.status === 'SUBMITTED' ? [{ ...invoice, state: 'SUBMITTED' }] : [];
}

/** States that the production key cannot reach without the counterparty. */
const COUNTERPARTY_STATES: readonly InvoiceState[] = ['APPROVED', 'DISPUTED'];

/** Finds one production invoice per counterparty state, if there is one. */
export async function findInCounterpartyStates(ctx: CheckContext): Promise<{ id: string; state: InvoiceState }[]> {
  const records = await listProductionInvoices(ctx);
  return COUNTERPARTY_STATES.flatMap((state) => {
    const found = records.find(({ status }) => status === state);
    return found ? [{ id: String(found.id), state }] : [];
  });
}
