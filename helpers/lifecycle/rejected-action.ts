import { type ApiResponse, bodyMember, describeResponse } from '../../engine/model/messages.ts';
import { NotApplicable } from '../../engine/model/outcomes.ts';
import { INVOICE_FIELDS, type JsonObject } from '../../engine/records/invoice-records.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { sandboxHeader } from '../api/environment-header.ts';
import { skipIfInsufficientFunds } from '../api/error-codes.ts';
import { sendAction } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { breach, expectRejected } from '../assert/expect.ts';
import { pollUntil } from '../assert/poll.ts';
import { hasAcceptedActionSince } from '../context/action-history.ts';
import type { CheckContext } from '../context/check-context.ts';
import { skipIfChangesSpontaneously, skipUnlessUnchangedUntil } from '../controls/spontaneous-change.ts';
import { createUntouchedInvoices } from '../controls/untouched-invoices.ts';
import { skipIfVariantChanges } from '../controls/variant-spontaneous-change.ts';
import { otherPartyCredentials, type Party, partyFor } from '../invoices/acting-party.ts';
import { findInvoice, waitForInvoice } from '../invoices/find-invoice.ts';
import { type Invoice, rejectedCheckId } from '../invoices/invoices.ts';
import { type ListPage, newestPages } from '../invoices/list-page.ts';

interface RejectionOptions {
  /** Whether 409 is a way to refuse it. */
  conflict: boolean;
  /** Whether the action was seen to be accepted where it is offered. */
  worksElsewhere: boolean;
}

/**
 * An action that the invoice's state does not offer is refused because of the state: 412 with INV004, or 409 where `conflict`
 * allows it. Neither the other party nor anything else that a request may carry is a way round that.
 */
export async function expectStateRejection(
  ctx: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  refusable: RejectionOptions,
): Promise<void> {
  if (!(await expectSingleStateRejection(ctx, action, invoice, refusable))) return;
  const statuses = rejectionStatuses(refusable);
  const party = partyFor(ctx, action);
  // A state check on one party's path only is none: whoever may act, nobody may act in this state.
  const other = otherPartyCredentials(ctx, party);
  const more = { headers: sandboxHeader, ...(action === 'submit' && { requestId: ctx.createRequestId() }) };
  const byOther = other && (await sendAction(ctx, action, invoice.id, { as: other }));
  if (byOther && isSuccess(byOther)) {
    await skipIfStateChanged(ctx, invoice, byOther);
    expectRejected(ctx, byOther, statuses);
  }
  const again = await sendAction(ctx, action, invoice.id, { as: ctx.credentials(party), ...more });
  await skipIfStateChanged(ctx, invoice, again);
  expectRejected(ctx, again, statuses, again.status === 412 ? 'INV004' : undefined);
}

const rejectionStatuses = ({ conflict }: RejectionOptions) => (conflict ? [412, 409] : [412]);

/** The same, asked once, by the party that may act. False where the answer was about who asks, and the other one was refused. */
export async function expectSingleStateRejection(
  ctx: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  refusable: RejectionOptions,
): Promise<boolean> {
  const { worksElsewhere } = refusable;
  const statuses = rejectionStatuses(refusable);
  const party = partyFor(ctx, action);
  const response = await sendAction(ctx, action, invoice.id, { as: ctx.credentials(party) });
  const byState = (one: ApiResponse) => one.status === 412 || one.status === 409;
  if (!byState(response) && !isSuccess(response)) {
    if (!worksElsewhere)
      throw new NotApplicable(
        `no invoice is ever in the state that offers ${action}, and it is answered with ${response.status}`,
      );
    if (await expectOtherPartyRejected(ctx, action, invoice, party, response, statuses)) return false;
  }
  await skipIfStateChanged(ctx, invoice, response);
  // Where no settlement is ever seen, funds may be asked for before the state.
  if (action === 'settle' && !worksElsewhere) skipIfInsufficientFunds(response);
  expectRejected(ctx, response, statuses, response.status === 412 ? 'INV004' : undefined);
  observeRejection(ctx, action, invoice, String(response.status));
  return true;
}

