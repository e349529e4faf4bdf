import { JournalError } from '../../engine/evidence/journal.ts';
import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { Blocked, Interrupted } from '../../engine/model/outcomes.ts';
import { postInvoice } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { recordPreexistingInvoices } from '../context/invoice-history.ts';
import { sharedResult } from '../context/shared-result.ts';
import { daysWithin, paymentDayRanges } from '../data/due-dates.ts';
import {
  type AcceptedRanges,
  candidateRanges,
  type InvoiceBody,
  rangeLimits,
  rangesDueWithin,
  setAcceptedRanges,
  validBody,
} from '../data/invoice-body.ts';
import { newestInvoices } from './find-invoice.ts';
import { ifReachable, resolveCreatedInvoice } from './invoices.ts';

const ROUND_AMOUNT = '100.00';

/** Statuses by which a server may reject one amount or date and accept others. */
const VALUE_REJECTION_STATUSES: ReadonlySet<number> = new Set([400, 409, 412]);

/**
 * Creates the first invoices of a run, at the limits of the default ranges, and sets other ranges if the server
 * rejects these. Records the existing invoices first; callers wait only for the responses.
 */
export const calibrateRanges = sharedResult(async (ctx): Promise<void> => {
  await recordExistingInvoices(ctx);
  try {
    await findAcceptedRanges(ctx);
  } catch (error) {
    // A lost or unreadable response is reported by every check itself.
    if (!(error instanceof Blocked)) throw error;
  }
});

async function findAcceptedRanges(ctx: CheckContext): Promise<void> {
  const rejection = await tryRanges(ctx, candidateRanges);
  if (!rejection || !VALUE_REJECTION_STATUSES.has(rejection.status)) return;
  const accepted = await findPaymentDay(ctx);
  if (!accepted) return;
  ctx.run.disable(
    'connection',
    `this service rejects most valid invoices by its own rules: ${describeResponse(rejection)}; it accepts an invoice of ${ROUND_AMOUNT} due ${accepted}, and the contract does not describe such rules`,
  );
}

/** Sets the first ranges whose limits are accepted; otherwise restores the default ranges and returns the last rejection. */
async function tryRanges(ctx: CheckContext, candidates: readonly AcceptedRanges[]): Promise<ApiResponse | null> {
  let rejection: ApiResponse | null = null;
  for (const ranges of candidates) {
    setAcceptedRanges(ctx.run, ranges);
    rejection = await findRejectionAtLimits(ctx);
    if (!rejection) return null;
    if (!VALUE_REJECTION_STATUSES.has(rejection.status)) break;
  }
  setAcceptedRanges(ctx.run, undefined);
  return rejection;
}

/**
 * Sets the ranges of a server that accepts only certain payment days, which the contract neither describes nor forbids.
 * Returns the due date of an accepted round amount if the server rejects the other amounts of all such ranges.
 */
async function findPaymentDay(ctx: CheckContext): Promise<string | null> {
  let accepted: string | null = null;
  for (const due of paymentDayRanges) {
    const body: InvoiceBody = { ...validBody(ctx), amount: ROUND_AMOUNT, dueDate: daysWithin(due)[0] as string };
    const response = await postInvoice(ctx, body);
    if (!isSuccess(response)) continue;
    accepted = body.dueDate;
    void ifReachable(() => resolveCreatedInvoice(ctx, body, response)).catch(ignoreRunInterruption);
    if (!(await tryRanges(ctx, rangesDueWithin(due)))) return null;
  }
  return accepted;
}

/** The rejection of the smallest or the largest amount and due date; null if both are accepted. */
async function findRejectionAtLimits(ctx: CheckContext): Promise<ApiResponse | null> {
  for (const end of rangeLimits(ctx)) {
    const body: InvoiceBody = { ...validBody(ctx), ...end };
    const response = await postInvoice(ctx, body);
    if (!isSuccess(response)) return response;
    // The invoice is found in the background, while the run continues.
    void ifReachable(() => resolveCreatedInvoice(ctx, body, response)).catch(ignoreRunInterruption);
  }
  return null;
}

/** Ignores the end of the run during that background read, because the run reports the cause itself. */
function ignoreRunInterruption(error: unknown): void {
  if (!(error instanceof Interrupted || error instanceof JournalError)) throw error;
}

/** Records the newest invoices of the seller. */
async function recordExistingInvoices(ctx: CheckContext): Promise<void> {
  try {
    recordPreexistingInvoices(ctx, (await newestInvoices(ctx)).records);
  } catch (error) {
    // The checks that need the list report that it cannot be read.
    if (!(error instanceof Blocked)) throw error;
  }
}
