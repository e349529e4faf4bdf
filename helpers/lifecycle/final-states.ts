import { setTimeout as pause } from 'node:timers/promises';
import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import { breach } from '../assert/expect.ts';
import { fieldIs } from '../assert/expectations.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runState } from '../context/run-state.ts';
import { waitForInvoice } from '../invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, ifReachable } from '../invoices/invoices.ts';

const FINAL_STATES: readonly InvoiceState[] = ['SETTLED', 'CANCELLED'];
/** The states before the approval. */
const UNAPPROVED_STATES: readonly unknown[] = ['DRAFT', 'SUBMITTED'];

interface ReachedInvoice {
  invoice: Invoice;
  /** When it was last read in this state, by `performance.now()`. */
  seenAtMs: number;
}

const reachedInvoices = runState((): ReachedInvoice[] => []);

/** Records an invoice in a state for another read later in the run. */
export function recordReached(ctx: CheckContext, invoice: Invoice): void {
  reachedInvoices(ctx.run).push({ invoice, seenAtMs: performance.now() });
}

/** A background job that reverts a change runs within this time, in milliseconds. */
const REVERT_JOB_MS = 1000;

/**
 * Throws a Breach for the first recorded invoice in one of the states whose status fails `lasts`. Returns the number of
 * invoices.
 */
async function expectStateKept(
  ctx: CheckContext,
  states: readonly InvoiceState[],
  lasts: (now: unknown, state: InvoiceState) => boolean,
): Promise<number> {
  const noted = () => reachedInvoices(ctx.run).filter(({ invoice }) => states.includes(invoice.state));
  if (noted().length === 0) {
    for (const state of states) {
      for (const invoice of await ifReachable(() => createInvoiceInState(ctx, state))) recordReached(ctx, invoice);
    }
  }
  const all = noted();
  await Promise.all(
    all.map(async ({ invoice: { id, state, created }, seenAtMs }) => {
      await pause(Math.max(0, seenAtMs + REVERT_JOB_MS - performance.now()));
      // An invoice that is no longer shown may be archived.
      const { record, isMet, response } = await waitForInvoice(
        ctx,
        id,
        (found) => !found || lasts(found.status, state),
        'keeps its state',
      );
      if (isMet) return;
      const because = `the invoice was ${state} earlier and is now ${String(record?.status)}`;
      throw breach(
        ctx,
        response,
        `invoice ${id} still ${state}`,
        because,
        [created],
        // An approved invoice may go on to some other states.
        state === 'APPROVED' ? undefined : fieldIs(response, 'status', state),
      );
    }),
  );
  return all.length;
}

/** "The invoice then moves through a lifecycle until it is settled or cancelled." */
export async function expectFinalStatesKept(ctx: CheckContext): Promise<number> {
  return await expectStateKept(ctx, FINAL_STATES, (now, state) => now === state);
}

/** An approved invoice never returns to a state before its approval. Throws a Breach otherwise. */
export async function expectApprovalKept(ctx: CheckContext): Promise<number> {
  return await expectStateKept(ctx, ['APPROVED'], (now) => !UNAPPROVED_STATES.includes(now));
}
