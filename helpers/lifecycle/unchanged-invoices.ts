import { setTimeout as pause } from 'node:timers/promises';
import { runState } from '../../engine/ledger/run-ledger.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { Breach } from '../../engine/model/outcomes.ts';
import { INVOICE_FIELDS, type JsonObject } from '../../engine/records/invoice-records.ts';
import { breach } from '../assert/expect.ts';
import { fieldIs, ifRead } from '../assert/expectations.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { hasAcceptedActionSince } from '../context/invoice-history.ts';
import { trialOn } from '../controls/repeated-rejection.ts';
import { observationTimeFor, skipIfChangesSpontaneously } from '../controls/spontaneous-change.ts';
import { createUntouchedInvoices } from '../controls/untouched-group.ts';
import { skipIfVariantChanges } from '../controls/variant-spontaneous-change.ts';
import { findInvoice, findSettledInvoice } from '../invoices/find-invoice.ts';
import { type Invoice, ifReachable } from '../invoices/invoices.ts';
import { type ListPage, newestPages } from '../invoices/list-page.ts';

/** Throws a Breach if a field that the contract shows changed after a rejected action. */
export async function expectInvoiceUnchanged(
  ctx: CheckContext,
  invoice: Invoice,
  before: JsonObject | null,
  rejection?: ApiResponse,
): Promise<void> {
  await createUntouchedInvoices(ctx);
  // A stale replica may still show an earlier state, but a change by the rejected request would stay.
  const { record, response, shownAtMs } = await findSettledInvoice(ctx, invoice);
  const cause = rejection ? [rejection] : [];
  if (record?.status !== invoice.state) {
    const ageMs = observationTimeFor(shownAtMs - invoice.created.sentAt);
    const observedMs = Math.min(ageMs, ctx.target.limits.settleWithinMs);
    await skipIfChangesSpontaneously(ctx, [invoice.state], observedMs, trialOn(ctx, invoice, rejection));
    await skipIfVariantChanges(ctx, invoice);
  }
  if (!record)
    throw breach(
      ctx,
      response,
      `invoice ${invoice.id} unchanged in ${invoice.state} after the rejected request`,
      'the invoice is gone',
      cause,
      ifRead(response, { status: 'success' }),
    );
  if (record.status !== invoice.state) {
    const because = `the invoice was ${invoice.state} before the rejected request and is ${String(record.status)} after it`;
    throw breach(
      ctx,
      response,
      `status ${invoice.state}, as before the rejected request`,
      because,
      cause,
      fieldIs(response, 'status', invoice.state),
    );
  }
  const changed = INVOICE_FIELDS.find((field) => before && field in before && before[field] !== record[field]);
  if (changed) {
    const because = `${changed} was ${JSON.stringify(before?.[changed])} before the rejected request`;
    throw breach(
      ctx,
      response,
      `${changed} as before the rejected request`,
      `${because} and is now ${JSON.stringify(record[changed])}`,
      cause,
      fieldIs(response, changed, before?.[changed]),
    );
  }
  recordUnchanged(ctx, invoice, rejection?.request.operation ?? `the actions of ${ctx.execution.id}`);
}

interface UnchangedInvoice {
  invoice: Invoice;
  /** The rejected action, for the message. */
  rejectedRequest: string;
  /** When it was last read unchanged, by `performance.now()`. */
  checkedAtMs: number;
}

const unchangedInvoices = runState((): UnchangedInvoice[] => []);

/** Records an invoice of a rejected action for another look at the end of the run. */
export function recordUnchanged(ctx: CheckContext, invoice: Invoice, rejected: string): void {
  unchangedInvoices(ctx.run).push({ invoice, rejectedRequest: rejected, checkedAtMs: performance.now() });
}

/** Any of the rejected requests on an invoice may have changed it. */
function rejectedRequestsOf({ run }: CheckContext, { id }: Invoice): string {
  const requests = unchangedInvoices(run).flatMap((each) => (each.invoice.id === id ? [each.rejectedRequest] : []));
  return [...new Set(requests)].join(', ');
}

/** Whether the invoice has no pending action, and no accepted one since the last read. */
function isIdle({ run }: CheckContext, { invoice, checkedAtMs }: UnchangedInvoice): boolean {
  return !invoice.hasPendingAction && !hasAcceptedActionSince(run, invoice.id, checkedAtMs);
}

const idleInvoices = (ctx: CheckContext) => unchangedInvoices(ctx.run).filter((each) => isIdle(ctx, each));

/** Invoices that are read one by one although the list shows them unchanged: a list may be older than a read. */
const READ_SAMPLES = 8;
/** One changed invoice is enough; a server that changes all of them is not polled for each. */
const INVOICES_AT_ONCE = 2;

