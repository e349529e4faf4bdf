import { setTimeout as pause } from 'node:timers/promises';
import { runState } from '../../engine/ledger/run-ledger.ts';
import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import { readInvoice } from '../api/operations.ts';
import { type ApiResponse, invoiceIn } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { fieldIs } from '../assert/expectations.ts';
import { type EffectKind, pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { type CreatedRecord, createdRecordOf, deletionOf, invoicesShownIn } from '../context/invoice-history.ts';
import { sharedResult } from '../context/shared-result.ts';
import { type FoundInvoice, findInList, findInvoice } from '../invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, ifReachable } from '../invoices/invoices.ts';
import { newestPages } from '../invoices/list-page.ts';
import { isDifferentInvoice } from '../invoices/same-invoice.ts';

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

/**
 * Throws a Breach for the first invoice that was in one of the states and whose status fails `lasts` now: of the recorded invoices,
 * and of all that a response of the run has shown. Returns the number of invoices.
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
  const recorded = noted();
  await Promise.all(
    recorded.map(async ({ invoice: { id, state, created }, seenAtMs }) => {
      await pause(Math.max(0, seenAtMs + REVERT_JOB_MS - performance.now()));
      await expectKept(ctx, () => findInvoice(ctx, id), { id, state, lasts, cause: created });
    }),
  );
  const listed = await lateList(ctx);
  const others = invoicesShownIn(ctx.run, states).filter(([id]) => listed.has(id));
  for (const [id, { state, response }] of others) {
    if (!lasts(listed.get(id), state))
      await expectKept(ctx, () => findInList(ctx, id), { id, state, lasts, cause: response });
  }
  return recorded.length + others.length;
}

interface KeptState {
  id: string;
  state: InvoiceState;
  lasts: (now: unknown, state: InvoiceState) => boolean;
  /** The response that showed the state. */
  cause: ApiResponse;
}

async function expectKept(
  ctx: CheckContext,
  find: () => Promise<FoundInvoice>,
  { id, state, lasts, cause }: KeptState,
): Promise<void> {
  // An invoice that is no longer shown may be archived.
  const isKept = ({ record }: FoundInvoice) => !record || lasts(record.status, state);
  const seen = await pollUntil(ctx, find, isKept, 'keeps its state');
  if (isKept(seen)) return;
  const { record, response } = seen;
  const because = `the invoice was ${state} earlier and is now ${String(record?.status)}`;
  // An approved invoice may go on to some other states.
  const expectation = state === 'APPROVED' ? undefined : fieldIs(response, 'status', state);
  throw breach(ctx, response, `invoice ${id} still ${state}`, because, [cause], expectation);
}

/** "The invoice then moves through a lifecycle until it is settled or cancelled." */
export async function expectFinalStatesKept(ctx: CheckContext): Promise<number> {
  return await expectStateKept(ctx, FINAL_STATES, (now, state) => now === state);
}

/** An approved invoice never returns to a state before its approval. Throws a Breach otherwise. */
export async function expectApprovalKept(ctx: CheckContext): Promise<number> {
  return await expectStateKept(ctx, ['APPROVED'], (now) => !UNAPPROVED_STATES.includes(now));
}

/** Deleted drafts that are read one by one although the list does not show them: a list may be older than a read. */
const READ_SAMPLES = 3;

/** A list that is too long to be read completely showed the draft among its newest invoices before. */
async function findAmongNewest(ctx: CheckContext, id: string): Promise<FoundInvoice> {
  const [found] = await ifReachable(() => findInList(ctx, id));
  return found ?? { record: null, response: (createdRecordOf(ctx, id) as CreatedRecord).created };
}

/** A read without a look at the list, which may be too long to show that an invoice is gone. */
async function readAlone(ctx: CheckContext, id: string): Promise<FoundInvoice> {
  const response = await readInvoice(ctx, id);
  return { record: invoiceIn(response) ?? null, response };
}

/**
 * Throws a Breach if a draft that the run deleted is DRAFT again. Another invoice may have got its id since then. Returns the number of
 * deleted drafts.
 */
export async function expectDeletedGone(ctx: CheckContext): Promise<number> {
  const listed = await lateList(ctx);
  const deleted = ctx.run.leftovers
    .removed()
    .flatMap(([id, what]) => (what.startsWith('invoice') && createdRecordOf(ctx, id) ? [id] : []));
  const shown = deleted.filter((id) => listed.get(id) === 'DRAFT');
  const look = async (id: string, find: () => Promise<FoundInvoice>, kind: EffectKind) => {
    const known = createdRecordOf(ctx, id) as CreatedRecord;
    const isGone = ({ record }: FoundInvoice) => record?.status !== 'DRAFT' || isDifferentInvoice(record, known.record);
    const seen = await pollUntil(ctx, find, isGone, kind);
    if (isGone(seen)) return;
    const because = `the draft was deleted earlier in this run and is ${String(seen.record?.status)} again`;
    const causes = [deletionOf(ctx.run, id) ?? [], known.created].flat();
    throw breach(ctx, seen.response, `invoice ${id} not back in DRAFT after its deletion`, because, causes);
  };
  for (const id of shown) await look(id, () => findAmongNewest(ctx, id), 'no longer lists a deleted draft');
  if (ctx.target.operations.read)
    for (const id of deleted.slice(-READ_SAMPLES))
      await look(id, () => readAlone(ctx, id), 'no longer reads a deleted draft');
  return deleted.length;
}

/** A background job that reverts a change runs within this time, in milliseconds. */
export const REVERT_JOB_MS = 1000;

/**
 * The status of each of the seller's newest invoices, by id, read once in the late phase for all checks that look for late changes.
 * Empty if the list cannot be read. A list may be stale, so a wrong status needs another look.
 */
export const lateList = sharedResult(async (ctx): Promise<ReadonlyMap<string, unknown>> => {
  await pause(REVERT_JOB_MS);
  const [listed] = await ifReachable(() => readStatuses(ctx));
  return listed ?? new Map();
});

async function readStatuses(ctx: CheckContext): Promise<Map<string, unknown>> {
  const listed = new Map<string, unknown>();
  for await (const { records } of newestPages(ctx))
    for (const { id, status } of records) listed.set(String(id), status);
  return listed;
}
