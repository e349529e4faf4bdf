import { runState } from '../../engine/ledger/run-ledger.ts';
import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import { NotApplicable } from '../../engine/model/outcomes.ts';
import { foundRecordIn } from '../../engine/records/invoice-records.ts';
import { maximalRequest } from '../adaptation/maximal-request.ts';
import { postInvoice } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import { isSuccess } from '../api/responses.ts';
import { confirmBreach, FOREIGN_INVOICE } from '../assert/confirm-breach.ts';
import { breach, expectRejected } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { runCreationControl } from '../controls/positive-controls.ts';
import { type BodyDefect, type InvoiceBody, requiredFieldsOnly, validBody } from '../data/invoice-body.ts';
import { newestInvoices } from '../invoices/find-invoice.ts';
import { resolveCreatedInvoice } from '../invoices/invoices.ts';
import { newestPages } from '../invoices/list-page.ts';
import { createdDespiteRejection, isInconclusive, type RejectedCreation } from './unexpected-creation.ts';

export interface InvalidCreation {
  /** Adds the defect to the valid body. A string is sent as it is. */
  addDefect: (valid: InvoiceBody) => unknown;
  /** The declared field with the defect; it cannot identify a created invoice. */
  defect?: BodyDefect;
  statuses: readonly number[];
  code?: string;
  extra?: RequestOptions;
  /**
   * Tries the defect a second time with all optional fields and headers, because many servers process such requests on another
   * path.
   */
  whole?: true;
}

/**
 * A creation that is valid except for one defect is rejected and creates no invoice, while the server accepts the same request
 * without the defect. Throws a Breach otherwise.
 */
export async function expectCreationRejected(
  ctx: CheckContext,
  { whole, ...rejected }: InvalidCreation,
): Promise<void> {
  await runCreationControl(ctx);
  await expectAttemptRejected(ctx, rejected, async () => validBody(ctx));
  if (!whole) return;
  const { headers } = await maximalRequest(ctx);
  const extra = { ...rejected.extra, headers: [...(rejected.extra?.headers ?? []), ...headers] };
  await expectAttemptRejected(ctx, { ...rejected, extra }, async () => (await maximalRequest(ctx)).body);
  await expectMinimalRejected(ctx, rejected);
  await expectReplayRejected(ctx, rejected);
}

/**
 * A known requestId must not bypass the rejection. The contract leaves open how a failed requestId is treated, so any 4xx
 * status is allowed.
 */
async function expectReplayRejected(ctx: CheckContext, { addDefect, statuses, extra }: InvalidCreation): Promise<void> {
  const valid = { ...validBody(ctx), requestId: ctx.createRequestId() };
  const tries = [await postInvoice(ctx, addDefect(valid), extra), await postInvoice(ctx, addDefect(valid), extra)];
  for (const response of tries.filter(isSuccess)) {
    await trackForCleanUp(ctx, valid, response);
    expectRejected(ctx, response, statuses);
  }
}

/** The defect with only the required fields. Without a description, a created invoice would look like a foreign one. */
async function expectMinimalRejected(
  ctx: CheckContext,
  { addDefect, statuses, code, extra }: InvalidCreation,
): Promise<void> {
  const valid = { ...validBody(ctx), ...requiredFieldsOnly(ctx) };
  const response = await postInvoice(ctx, addDefect(valid), extra);
  if (isSuccess(response)) await trackForCleanUp(ctx, valid, response);
  expectRejected(ctx, response, statuses, code);
}

async function expectAttemptRejected(
  ctx: CheckContext,
  { addDefect, defect = null, statuses, code, extra }: InvalidCreation,
  body: () => Promise<InvoiceBody>,
): Promise<void> {
  await expectNothingCreatedBy(ctx, defect, async () => {
    const valid = await body();
    const response = await postInvoice(ctx, addDefect(valid), extra);
    if (isSuccess(response)) await trackForCleanUp(ctx, valid, response);
    expectRejected(ctx, response, statuses, code);
    return { rejections: [response], bodies: [valid] };
  });
}

