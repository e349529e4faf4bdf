import { JournalError } from '../../engine/evidence/journal.ts';
import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { Blocked, Interrupted } from '../../engine/model/outcomes.ts';
import { postInvoice } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';
import { recordPreexistingInvoices } from '../context/invoice-history.ts';
import { sharedResult } from '../context/shared-result.ts';
import { paymentDays } from '../data/due-dates.ts';
import { candidateRanges, type InvoiceBody, rangeLimits, setAcceptedRanges, validBody } from '../data/invoice-body.ts';
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
  let rejection: ApiResponse | null = null;
  for (const terms of candidateRanges) {
    setAcceptedRanges(ctx.run, terms);
    rejection = await findRejectionAtLimits(ctx);
    if (!rejection) return;
    if (!VALUE_REJECTION_STATUSES.has(rejection.status)) break;
  }
  setAcceptedRanges(ctx.run, undefined);
  if (rejection && VALUE_REJECTION_STATUSES.has(rejection.status)) await withholdIfRoundOnly(ctx, rejection);
}

/**
 * Finds a server that accepts only round amounts or certain due dates, which the contract neither describes nor
 * forbids. Disables creations then, so that nothing is judged by them.
 */
async function withholdIfRoundOnly(ctx: CheckContext, rejection: ApiResponse): Promise<void> {
  for (const dueDate of paymentDays()) {
    const body: InvoiceBody = { ...validBody(ctx), amount: ROUND_AMOUNT, dueDate };
    const response = await postInvoice(ctx, body);
    if (!isSuccess(response)) continue;
    void ifReachable(() => resolveCreatedInvoice(ctx, body, response)).catch(ignoreRunInterruption);
    ctx.run.disable(
      'connection',
      `this service rejects most valid invoices by its own rules: ${describeResponse(rejection)}; it accepts an invoice of ${ROUND_AMOUNT} due ${dueDate}, and the contract does not describe such rules`,
    );
    return;
  }
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
