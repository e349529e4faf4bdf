import { type InvoiceState, IRREVERSIBLE_ACTIONS, lifecycle } from '../../../specs/contract/lifecycle.ts';
import { createResolvedInvoice } from '../../adaptation/invoice-variants.ts';
import { sandboxHeader } from '../../api/environment-header.ts';
import type { ActionOptions } from '../../api/requests.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import type { CheckContext } from '../../context/check.ts';
import { combinedExperiment } from '../../context/shared-result.ts';
import { LARGE_AMOUNT, MIN_AMOUNT } from '../../data/amounts.ts';
import { requiredFieldsOnly } from '../../data/invoice-body.ts';
import { createInvoice, type Invoice, stateOffering } from '../../invoices/invoices.ts';
import { invoiceBeforeSubscription, subscribeToSettlements } from '../../webhooks/watched-settlements.ts';
import { expectRejectedAfterReading } from '../stale-state-actions.ts';
import { expectLifecycleCompletes, expectUnofferedRejected } from './full-lifecycle.ts';

/** Invoices that combine several variants. */
export type CombinedVariant = 'least' | 'most' | 'large';

interface VariantLifecycle {
  description: string;
  make: (ctx: CheckContext) => Promise<Invoice>;
  states: readonly InvoiceState[];
  /** The request options of each action. */
  extra: Omit<ActionOptions, 'as'>;
  /** Whether both parties read the invoice right before approve and settle. */
  readsBeforeMove: boolean;
}

export const UNPAID_STATES: readonly InvoiceState[] = ['SUBMITTED', 'APPROVED'];
export const STATES_TO_SETTLEMENT: readonly InvoiceState[] = [...UNPAID_STATES, 'SETTLED'];

const variantLifecycles: Record<CombinedVariant, VariantLifecycle> = {
  least: {
    description: 'a disputed and resolved invoice of one cent with only the required fields',
    make: (ctx) => createResolvedInvoice(ctx, { ...requiredFieldsOnly(ctx), amount: MIN_AMOUNT }),
    states: STATES_TO_SETTLEMENT,
    extra: {},
    readsBeforeMove: true,
  },
  most: {
    description: 'an invoice with all optional fields',
    make: invoiceBeforeSubscription,
    states: STATES_TO_SETTLEMENT,
    extra: { headers: sandboxHeader },
    readsBeforeMove: false,
  },
  // The sandbox may not have the funds to pay it.
  large: {
    description: `an invoice of ${LARGE_AMOUNT}`,
    make: (ctx) => createInvoice(ctx, { amount: LARGE_AMOUNT }),
    states: UNPAID_STATES,
    extra: {},
    readsBeforeMove: false,
  },
};

/**
 * An invoice with several variants that completed the lifecycle: each state rejected the actions that it does not offer and
 * then accepted the next one. Null for any other result, which the checks of the single variants judge.
 */
export async function completedVariant(ctx: CheckContext, variant: CombinedVariant): Promise<Invoice | null> {
  return await runVariantLifecycle(ctx, variant, 'all the way');
}

/**
 * Whether such an invoice was approved and settled right after both parties had read it, and the actions of the old state were
 * rejected.
 */
export async function hasMovedAfterRead(ctx: CheckContext): Promise<boolean> {
  return (await runVariantLifecycle(ctx, 'least', 'just read')) !== null;
}

type Question = 'all the way' | 'just read';

const runVariantLifecycle = combinedExperiment<Question, Invoice, CombinedVariant>(async (inner, seen, variant) => {
  const { description, make, states, extra, readsBeforeMove } = variantLifecycles[variant];
  let justRead = 0;
  const invoice = await make(inner);
  for (const state of states) {
    // A missing subscription is judged by another check.
    if (state === 'SETTLED') await subscribeToSettlements(inner).catch(() => null);
    if (readsBeforeMove && (await tryMoveAfterRead(inner, invoice, state))) justRead += 1;
    if (invoice.state !== state) await expectLifecycleCompletes(inner, invoice, description, state, extra);
    if (!(await expectUnofferedRejected(inner, state, invoice)))
      notApplicable(`no action that ${state} does not offer could be tried on ${description}`);
  }
  seen('all the way', invoice);
  if (justRead === IRREVERSIBLE_ACTIONS.length) seen('just read', invoice);
});

/** False if the transition cannot be tried or leads elsewhere. */
async function tryMoveAfterRead(ctx: CheckContext, invoice: Invoice, to: InvoiceState): Promise<boolean> {
  const move = IRREVERSIBLE_ACTIONS.find((each) => lifecycle.leadsTo[each] === to);
  if (!move || !ctx.target.operations.read || stateOffering(move) !== invoice.state) return false;
  invoice.hasPendingAction = true;
  const moved = await expectRejectedAfterReading(ctx, move, invoice);
  if (!moved) return false;
  invoice.state = moved.state;
  invoice.hasPendingAction = false;
  return true;
}
