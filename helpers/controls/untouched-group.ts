import { setTimeout as pause } from 'node:timers/promises';
import type { InvoiceState } from '../../specs/lifecycle.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { hasLeft, look, lookUntil } from '../invoices/find-invoice.ts';
import { type Invoice, isState, keepTrack } from '../invoices/invoices.ts';

/** Invoices in one state that nobody touches. */
export interface Untouched {
  invoices: readonly Invoice[];
  /** When the last of them had come into its state. */
  since: number;
}

/** Whether all are in their state once so many milliseconds have passed. */
export async function haveStayed(
  lab: Lab,
  untouched: Untouched,
  state: InvoiceState,
  withinMs: number,
): Promise<boolean> {
  await pause(Math.max(0, untouched.since + withinMs - performance.now()));
  const seen = await Promise.all(untouched.invoices.map(({ id }) => look(lab, id)));
  return seen.every(({ record }) => record?.status === state);
}

/** What becomes of the first that leaves its state within so many milliseconds; null when all stay. */
export async function firstMoved(
  lab: Lab,
  invoices: readonly Invoice[],
  state: InvoiceState,
  withinMs: number,
): Promise<string | null> {
  const seen = await Promise.all(invoices.map(({ id }) => becomes(lab, id, state, withinMs)));
  return seen.find((became) => became !== null) ?? null;
}

/** What becomes of an untouched invoice within so many milliseconds; null when it stays in its state. */
export async function becomes(lab: Lab, id: string, state: InvoiceState, withinMs: number): Promise<string | null> {
  const { held, record } = await lookUntil(lab, id, hasLeft(state, true), withinMs);
  if (held && isState(record?.status)) keepTrack(lab, { id, state: record.status });
  return held ? String(record?.status ?? 'gone') : null;
}

/** Throws NotApplicable where an untouched invoice has become something by itself. */
export function expectStayedSo(lab: Lab, state: InvoiceState, became: string | null): void {
  if (became === null) return;
  lab.observe('moves-by-itself', `${state}: ${became}`);
  notApplicable(`an invoice in ${state} that nobody touches becomes ${became} by itself here`);
}
