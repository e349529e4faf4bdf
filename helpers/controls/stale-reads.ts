import { setTimeout as pause } from 'node:timers/promises';
import { lifecycle } from '../../specs/contract/lifecycle.ts';
import { isSuccess } from '../api/responses.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { performAction } from '../invoices/acting-party.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import { createInvoice, type Invoice, ifReachable } from '../invoices/invoices.ts';

const POLL_INTERVAL_MS = 60;
const MIN_READ_OBSERVATION_MS = 500;

/**
 * Whether a read shows an older state of an invoice after a newer one. This happens if data copies differ or if
 * a change by the other party is visible late, and then no single read proves the state.
 */
export const readsAreStale = sharedResult(async (ctx): Promise<boolean> => {
  const [invoice] = await ifReachable(() => createInvoice(ctx));
  const from = invoice?.state;
  const [first, second] = from === 'DRAFT' ? (['submit', 'approve'] as const) : (['approve'] as const);
  if (!invoice || !from || !lifecycle.offered[from].includes(first) || !ctx.target.operations[first]) return false;
  if (!isSuccess(await performAction(ctx, first, invoice.id))) return false;
  const seen = await readStatus(ctx, invoice);
  // Sent at once, so that a late read shows the state before both actions.
  if (second && ctx.target.operations[second]) await performAction(ctx, second, invoice.id);
  return await isStatusReverted(ctx, invoice, seen === from ? [from] : [from, seen]);
});

/** Throws NotApplicable if a read may show an older state of an invoice than a read before it. */
export async function skipIfReadsStale(ctx: CheckContext): Promise<void> {
  if (await readsAreStale(ctx)) notApplicable('reads of an invoice are stale: they return earlier states');
}

async function readStatus(ctx: CheckContext, { id, state }: Invoice): Promise<string> {
  return String((await findInvoice(ctx, id)).record?.status ?? state);
}

/** Reads frequently from the start, because copies differ only for a short time. Adds each new state to `seen`. */
async function isStatusReverted(ctx: CheckContext, invoice: Invoice, seen: string[]): Promise<boolean> {
  const within = Math.max(MIN_READ_OBSERVATION_MS, ctx.target.limits.settleWithinMs);
  let end = performance.now() + within;
  for (; performance.now() < end; await pause(POLL_INTERVAL_MS)) {
    const status = await readStatus(ctx, invoice);
    if (status === seen.at(-1)) continue;
    if (seen.includes(status)) return true;
    seen.push(status);
    if (seen.length === 2) end = performance.now() + within;
  }
  return false;
}
