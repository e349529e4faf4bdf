import { type ApiResponse, bodyMember, describeResponse } from '../../engine/model/messages.ts';
import { NotApplicable } from '../../engine/model/outcomes.ts';
import { INVOICE_FIELDS, type JsonObject } from '../../engine/records/find-invoice-record.ts';
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
  lab: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  refusable: RejectionOptions,
): Promise<void> {
  if (!(await expectSingleStateRejection(lab, action, invoice, refusable))) return;
  const statuses = rejectionStatuses(refusable);
  const party = partyFor(lab, action);
  // A state check on one party's path only is none: whoever may act, nobody may act in this state.
  const other = otherPartyCredentials(lab, party);
  const more = { headers: sandboxHeader, ...(action === 'submit' && { requestId: lab.createRequestId() }) };
  const byOther = other && (await sendAction(lab, action, invoice.id, { as: other }));
  if (byOther && isSuccess(byOther)) {
    await skipIfStateChanged(lab, invoice, byOther);
    expectRejected(lab, byOther, statuses);
  }
  const again = await sendAction(lab, action, invoice.id, { as: lab.credentials(party), ...more });
  await skipIfStateChanged(lab, invoice, again);
  expectRejected(lab, again, statuses, again.status === 412 ? 'INV004' : undefined);
}

const rejectionStatuses = ({ conflict }: RejectionOptions) => (conflict ? [412, 409] : [412]);

/** The same, asked once, by the party that may act. False where the answer was about who asks, and the other one was refused. */
export async function expectSingleStateRejection(
  lab: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  refusable: RejectionOptions,
): Promise<boolean> {
  const { worksElsewhere } = refusable;
  const statuses = rejectionStatuses(refusable);
  const party = partyFor(lab, action);
  const answer = await sendAction(lab, action, invoice.id, { as: lab.credentials(party) });
  const byState = (one: ApiResponse) => one.status === 412 || one.status === 409;
  if (!byState(answer) && !isSuccess(answer)) {
    if (!worksElsewhere)
      throw new NotApplicable(
        `no invoice is ever in the state that offers ${action}, and it is answered with ${answer.status}`,
      );
    if (await expectOtherPartyRejected(lab, action, invoice, party, answer, statuses)) return false;
  }
  await skipIfStateChanged(lab, invoice, answer);
  // Where no settlement is ever seen, funds may be asked for before the state.
  if (action === 'settle' && !worksElsewhere) skipIfInsufficientFunds(answer);
  expectRejected(lab, answer, statuses, answer.status === 412 ? 'INV004' : undefined);
  observeRejection(lab, action, invoice, String(answer.status));
  return true;
}

/** By the check of this very cell alone: what others meet on their way depends on what else is going on. */
function observeRejection(lab: CheckContext, action: InvoiceAction, { state }: Invoice, statuses: string): void {
  if (lab.execution.id === rejectedCheckId(state, action))
    lab.observe('refusal-status', `${action} in ${state}: ${statuses}`);
}

/** An accepted action says nothing where the invoice may have moved on by itself before it: throws NotApplicable then. */
async function skipIfStateChanged(lab: CheckContext, invoice: Invoice, answer: ApiResponse): Promise<void> {
  if (isSuccess(answer)) await skipUnlessUnchangedUntil(lab, invoice, answer.sentAt);
}

/**
 * A 403 or 404 may be about who asks: then the other party must be refused because of the state, or the invoice must be
 * hidden from the one who asked, as a draft may be from its buyer.
 */
async function expectOtherPartyRejected(
  lab: CheckContext,
  action: InvoiceAction,
  invoice: Invoice,
  party: Party,
  first: ApiResponse,
  statuses: readonly number[],
): Promise<boolean> {
  const other = otherPartyCredentials(lab, party);
  if ((first.status !== 403 && first.status !== 404) || !other) return false;
  const hidden = first.status === 404 && (await findInvoice(lab, invoice.id, party)).record === null;
  const second = await sendAction(lab, action, invoice.id, { as: other });
  // From whom it is hidden may be the one who may act, and the other one refused for being the wrong one.
  const byRole = [403, 404, 409, 412].includes(second.status) && bodyMember(second, 'code') !== 'INV004';
  if (hidden && byRole) return true;
  const refusedByState = second.status === 412 || second.status === 409;
  if (!refusedByState && !isSuccess(second)) return false;
  if (first.status === 404 && !hidden && !isSuccess(second)) return false;
  await skipIfStateChanged(lab, invoice, second);
  expectRejected(lab, second, statuses, second.status === 412 ? 'INV004' : undefined);
  observeRejection(lab, action, invoice, `${first.status} to the ${party}, ${second.status} to the other`);
  return true;
}

