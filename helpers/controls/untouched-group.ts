import { setTimeout as pause } from 'node:timers/promises';
import { runState } from '../../engine/ledger/run-ledger.ts';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import { probeActionEffect } from '../adaptation/action-effect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { findInvoice, hasLeftState } from '../invoices/find-invoice.ts';
import {
  createInvoiceInEachState,
  type Invoice,
  ifReachable,
  isInvoiceState,
  recordInvoiceState,
} from '../invoices/invoices.ts';

/** The times of the looks at a group, in seconds. Callers that ask for nearly the same time share one. */
const LOOK_SECONDS = [1, 2, 3, 4, 6, 8, 12, 16, 24];

/** Untouched invoices in one state. */
export class UntouchedGroup {
  readonly invoices: readonly Invoice[];
  /** When the last of them reached its state, by `performance.now()`. */
  readonly since = performance.now();
  /** The looks at all invoices, by the time since then in milliseconds. */
  readonly looks = new Map<number, Promise<boolean>>();
  /** The longest time after which all were still in their state. */
  keptForMs = 0;

  constructor(invoices: readonly Invoice[]) {
    this.invoices = invoices;
  }
}

/**
 * Whether all are still in their state after this many milliseconds. When an earlier look has shown that, only one is read again: a
 * scheduled run of the server changes all of them at once.
 */
export async function haveKeptState(
  ctx: CheckContext,
  group: UntouchedGroup,
  state: InvoiceState,
  withinMs: number,
): Promise<boolean> {
  ctx.execution.allowLatePhase();
  if (group.keptForMs >= withinMs) return await areAllIn(ctx, group.invoices.slice(0, 1), state);
  const afterMs = lookTimeFor(withinMs);
  const look = group.looks.get(afterMs) ?? lookAfter(ctx, group, state, afterMs);
  group.looks.set(afterMs, look);
  return await look;
}

function lookTimeFor(withinMs: number): number {
  const seconds = LOOK_SECONDS.find((each) => each * 1000 >= withinMs);
  return seconds === undefined ? withinMs : seconds * 1000;
}

async function lookAfter(ctx: CheckContext, group: UntouchedGroup, state: InvoiceState, ms: number): Promise<boolean> {
  await pause(Math.max(0, group.since + ms - performance.now()));
  const age = performance.now() - group.since;
  const isKept = await areAllIn(ctx, group.invoices, state);
  if (isKept) group.keptForMs = Math.max(group.keptForMs, age);
  return isKept;
}

async function areAllIn(ctx: CheckContext, invoices: readonly Invoice[], state: InvoiceState): Promise<boolean> {
  const seen = await Promise.all(invoices.map(({ id }) => findInvoice(ctx, id)));
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

/** Parts of the time. The look at the end decides; an earlier one ends the wait for a server that changes invoices by itself. */
const EARLY_LOOKS = [1 / 8, 1 / 4, 1 / 2];

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
  const since = performance.now();
  const pauseUntil = (ms: number) => pause(Math.max(0, since + ms - performance.now()));
  const left = hasLeftState(state, true);
  for (const share of EARLY_LOOKS) {
    await pauseUntil(withinMs * share);
    const [seen] = await ifReachable(() => findInvoice(ctx, id));
    if (seen && left(seen.record)) return newState(ctx, id, seen.record);
  }
  await pauseUntil(withinMs);
  const { record } = await findInvoice(ctx, id);
  return record?.status === state ? null : newState(ctx, id, record);
}

/** The state of a changed invoice, which the run knows from now on. */
function newState(ctx: CheckContext, id: string, record: JsonObject | null): string {
  if (isInvoiceState(record?.status)) recordInvoiceState(ctx, { id, state: record.status });
  return String(record?.status ?? 'gone');
}

/** Throws NotApplicable if an untouched invoice had a spontaneous change. */
export function skipIfChangeObserved(ctx: CheckContext, state: InvoiceState, became: string | null): void {
  if (became === null) return;
  ctx.observe('spontaneous-change', `${state}: ${became}`);
  notApplicable(`an untouched invoice in ${state} becomes ${became} without a request of the kit`);
}

const untouched = runState((): { invoices: readonly Invoice[] | null } => ({ invoices: null }));

/** Creates, early in a run, an untouched invoice for each state. */
export async function createUntouchedInvoices(ctx: CheckContext): Promise<void> {
  const { run } = ctx;
  // A check in an exclusive section must not wait for other checks.
  if (untouched(run).invoices || ctx.isExclusive) return;
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
