import type { InvoiceState } from '../../specs/lifecycle.ts';
import { onceDisputed } from '../adaptation/invoice-variants.ts';
import type { Lab } from '../context/check-context.ts';
import { look } from '../invoices/find-invoice.ts';
import { bring, type Invoice, reach, whereReachable } from '../invoices/invoices.ts';
import { longerThan } from './spontaneous-change.ts';
import { becomes, expectStayedSo } from './untouched-group.ts';

/**
 * The control for an invoice that a business rule may treat in its own way, for its currency, its missing description, or its history.
 * Creates another one like it, which the buyer reads as well and nobody acts on, and throws NotApplicable when that one moves, too.
 */
export async function expectKindStays(lab: Lab, invoice: Invoice): Promise<void> {
  const { state, created, body } = invoice;
  const withinMs = longerThan(Math.min(performance.now() - created.sentAt, lab.target.limits.settleWithinMs));
  const key = `kind: ${state} ${invoice.history?.name} ${body.currency} ${typeof body.description}`;
  const became = await lab.run.once(key, async () => {
    const [twin] = await whereReachable(() => anotherLike(lab, invoice));
    if (!twin) return null;
    // Where the buyer has no key, or may not read, no rule can turn on it.
    await whereReachable(() => look(lab, twin.id, 'buyer'));
    return await becomes(lab, twin.id, state, withinMs);
  });
  expectStayedSo(lab, state, became);
}

/** The same for invoices that were disputed and resolved before they came into their state. */
export async function expectResolvedStays(lab: Lab, state: InvoiceState, withinMs: number): Promise<void> {
  const became = await lab.run.once(`resolved: ${state}`, async () => {
    const [twin] = await whereReachable(async () => bring(lab, await onceDisputed(lab), state));
    return twin ? await becomes(lab, twin.id, state, withinMs) : null;
  });
  expectStayedSo(lab, state, became);
}

async function anotherLike(lab: Lab, { state, body, history }: Invoice): Promise<Invoice> {
  const { currency, description, amount, dueDate } = body;
  const kind = {
    amount,
    dueDate,
    ...(currency !== undefined && { currency }),
    ...(description === undefined && { description }),
  };
  return history ? await history.repeat(kind) : await reach(lab, state, kind);
}