/** Refusals leave no trace: what the contract shows of the invoice is what it was. */
export async function expectInvoiceUnchanged(
  lab: CheckContext,
  invoice: Invoice,
  before: JsonObject | null,
  refusal?: ApiResponse,
): Promise<void> {
  await createUntouchedInvoices(lab);
  // A lagging copy of the data may still show what came before; a trace of the refusal would stay.
  const { record, response: answer } = await waitForInvoice(lab, invoice.id, (seen) => seen?.status === invoice.state);
  const cause = refusal ? [refusal] : [];
  if (record?.status !== invoice.state) {
    await skipIfChangesSpontaneously(lab, [invoice.state], lab.target.limits.settleWithinMs);
    await skipIfVariantChanges(lab, invoice);
  }
  if (!record)
    throw breach(
      lab,
      answer,
      `invoice ${invoice.id} unchanged in ${invoice.state} after the refusal`,
      'it is gone',
      cause,
    );
  if (record.status !== invoice.state) {
    const because = `the invoice was ${invoice.state} before the refused request and is ${String(record.status)} after it`;
    throw breach(lab, answer, `the status ${invoice.state}, as before the refused request`, because, cause);
  }
  const changed = INVOICE_FIELDS.find((field) => before && field in before && before[field] !== record[field]);
  if (changed) {
    const because = `${changed} was ${JSON.stringify(before?.[changed])} before the refused request`;
    throw breach(
      lab,
      answer,
      `${changed} as before the refused request`,
      `${because} and is now ${describeResponse(answer)}`,
      cause,
    );
  }
  recordUnchanged(lab, invoice, refusal?.request.operation ?? lab.execution.id ?? '');
}

interface UnchangedInvoice {
  invoice: Invoice;
  /** What was refused, for the message. */
  rejectedRequest: string;
  /** When it was looked at and had not moved, by `performance.now()`. */
  checkedAtMs: number;
}

const unchangedInvoices = new WeakMap<RunContext, UnchangedInvoice[]>();

function recordUnchanged(lab: CheckContext, invoice: Invoice, refused: string): void {
  const known = unchangedInvoices.get(lab.run) ?? [];
  unchangedInvoices.set(lab.run, [...known, { invoice, rejectedRequest: refused, checkedAtMs: performance.now() }]);
}

/** Those on which no accepted action is under way, and none was accepted since. */
function idleInvoices({ run }: CheckContext): UnchangedInvoice[] {
  const all = unchangedInvoices.get(run) ?? [];
  return all.filter(
    ({ invoice, checkedAtMs: at }) => !invoice.hasPendingAction && !hasAcceptedActionSince(run, invoice.id, at),
  );
}

/**
 * What was refused and looked at in the course of the run is looked at once more: an effect may have landed after the answer.
 * Throws a Breach for the first invoice that moved; the number that stayed otherwise.
 */
export async function expectNoLateChange(lab: CheckContext): Promise<number> {
  const all = idleInvoices(lab);
  const moved = await Promise.all(
    all.map(async ({ invoice, rejectedRequest: refused, checkedAtMs: at }) => {
      const {
        record,
        response: answer,
        held,
      } = await waitForInvoice(lab, invoice.id, (seen) => seen?.status === invoice.state);
      if (held) return;
      await skipIfChangesSpontaneously(lab, [invoice.state], performance.now() - at + lab.target.limits.settleWithinMs);
      const because = `${refused} of this ${invoice.state} invoice was refused, and now it is ${String(record?.status ?? 'gone')}`;
      return breach(lab, answer, `invoice ${invoice.id} still ${invoice.state}`, because);
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
async function findMislisted(lab: CheckContext, all: readonly UnchangedInvoice[]): Promise<MislistedInvoice[]> {
  const shown = new Map<string, { status: unknown; answer: ApiResponse }>();
  let last: ListPage | undefined;
  for await (const page of newestPages(lab)) {
    for (const { id, status } of page.records) shown.set(String(id), { status, answer: page.response });
    last = page;
  }
  if (!last) return [];
  const { response: answer, page, totalPages } = last;
  return all.flatMap((each) => {
    const found = shown.get(each.invoice.id);
    if (found) return found.status === each.invoice.state ? [] : [{ ...each, ...found }];
    // Of a longer list not all was looked at.
    return page + 1 >= totalPages ? [{ ...each, status: undefined, answer }] : [];
  });
}

/** What was refused in the course of the run is listed as it is read: in the state that it was in. The number of those looked for. */
export async function expectListedUnchanged(lab: CheckContext): Promise<number> {
  const all = idleInvoices(lab);
  if (all.length === 0) return 0;
  // Where invoices of one moment stand in another order each time, a walk may miss some: what was seen once is not looked for again.
  let left: readonly UnchangedInvoice[] = all;
  const lookAgain = async () => {
    const found = await findMislisted(lab, left);
    left = found;
    return found;
  };
  const wrong = await pollUntil(lab, lookAgain, (found) => found.length === 0);
  for (const { invoice, rejectedRequest: refused, status, answer } of wrong) {
    const { record, response: read } = await findInvoice(lab, invoice.id);
    // It may have moved by itself meanwhile.
    if (record?.status !== invoice.state) continue;
    const because = `${refused} of this ${invoice.state} invoice was refused, and the list ${status === undefined ? 'does not hold it any more' : `says ${String(status)}`}`;
    throw breach(lab, answer, `invoice ${invoice.id} listed as ${invoice.state}, as it is read`, because, [read]);
  }
  return all.length;
}
