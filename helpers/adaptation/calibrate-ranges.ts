import { JournalFailure } from '../../engine/evidence/journal.ts';
import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { Blocked, Interrupted } from '../../engine/model/outcomes.ts';
import { postInvoice } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';
import { noteThere } from '../context/preexisting-invoices.ts';
import { agreeOn, allTerms } from '../data/accepted-ranges.ts';
import { paymentDays } from '../data/due-dates.ts';
import { endsOfTerms, type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { newest } from '../invoices/find-invoice.ts';
import { invoiceOf, whereReachable } from '../invoices/invoices.ts';

const ROUND_SUM = '100.00';

/** By these a sum or a date may be refused that others would accept. */
const BY_VALUE: ReadonlySet<number> = new Set([400, 409, 412]);

/**
 * The first invoices of a run, before any other: of the smallest sum, due soonest, and of the largest, due latest. How little or
 * how much one may be worth, and how soon or late be due, is not shown: where the usual is refused, the run keeps to what is
 * accepted. Others wait for the answers alone, and not until the invoices are seen. What is there before them is remembered.
 */
export async function firstInvoice(lab: Lab): Promise<void> {
  await lab.run.once('first invoice', async () => {
    await noteWhatIsThere(lab);
    try {
      await agreeOnTerms(lab);
    } catch (error) {
      // A lost answer, or an unreadable one: every check finds out for itself, and says so.
      if (!(error instanceof Blocked)) throw error;
    }
  });
}

async function agreeOnTerms(lab: Lab): Promise<void> {
  let refusal: ApiResponse | null = null;
  for (const terms of allTerms) {
    agreeOn(lab.run, terms);
    refusal = await refusedAtAnEnd(lab);
    if (!refusal) return;
    if (!BY_VALUE.has(refusal.status)) break;
  }
  agreeOn(lab.run, undefined);
  if (refusal && BY_VALUE.has(refusal.status)) await expectNoOwnRule(lab, refusal);
}

/**
 * Whether a server that refuses the usual sums and dates accepts round ones: steps of amounts and days of payment are a rule of its
 * own, which the contract neither shows nor forbids. Creations are withheld then, and nothing is judged by them.
 */
async function expectNoOwnRule(lab: Lab, refusal: ApiResponse): Promise<void> {
  for (const dueDate of paymentDays()) {
    const body: InvoiceBody = { ...validBody(lab), amount: ROUND_SUM, dueDate };
    const answer = await postInvoice(lab, body);
    if (!isSuccess(answer)) continue;
    void whereReachable(() => invoiceOf(lab, body, answer)).catch(unlessTheRunEnds);
    lab.run.withhold(
      'connection',
      `this service refuses most valid invoices by rules of its own: ${describeResponse(refusal)}; it accepts one of ${ROUND_SUM} due ${dueDate}, and the contract does not show such rules`,
    );
    return;
  }
}

/** The refusal of the least or the most of the terms; null where both are accepted. */
async function refusedAtAnEnd(lab: Lab): Promise<ApiResponse | null> {
  for (const end of endsOfTerms(lab)) {
    const body: InvoiceBody = { ...validBody(lab), ...end };
    const answer = await postInvoice(lab, body);
    if (!isSuccess(answer)) return answer;
    // What became of it is looked for while the others go on.
    void whereReachable(() => invoiceOf(lab, body, answer)).catch(unlessTheRunEnds);
  }
  return null;
}

/** Nobody waits for that look: where the run ends meanwhile, the run itself says why. */
function unlessTheRunEnds(error: unknown): void {
  if (!(error instanceof Interrupted || error instanceof JournalFailure)) throw error;
}

/** Remembers the newest invoices of the seller. */
async function noteWhatIsThere(lab: Lab): Promise<void> {
  try {
    noteThere(lab, (await newest(lab)).records);
  } catch (error) {
    // Where the list cannot be had, whoever needs it says so.
    if (!(error instanceof Blocked)) throw error;
  }
}