/** How long the effect of a rejected action may take, in milliseconds. */
const LATE_EFFECT_MS = 1000;

/**
 * Looks at the invoices of rejected actions again, because an effect may appear after the response. In a short run, waits until the
 * effect of the first one has had time to appear. Throws a Breach for the first changed invoice; otherwise returns their number.
 */
export async function expectNoLateChange(ctx: CheckContext): Promise<number> {
  const [first] = unchangedInvoices(ctx.run);
  if (first) await pause(Math.max(0, first.checkedAtMs + LATE_EFFECT_MS - performance.now()));
  const all = idleInvoices(ctx);
  const [mislisted] = await ifReachable(() => findMislisted(ctx, all));
  const doubtful: readonly UnchangedInvoice[] = mislisted ?? all;
  const doubtfulIds = new Set(doubtful.map(({ invoice }) => invoice.id));
  const unchanged = all.filter(({ invoice }) => !doubtfulIds.has(invoice.id));
  const step = Math.max(1, Math.floor(unchanged.length / READ_SAMPLES));
  const looked = [...doubtful, ...unchanged.filter((_, at) => at % step === 0)];
  for (let at = 0; at < looked.length; at += INVOICES_AT_ONCE) {
    const found = await Promise.all(looked.slice(at, at + INVOICES_AT_ONCE).map((each) => lateChangeBreach(ctx, each)));
    // The same invoice in every run, independent of the order of responses.
    const changed = found.find((each) => each !== null);
    if (changed) throw changed;
  }
  return all.length;
}

/** The breach of an invoice that has changed since the rejected action; null if it has not. */
async function lateChangeBreach(ctx: CheckContext, each: UnchangedInvoice): Promise<Breach | null> {
  const { invoice, checkedAtMs } = each;
  const { record, response, isMet } = await findSettledInvoice(ctx, invoice);
  if (isMet) return null;
  const withinMs = performance.now() - checkedAtMs + ctx.target.limits.settleWithinMs;
  await skipIfChangesSpontaneously(ctx, [invoice.state], withinMs);
  // Another check may have used the invoice meanwhile.
  if (!isIdle(ctx, each)) return null;
  const because = `the server rejected ${rejectedRequestsOf(ctx, invoice)} on this ${invoice.state} invoice, but it is now ${String(record?.status ?? 'gone')}`;
  return breach(ctx, response, `invoice ${invoice.id} still ${invoice.state}`, because);
}

interface MislistedInvoice extends UnchangedInvoice {
  /** Undefined if the list does not contain it. */
  status: unknown;
  response: ApiResponse;
}

/** The invoices that the seller's list shows in another state or not at all. */
async function findMislisted(ctx: CheckContext, all: readonly UnchangedInvoice[]): Promise<MislistedInvoice[]> {
  const shown = new Map<string, { status: unknown; response: ApiResponse }>();
  let last: ListPage | undefined;
  for await (const page of newestPages(ctx)) {
    for (const { id, status } of page.records) shown.set(String(id), { status, response: page.response });
    last = page;
  }
  if (!last) return [];
  const { response, page, totalPages } = last;
  return all.flatMap((each) => {
    const found = shown.get(each.invoice.id);
    if (found) return found.status === each.invoice.state ? [] : [{ ...each, ...found }];
    // A longer list was not read completely, so a missing record proves nothing.
    return page + 1 >= totalPages ? [{ ...each, status: undefined, response }] : [];
  });
}

/**
 * Throws a Breach if the list shows an invoice of a rejected action in another state than a read. Returns the number of
 * invoices.
 */
export async function expectListedUnchanged(ctx: CheckContext): Promise<number> {
  const all = idleInvoices(ctx);
  if (all.length === 0) return 0;
  // The order of invoices with the same createdAt may vary, so a walk may miss some. An invoice that was found once is not
  // searched again.
  let left: readonly UnchangedInvoice[] = all;
  const lookAgain = async () => {
    const found = await findMislisted(ctx, left);
    left = found;
    return found;
  };
  const wrong = await pollUntil(ctx, lookAgain, (found) => found.length === 0, 'lists an unchanged state');
  for (const { invoice, status, response } of wrong) {
    const { record, response: read } = await findInvoice(ctx, invoice.id);
    // A spontaneous change may have occurred meanwhile.
    if (record?.status !== invoice.state) continue;
    const because = `the server rejected ${rejectedRequestsOf(ctx, invoice)} on this ${invoice.state} invoice, but the list ${status === undefined ? 'no longer contains it' : `shows ${String(status)}`}`;
    throw breach(ctx, response, `invoice ${invoice.id} listed as ${invoice.state}, as a read shows it`, because, [
      read,
    ]);
  }
  return all.length;
}