/** By the check of this very cell alone: what others meet on their way depends on what else is going on. */
function observeRejection(ctx: CheckContext, action: InvoiceAction, { state }: Invoice, statuses: string): void {
  if (ctx.execution.id === rejectedCheckId(state, action))
    ctx.observe('refusal-status', `${action} in ${state}: ${statuses}`);
}

/** An accepted action says nothing where the invoice may have moved on by itself before it: throws NotApplicable then. */
async function skipIfStateChanged(ctx: CheckContext, invoice: Invoice, response: ApiResponse): Promise<void> {
  if (isSuccess(response)) await skipUnlessUnchangedUntil(ctx, invoice, response.sentAt);
}

/**
 * A 403 or 404 may be about who asks: then the other party must be refused because of the state, or the invoice must be
 * hidden from the one who asked, as a draft may be from its buyer.
 */
async function expectOtherPartyRejected(
  ctx: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  party: Party,
  first: ApiResponse,
  statuses: readonly number[],
): Promise<boolean> {
  const other = otherPartyCredentials(ctx, party);
  if ((first.status !== 403 && first.status !== 404) || !other) return false;
  const hidden = first.status === 404 && (await findInvoice(ctx, invoice.id, party)).record === null;
  const second = await sendAction(ctx, action, invoice.id, { as: other });
  // From whom it is hidden may be the one who may act, and the other one refused for being the wrong one.
  const byRole = [403, 404, 409, 412].includes(second.status) && bodyMember(second, 'code') !== 'INV004';
  if (hidden && byRole) return true;
  const refusedByState = second.status === 412 || second.status === 409;
  if (!refusedByState && !isSuccess(second)) return false;
  if (first.status === 404 && !hidden && !isSuccess(second)) return false;
  await skipIfStateChanged(ctx, invoice, second);
  expectRejected(ctx, second, statuses, second.status === 412 ? 'INV004' : undefined);
  observeRejection(ctx, action, invoice, `${first.status} to the ${party}, ${second.status} to the other`);
  return true;
}

/** Refusals leave no trace: what the contract shows of the invoice is what it was. */
export async function expectInvoiceUnchanged(
  ctx: CheckContext,
  invoice: Invoice,
  before: JsonObject | null,
  refusal?: ApiResponse,
): Promise<void> {
  await createUntouchedInvoices(ctx);
  // A lagging copy of the data may still show what came before; a trace of the refusal would stay.
  const { record, response } = await waitForInvoice(ctx, invoice.id, (seen) => seen?.status === invoice.state);
  const cause = refusal ? [refusal] : [];
  if (record?.status !== invoice.state) {
    await skipIfChangesSpontaneously(ctx, [invoice.state], ctx.target.limits.settleWithinMs);
    await skipIfVariantChanges(ctx, invoice);
  }
  if (!record)
    throw breach(
      ctx,
      response,
      `invoice ${invoice.id} unchanged in ${invoice.state} after the refusal`,
      'it is gone',
      cause,
    );
  if (record.status !== invoice.state) {
    const because = `the invoice was ${invoice.state} before the refused request and is ${String(record.status)} after it`;
    throw breach(ctx, response, `the status ${invoice.state}, as before the refused request`, because, cause);
  }
  const changed = INVOICE_FIELDS.find((field) => before && field in before && before[field] !== record[field]);
  if (changed) {
    const because = `${changed} was ${JSON.stringify(before?.[changed])} before the refused request`;
    throw breach(
      ctx,
      response,
      `${changed} as before the refused request`,
      `${because} and is now ${describeResponse(response)}`,
      cause,
    );
  }
  recordUnchanged(ctx, invoice, refusal?.request.operation ?? ctx.execution.id ?? '');
}

interface UnchangedInvoice {
  invoice: Invoice;
  /** What was refused, for the message. */
  rejectedRequest: string;
  /** When it was looked at and had not moved, by `performance.now()`. */
  checkedAtMs: number;
}

const unchangedInvoices = new WeakMap<RunContext, UnchangedInvoice[]>();