/** Throws a Breach if a request of `attempt` created an invoice, recognised by all fields except `defect`. */
export async function expectNothingCreatedBy(
  ctx: CheckContext,
  defect: BodyDefect,
  attempt: () => Promise<{ rejections: readonly ApiResponse[]; bodies: readonly InvoiceBody[] }>,
): Promise<void> {
  await confirmBreach(ctx, FOREIGN_INVOICE, async (round) => {
    // Without amount or due date, an older invoice could match these bodies.
    const older = defect === null ? [] : (await newestInvoices(ctx)).records.map(({ id }) => id);
    // A breach in a response, and an invoice with the mark of the run, count at once.
    const isLastRound = round.isLast;
    round.isLast = true;
    const { rejections, bodies } = await attempt();
    round.isLast = isLastRound || !isInconclusive(defect);
    await expectNoInvoiceCreated(ctx, rejections, bodies, defect, older);
  });
}

/** Throws a Breach if the seller's list holds an invoice from one of the rejected bodies. */
export async function expectNoInvoiceCreated(
  ctx: CheckContext,
  rejections: readonly ApiResponse[],
  bodies: readonly InvoiceBody[],
  defect: BodyDefect = null,
  older: readonly unknown[] = [],
): Promise<void> {
  const rejected = rejections.flatMap((rejection, at) => (bodies[at] ? [{ rejection, body: bodies[at], defect }] : []));
  recordRejections(ctx, rejected);
  const { records, response } = await newestInvoices(ctx);
  const recent = records.filter(({ id }) => !older.includes(id));
  const all = [...rejectedCreations(ctx.run)];
  for (const each of rejected) {
    const created = await createdDespiteRejection(ctx, each, recent, all);
    if (!created) continue;
    const because = `${describeOutcome(each.rejection)}, but invoice ${String(created.id)} was created: ${JSON.stringify(created)}`;
    throw breach(ctx, each.rejection, 'no invoice after a rejected creation', because, [response]);
  }
}

/** An undeclared form of a creation, such as one with an override header, may be accepted as another request. */
function describeOutcome(response: ApiResponse): string {
  return `the server ${isSuccess(response) ? 'returned' : 'rejected the creation with'} ${response.status}`;
}

const rejectedCreations = runState((): RejectedCreation[] => []);

function recordRejections(ctx: CheckContext, rejected: readonly RejectedCreation[]): void {
  rejectedCreations(ctx.run).push(...rejected);
}

/**
 * Throws a Breach if a rejected creation of the run has made an invoice later, and NotApplicable if no creation was
 * rejected. Searches as many of the newest invoices as the run can have created.
 */
export async function expectNoInvoiceCreatedLater(ctx: CheckContext): Promise<void> {
  const all = [...rejectedCreations(ctx.run)];
  const recognisable = all.filter(({ defect }) => defect === null);
  skipUnlessAnyRejected(recognisable);
  const own = new Set(ctx.run.leftovers.entries().map(([id]) => id));
  for await (const { response, records } of newestPages(ctx)) {
    for (const rejected of recognisable) {
      const created = await createdDespiteRejection(ctx, rejected, records, all);
      if (!created) continue;
      const because = `${describeOutcome(rejected.rejection)}, but now invoice ${String(created.id)} exists: ${JSON.stringify(created)}`;
      throw breach(ctx, rejected.rejection, 'no invoice after a rejected creation', because, [response]);
    }
    // Older records are foreign or from earlier runs.
    if (!records.some(({ id }) => own.has(String(id)))) return;
  }
}

function skipUnlessAnyRejected(rejected: readonly RejectedCreation[]): void {
  if (rejected.length === 0) throw new NotApplicable('the server rejected no creation in this run');
}

/** The clean-up must remove invoices that a faulty server accepted. */
export async function trackForCleanUp(ctx: CheckContext, valid: InvoiceBody, response: ApiResponse): Promise<void> {
  const shown = foundRecordIn(response);
  if (shown && bodyMember({ json: shown.record }, 'id') !== undefined)
    await resolveCreatedInvoice(ctx, valid, response);
}
