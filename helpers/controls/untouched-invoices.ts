import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import { probeActionEffect } from '../adaptation/action-effect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runState } from '../context/run-state.ts';
import { sharedResult } from '../context/shared-result.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import { createInvoiceInEachState, type Invoice, ifReachable } from '../invoices/invoices.ts';

const untouched = runState((): { invoices: readonly Invoice[] | null } => ({ invoices: null }));

/** Creates, early in a run, an untouched invoice for each state. */
export async function createUntouchedInvoices(ctx: CheckContext): Promise<void> {
  const { run } = ctx;
  // A check in an exclusive section must not wait for other checks.
  if (untouched(run).invoices || run.holdsExclusiveLock(ctx.execution.id)) return;
  // These invoices are not used by list checks, because newer ones soon push them far back.
  const [made] = await ifReachable(() => madeInEachState(ctx));
  untouched(run).invoices = made ?? [];
}

const madeInEachState = sharedResult((ctx) => createInvoiceInEachState(ctx, probedSettledInvoice));

/** The settled invoice of the `settle` trial is a leftover in any case, and no check acts on it afterwards. */
async function probedSettledInvoice(ctx: CheckContext, state: InvoiceState): Promise<Invoice | null> {
  if (state !== 'SETTLED') return null;
  const [settled] = await ifReachable(() => probeActionEffect(ctx, 'settle'));
  return settled?.to === state ? settled.invoice : null;
}

/** The untouched invoice in a state; null if there is none yet. */
export function untouchedInvoiceIn({ run }: CheckContext, state: InvoiceState): Invoice | null {
  return untouched(run).invoices?.find((each) => each.state === state) ?? null;
}

/**
 * The new state after a spontaneous change of the untouched invoice; null if it stayed unchanged or does not exist.
 */
export async function spontaneousChangeOf(ctx: CheckContext, state: InvoiceState): Promise<string | null> {
  const witness = untouchedInvoiceIn(ctx, state);
  if (!witness) return null;
  const { record } = await findInvoice(ctx, witness.id);
  return record?.status === state ? null : String(record?.status ?? 'gone');
}