function recordUnchanged(ctx: CheckContext, invoice: Invoice, refused: string): void {
  const known = unchangedInvoices.get(ctx.run) ?? [];
  unchangedInvoices.set(ctx.run, [...known, { invoice, rejectedRequest: refused, checkedAtMs: performance.now() }]);
}

/** Those on which no accepted action is under way, and none was accepted since. */
function idleInvoices({ run }: CheckContext): UnchangedInvoice[] {
  const all = unchangedInvoices.get(run) ?? [];
  return all.filter(
    ({ invoice, checkedAtMs }) => !invoice.hasPendingAction && !hasAcceptedActionSince(run, invoice.id, checkedAtMs),
  );
}

/**
 * What was refused and looked at in the course of the run is looked at once more: an effect may have landed after the answer.
 * Throws a Breach for the first invoice that moved; the number that stayed otherwise.
 */
export async function expectNoLateChange(ctx: CheckContext): Promise<number> {
  const all = idleInvoices(ctx);
  const moved = await Promise.all(
    all.map(async ({ invoice, rejectedRequest, checkedAtMs }) => {
      const { record, response, held } = await waitForInvoice(
        ctx,
        invoice.id,
        (seen) => seen?.status === invoice.state,
      );
      if (held) return;
      await skipIfChangesSpontaneously(
        ctx,
        [invoice.state],
        performance.now() - checkedAtMs + ctx.target.limits.settleWithinMs,
      );
      const because = `${rejectedRequest} of this ${invoice.state} invoice was refused, and now it is ${String(record?.status ?? 'gone')}`;
      return breach(ctx, response, `invoice ${invoice.id} still ${invoice.state}`, because);
    }),
  );
  // Always the same one, whichever answer comes first.
  const first = moved.find((found) => found !== undefined);
  if (first) throw first;
  return all.length;
}

interface MislistedInvoice extends UnchangedInvoice {
  /** Undefined where the list does not hold it at all. */
  status: unknown;
  answer: ApiResponse;
}

/** Those that the seller's list shows in another state, or not at all. */
async function findMislisted(ctx: CheckContext, all: readonly UnchangedInvoice[]): Promise<MislistedInvoice[]> {
  const shown = new Map<string, { status: unknown; answer: ApiResponse }>();
  let last: ListPage | undefined;
  for await (const page of newestPages(ctx)) {
    for (const { id, status } of page.records) shown.set(String(id), { status, answer: page.response });
    last = page;
  }
  if (!last) return [];
  const { response, page, totalPages } = last;
  return all.flatMap((each) => {
    const found = shown.get(each.invoice.id);
    if (found) return found.status === each.invoice.state ? [] : [{ ...each, ...found }];
    // Of a longer list not all was looked at.
    return page + 1 >= totalPages ? [{ ...each, status: undefined, answer: response }] : [];
  });
}

/** What was refused in the course of the run is listed as it is read: in the state that it was in. The number of those looked for. */
export async function expectListedUnchanged(ctx: CheckContext): Promise<number> {
  const all = idleInvoices(ctx);
  if (all.length === 0) return 0;
  // Where invoices of one moment stand in another order each time, a walk may miss some: what was seen once is not looked for again.
  let left: readonly UnchangedInvoice[] = all;
  const lookAgain = async () => {
    const found = await findMislisted(ctx, left);
    left = found;
    return found;
  };
  const wrong = await pollUntil(ctx, lookAgain, (found) => found.length === 0);
  for (const { invoice, rejectedRequest, status, answer: response } of wrong) {
    const { record, response: read } = await findInvoice(ctx, invoice.id);
    // It may have moved by itself meanwhile.
    if (record?.status !== invoice.state) continue;
    const because = `${rejectedRequest} of this ${invoice.state} invoice was refused, and the list ${status === undefined ? 'does not hold it any more' : `says ${String(status)}`}`;
    throw breach(ctx, response, `invoice ${invoice.id} listed as ${invoice.state}, as it is read`, because, [read]);
  }
  return all.length;
}
