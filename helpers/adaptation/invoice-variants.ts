import { isSuccess } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { HUGE_AMOUNT, LARGE_AMOUNT, LOW_AMOUNT, MIN_AMOUNT } from '../data/amounts.ts';
import { farFutureDueDate, pastDueDate } from '../data/due-dates.ts';
import { type InvoiceBody, requiredFieldsOnly } from '../data/invoice-body.ts';
import { otherCurrency } from '../fixtures/created-invoice.ts';
import { performAction } from '../invoices/acting-party.ts';
import { waitForArrival } from '../invoices/find-invoice.ts';
import {
  createInvoice,
  createInvoiceInState,
  type Invoice,
  ifReachable,
  mayReach,
  performStep,
  recordInvoiceState,
} from '../invoices/invoices.ts';
import { probeActionEffect } from './action-effect.ts';
import { maximalRequest } from './maximal-request.ts';

/** An invoice with the property that makes it a variant. */
export interface InvoiceVariant {
  what: string;
  invoice: Invoice;
}

/**
 * One invoice of each possible variant, submitted if that is bound, created once for all checks that only read
 * them.
 */
export const createInvoiceVariants = sharedResult(async (ctx): Promise<{ variants: InvoiceVariant[] }> => {
  const made = await Promise.all([
    ...(await variantBodies(ctx)).map((each) => createVariant(ctx, ...each)),
    createResolvedVariant(ctx),
  ]);
  return { variants: made.flat() };
});

/** The properties of a body that a server may treat differently. */
async function variantBodies(ctx: CheckContext): Promise<[what: string, changes: object][]> {
  const currency = await otherCurrency(ctx);
  const { body } = await maximalRequest(ctx);
  return [
    ['of one cent', { amount: MIN_AMOUNT }],
    ['of a small amount', { amount: LOW_AMOUNT }],
    ['of a large amount', { amount: LARGE_AMOUNT }],
    ['of more than a million', { amount: HUGE_AMOUNT }],
    ['due in the past', { dueDate: pastDueDate() }],
    ['due far in the future', { dueDate: farFutureDueDate() }],
    ['created with a requestId', { requestId: ctx.createRequestId() }],
    ['with only the required fields', requiredFieldsOnly(ctx)],
    ['with all optional fields', body],
    ...(currency ? [[`in ${currency}`, { currency }] satisfies [string, object]] : []),
  ];
}

async function createVariant(
  ctx: CheckContext,
  what: string,
  changes: Partial<InvoiceBody>,
): Promise<InvoiceVariant[]> {
  return await ifReachable(async () => {
    const invoice = await createInvoice(ctx, changes);
    if (invoice.state === 'DRAFT' && ctx.target.operations.submit) await performStep(ctx, invoice, 'submit');
    return { what, invoice };
  });
}

async function createResolvedVariant(ctx: CheckContext): Promise<InvoiceVariant[]> {
  return await ifReachable(async () => ({
    what: 'that was disputed and resolved',
    invoice: await createResolvedInvoice(ctx),
  }));
}

/**
 * Creates an invoice that was disputed and resolved, with these changes. Throws NotApplicable if that is
 * impossible.
 */
export async function createResolvedInvoice(ctx: CheckContext, changes: Partial<InvoiceBody> = {}): Promise<Invoice> {
  const { operations } = ctx.target;
  const bound = operations.resolve && mayReach(ctx, 'DISPUTED');
  if (!bound) return notApplicable('the target file does not bind resolve and every action that leads to DISPUTED');
  const { to } = await probeActionEffect(ctx, 'resolve');
  if (!to) return notApplicable('the invoice is not visible after a resolution');
  // The resolution may still change the amount some time after it was accepted.
  if (to === 'DISPUTED')
    return notApplicable('the kit cannot see when this server completes a resolution: the invoice stays DISPUTED');
  const invoice = await createInvoiceInState(ctx, 'DISPUTED', changes);
  if (!isSuccess(await performAction(ctx, 'resolve', invoice.id))) notApplicable('the resolution was not accepted');
  const { isMet } = await waitForArrival(ctx, invoice.id, to);
  if (!isMet) notApplicable(`resolving the invoice does not lead to ${to}`);
  invoice.state = to;
  invoice.history = resolvedDisputeHistory(ctx, changes);
  recordInvoiceState(ctx, invoice);
  return invoice;
}

/** The history of an invoice that was disputed and resolved. */
export function resolvedDisputeHistory(
  ctx: CheckContext,
  changes: Partial<InvoiceBody> = {},
): NonNullable<Invoice['history']> {
  return { name: 'disputed and resolved', repeat: (more) => createResolvedInvoice(ctx, { ...changes, ...more }) };
}
