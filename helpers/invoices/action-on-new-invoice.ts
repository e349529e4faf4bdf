import { runState } from '../../engine/ledger/run-ledger.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import type { ActionOptions } from '../api/requests.ts';
import { isBusinessRule, isInsufficientFunds, isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { performAction } from './acting-party.ts';
import { exclusively } from './exclusive-section.ts';
import type { Invoice } from './invoices.ts';

/** The actions that a rule of the server rejects in an exclusive section, too. */
const rejectedExclusively = runState(() => new Set<InvoiceAction>());

/**
 * Performs an action on a new invoice. If a rule of the server rejects it, repeats both in an exclusive section, because the reason may
 * be another invoice of the run, as where only the newest draft can be deleted.
 */
export async function performOnNewInvoice(
  ctx: CheckContext,
  action: InvoiceAction,
  create: (ctx: CheckContext) => Promise<Invoice>,
  extra: Omit<ActionOptions, 'as'> = {},
): Promise<{ invoice: Invoice; response: ApiResponse }> {
  const perform = async (ctx: CheckContext) => {
    const invoice = await create(ctx);
    return { invoice, response: await performAction(ctx, action, invoice.id, extra) };
  };
  const first = await perform(ctx);
  const isRule = isBusinessRule(first.response) && !isInsufficientFunds(first.response);
  const known = rejectedExclusively(ctx.run);
  if (!isRule || known.has(action) || ctx.isExclusive) return first;
  const again = await exclusively(ctx, perform);
  if (isSuccess(again.response)) return again;
  known.add(action);
  return first;
}
