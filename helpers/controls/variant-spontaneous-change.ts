import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import { createResolvedInvoice } from '../adaptation/invoice-variants.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResultBy } from '../context/shared-result.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, ifReachable, moveToState } from '../invoices/invoices.ts';
import { observationTimeFor } from './spontaneous-change.ts';
import { skipIfChangeObserved, waitForSpontaneousChange } from './untouched-group.ts';

/**
 * The control for an invoice that a business rule may treat differently because of its currency, missing description
 * or history. Creates a similar untouched invoice, which the buyer also reads, and throws NotApplicable when that one
 * changes.
 */
export async function skipIfVariantChanges(ctx: CheckContext, invoice: Invoice): Promise<void> {
  const { state, created, body } = invoice;
  const withinMs = observationTimeFor(Math.min(performance.now() - created.sentAt, ctx.target.limits.settleWithinMs));
  const key = `${state} ${invoice.history?.name} ${body.currency} ${typeof body.description}`;
  skipIfChangeObserved(ctx, state, await changeOfSimilar(ctx, key, invoice, withinMs));
}

/** The new state of an untouched invoice of the same kind; null if it stays. */
const changeOfSimilar = sharedResultBy(async (ctx, _kind: string, invoice: Invoice, withinMs: number) => {
  const [control] = await ifReachable(() => createSimilarInvoice(ctx, invoice));
  if (!control) return null;
  // Without a buyer's key or read permission, no rule can depend on a read by the buyer.
  await ifReachable(() => findInvoice(ctx, control.id, 'buyer'));
  return await waitForSpontaneousChange(ctx, control.id, invoice.state, withinMs);
});

/** The same control for invoices that were disputed and resolved before they reached their state. */
export async function skipIfResolvedChanges(ctx: CheckContext, state: InvoiceState, withinMs: number): Promise<void> {
  skipIfChangeObserved(ctx, state, await changeOfResolved(ctx, state, withinMs));
}

const changeOfResolved = sharedResultBy(async (ctx, state: InvoiceState, withinMs: number) => {
  const [control] = await ifReachable(async () => moveToState(ctx, await createResolvedInvoice(ctx), state));
  return control ? await waitForSpontaneousChange(ctx, control.id, state, withinMs) : null;
});

async function createSimilarInvoice(ctx: CheckContext, { state, body, history }: Invoice): Promise<Invoice> {
  const { currency, description, amount, dueDate } = body;
  const kind = {
    amount,
    dueDate,
    ...(currency !== undefined && { currency }),
    ...(description === undefined && { description }),
  };
  return history ? await history.repeat(kind) : await createInvoiceInState(ctx, state, kind);
}
