import { setTimeout as pause } from 'node:timers/promises';
import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import { notApplicable } from '../assert/unjudged-outcomes.ts';
import type { CheckContext } from '../context/check-context.ts';
import { findInvoice, hasLeftState, waitForInvoice } from '../invoices/find-invoice.ts';
import { type Invoice, isInvoiceState, recordInvoiceState } from '../invoices/invoices.ts';

/** Untouched invoices in one state. */
export interface UntouchedGroup {
  invoices: readonly Invoice[];
  /** When the last of them reached its state, by `performance.now()`. */
  since: number;
}

/** Whether all are still in their state after this many milliseconds. */
export async function haveKeptState(
  ctx: CheckContext,
  untouched: UntouchedGroup,
  state: InvoiceState,
  withinMs: number,
): Promise<boolean> {
  ctx.execution.allowLatePhase();
  await pause(Math.max(0, untouched.since + withinMs - performance.now()));
  const seen = await Promise.all(untouched.invoices.map(({ id }) => findInvoice(ctx, id)));
  return seen.every(({ record }) => record?.status === state);
}

/** The new state of the first invoice that leaves its state within this many milliseconds; null when all stay. */
export async function waitForFirstChange(
  ctx: CheckContext,
  invoices: readonly Invoice[],
  state: InvoiceState,
  withinMs: number,
): Promise<string | null> {
  const seen = await Promise.all(invoices.map(({ id }) => waitForSpontaneousChange(ctx, id, state, withinMs)));
  return seen.find((became) => became !== null) ?? null;
}

/**
 * The new state of an untouched invoice within this many milliseconds; null when it stays in its state. An invoice that does not show
 * its state at the end has not stayed in it, even if it shows an earlier one.
 */
export async function waitForSpontaneousChange(
  ctx: CheckContext,
  id: string,
  state: InvoiceState,
  withinMs: number,
): Promise<string | null> {
  const { isMet, record } = await waitForInvoice(ctx, id, hasLeftState(state, true), withinMs);
  if (isMet && isInvoiceState(record?.status)) recordInvoiceState(ctx, { id, state: record.status });
  return isMet || record?.status !== state ? String(record?.status ?? 'gone') : null;
}

/** Throws NotApplicable if an untouched invoice had a spontaneous change. */
export function skipIfChangeObserved(ctx: CheckContext, state: InvoiceState, became: string | null): void {
  if (became === null) return;
  ctx.observe('spontaneous-change', `${state}: ${became}`);
  notApplicable(`an untouched invoice in ${state} becomes ${became} without a request of the kit`);
}
