import { JournalError } from '../../engine/evidence/journal.ts';
import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { Blocked, Interrupted } from '../../engine/model/outcomes.ts';
import { postInvoice } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { recordPreexistingInvoices } from '../context/preexisting-invoices.ts';
import { candidateRanges, setAcceptedRanges } from '../data/accepted-ranges.ts';
import { paymentDays } from '../data/due-dates.ts';
import { type InvoiceBody, rangeLimits, validBody } from '../data/invoice-body.ts';
import { newestInvoices } from '../invoices/find-invoice.ts';
import { ifReachable, resolveCreatedInvoice } from '../invoices/invoices.ts';

const ROUND_AMOUNT = '100.00';

/** By these a sum or a date may be refused that others would accept. */
const VALUE_REJECTION_STATUSES: ReadonlySet<number> = new Set([400, 409, 412]);

/**
 * The first invoices of a run, before any other: of the smallest sum, due soonest, and of the largest, due latest. How little or
 * how much one may be worth, and how soon or late be due, is not shown: where the usual is refused, the run keeps to what is
 * accepted. Others wait for the answers alone, and not until the invoices are seen. What is there before them is remembered.
 */
export async function calibrateRanges(ctx: CheckContext): Promise<void> {
  await ctx.run.memoize('first invoice', async () => {
    await recordExistingInvoices(ctx);
    try {
      await findAcceptedRanges(ctx);
    } catch (error) {
      // A lost answer, or an unreadable one: every check finds out for itself, and says so.
      if (!(error instanceof Blocked)) throw error;
    }
  });
}

async function findAcceptedRanges(ctx: CheckContext): Promise<void> {
  let refusal: ApiResponse | null = null;
  for (const terms of candidateRanges) {
    setAcceptedRanges(ctx.run, terms);
    refusal = await findRejectionAtLimits(ctx);
    if (!refusal) return;
    if (!VALUE_REJECTION_STATUSES.has(refusal.status)) break;
  }
  setAcceptedRanges(ctx.run, undefined);
  if (refusal && VALUE_REJECTION_STATUSES.has(refusal.status)) await withholdIfRoundOnly(ctx, refusal);
}

/**
 * Whether a server that refuses the usual sums and dates accepts round ones: steps of amounts and days of payment are a rule of its
 * own, which the contract neither shows nor forbids. Creations are withheld then, and nothing is judged by them.
 */
async function withholdIfRoundOnly(ctx: CheckContext, refusal: ApiResponse): Promise<void> {
  for (const dueDate of paymentDays()) {
    const body: InvoiceBody = { ...validBody(ctx), amount: ROUND_AMOUNT, dueDate };
    const response = await postInvoice(ctx, body);
    if (!isSuccess(response)) continue;
    void ifReachable(() => resolveCreatedInvoice(ctx, body, response)).catch(ignoreRunInterruption);
    ctx.run.disable(
      'connection',
      `this service refuses most valid invoices by rules of its own: ${describeResponse(refusal)}; it accepts one of ${ROUND_AMOUNT} due ${dueDate}, and the contract does not show such rules`,
    );
    return;
  }
}

/** The refusal of the least or the most of the terms; null where both are accepted. */
async function findRejectionAtLimits(ctx: CheckContext): Promise<ApiResponse | null> {
  for (const end of rangeLimits(ctx)) {
    const body: InvoiceBody = { ...validBody(ctx), ...end };
    const response = await postInvoice(ctx, body);
    if (!isSuccess(response)) return response;
    // What became of it is looked for while the others go on.
    void ifReachable(() => resolveCreatedInvoice(ctx, body, response)).catch(ignoreRunInterruption);
  }
  return null;
}

/** Nobody waits for that look: where the run ends meanwhile, the run itself says why. */
function ignoreRunInterruption(error: unknown): void {
  if (!(error instanceof Interrupted || error instanceof JournalError)) throw error;
}

/** Remembers the newest invoices of the seller. */
async function recordExistingInvoices(ctx: CheckContext): Promise<void> {
  try {
    recordPreexistingInvoices(ctx, (await newestInvoices(ctx)).records);
  } catch (error) {
    // Where the list cannot be had, whoever needs it says so.
    if (!(error instanceof Blocked)) throw error;
  }
}
