import type { RunContext } from '../../engine/run/run-context.ts';
import type { InvoiceState } from '../../specs/lifecycle.ts';
import { probeActionEffect } from '../adaptation/action-effect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import { createInvoiceInEachState, type Invoice, ifReachable } from '../invoices/invoices.ts';

const untouchedByRun = new WeakMap<RunContext, readonly Invoice[]>();

/** Makes sure, early in a run, that there is an invoice of each state which nobody ever touches. */
export async function createUntouchedInvoices(ctx: CheckContext): Promise<void> {
  const { run } = ctx;
  // Who holds others up does not wait for what they may have begun.
  if (untouchedByRun.has(run) || run.holdsExclusiveLock(ctx.execution.id)) return;
  // Not those that lists are looked at for: these will be far behind them.
  const [made] = await ifReachable(() =>
    run.memoize('witnesses', () => createInvoiceInEachState(ctx, probedSettledInvoice)),
  );
  untouchedByRun.set(run, made ?? []);
}

/** The invoice that `alone` settles stays behind in any case, and no check acts on it afterwards. */
async function probedSettledInvoice(ctx: CheckContext, state: InvoiceState): Promise<Invoice | null> {
  if (state !== 'SETTLED') return null;
  const [settled] = await ifReachable(() => probeActionEffect(ctx, 'settle'));
  return settled?.to === state ? settled.invoice : null;
}

/** The untouched invoice in a state, where there is one by now. */
export function untouchedInvoiceIn({ run }: CheckContext, state: InvoiceState): Invoice | null {
  return untouchedByRun.get(run)?.find((each) => each.state === state) ?? null;
}

/** What has become by itself of the untouched invoice in a state; null where it is still there, or there is none. */
export async function spontaneousChangeOf(ctx: CheckContext, state: InvoiceState): Promise<string | null> {
  const witness = untouchedInvoiceIn(ctx, state);
  if (!witness) return null;
  const { record } = await findInvoice(ctx, witness.id);
  return record?.status === state ? null : String(record?.status ?? 'gone');
}
