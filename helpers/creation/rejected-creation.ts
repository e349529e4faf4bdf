import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import { Breach, NotApplicable } from '../../engine/model/outcomes.ts';
import { foundRecordIn } from '../../engine/records/invoice-records.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import { maximalRequest } from '../adaptation/maximal-request.ts';
import { postInvoice, type RequestOptions } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { breach, expectRejected } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runCreationControl } from '../controls/positive-controls.ts';
import { type InvoiceBody, requiredFieldsOnly, validBody } from '../data/invoice-body.ts';
import { type BodyDefect, newestInvoices } from '../invoices/find-invoice.ts';
import { resolveCreatedInvoice } from '../invoices/invoices.ts';
import { newestPages } from '../invoices/list-page.ts';
import { createdDespiteRejection, isInconclusive, type RejectedCreation } from './unexpected-creation.ts';

export interface InvalidCreation {
  /** The one thing wrong with the request: what becomes of the valid body. A string is sent as it is. */
  spoil: (valid: InvoiceBody) => unknown;
  /** The declared field that carries the defect; it cannot serve to recognise what was created. */
  defect?: BodyDefect;
  statuses: readonly number[];
  code?: string;
  extra?: RequestOptions;
  /** Tried a second time with whatever may go with a creation: with any of it a request takes another path through many servers. */
  whole?: true;
}

/**
 * A creation that is valid but for one defect is refused, while the same request without the defect is accepted, and no
 * invoice comes of it.
 */
export async function expectCreationRejected(ctx: CheckContext, { whole, ...refused }: InvalidCreation): Promise<void> {
  await runCreationControl(ctx);
  await expectAttemptRejected(ctx, refused, async () => validBody(ctx));
  if (!whole) return;
  const { headers } = await maximalRequest(ctx);
  const extra = { ...refused.extra, headers: [...(refused.extra?.headers ?? []), ...headers] };
  await expectAttemptRejected(ctx, { ...refused, extra }, async () => (await maximalRequest(ctx)).body);
  await expectMinimalRejected(ctx, refused);
  await expectReplayRejected(ctx, refused);
}

/**
 * A createRequestId that was seen before is no way round a refusal. What else is said of one whose request failed is not shown, so that
 * any refusal does the second time.
 */
async function expectReplayRejected(ctx: CheckContext, { spoil, statuses, extra }: InvalidCreation): Promise<void> {
  const valid = { ...validBody(ctx), requestId: ctx.createRequestId() };
  const tries = [await postInvoice(ctx, spoil(valid), extra), await postInvoice(ctx, spoil(valid), extra)];
  for (const response of tries.filter(isSuccess)) {
    await trackForCleanUp(ctx, valid, response);
    expectRejected(ctx, response, statuses);
  }
}

/** The same with the required fields alone: what came of it could not be told from other people's. */
async function expectMinimalRejected(
  ctx: CheckContext,
  { spoil, statuses, code, extra }: InvalidCreation,
): Promise<void> {
  const valid = { ...validBody(ctx), ...requiredFieldsOnly(ctx) };
  const response = await postInvoice(ctx, spoil(valid), extra);
  if (isSuccess(response)) await trackForCleanUp(ctx, valid, response);
  expectRejected(ctx, response, statuses, code);
}

async function expectAttemptRejected(
  ctx: CheckContext,
  { spoil, defect = null, statuses, code, extra }: InvalidCreation,
  body: () => Promise<InvoiceBody>,
): Promise<void> {
  await expectNothingCreatedBy(ctx, defect, async () => {
    const valid = await body();
    const response = await postInvoice(ctx, spoil(valid), extra);
    if (isSuccess(response)) await trackForCleanUp(ctx, valid, response);
    expectRejected(ctx, response, statuses, code);
    return { refusals: [response], bodies: [valid] };
  });
}

const MAX_INCONCLUSIVE_ATTEMPTS = 3;

/** What `refuse` has sent and seen refused has left nothing, told by all but the field that carries the defect. */
export async function expectNothingCreatedBy(
  ctx: CheckContext,
  defect: BodyDefect,
  refuse: () => Promise<{ refusals: readonly ApiResponse[]; bodies: readonly InvoiceBody[] }>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    // Without amount or date to go by, an older invoice could be taken for one that came of these bodies.
    const older = defect === null ? [] : (await newestInvoices(ctx)).records.map(({ id }) => id);
    const { refusals, bodies } = await refuse();
    try {
      return await expectNoInvoiceCreated(ctx, refusals, bodies, defect, older);
    } catch (error) {
      // A stranger's invoice may look like one of these once, but hardly every time.
      if (!isInconclusive(defect) || tries === MAX_INCONCLUSIVE_ATTEMPTS || !(error instanceof Breach)) throw error;
    }
  }
}

/** After refusals the seller's list holds nothing that came of any of the refused bodies. */
export async function expectNoInvoiceCreated(
  ctx: CheckContext,
  refusals: readonly ApiResponse[],
  bodies: readonly InvoiceBody[],
  defect: BodyDefect = null,
  older: readonly unknown[] = [],
): Promise<void> {
  const refused = refusals.flatMap((refusal, at) => (bodies[at] ? [{ refusal, body: bodies[at], defect }] : []));
  recordRejections(ctx, refused);
  const { records, answer: response } = await newestInvoices(ctx);
  const recent = records.filter(({ id }) => !older.includes(id));
  const all = rejectedCreations.get(ctx.run) ?? [];
  for (const each of refused) {
    const created = await createdDespiteRejection(ctx, each, recent, all);
    if (!created) continue;
    const because = `refused with ${each.refusal.status}, and yet invoice ${String(created.id)} was created: ${JSON.stringify(created)}`;
    throw breach(ctx, each.refusal, 'no invoice after a refused creation', because, [response]);
  }
}

const rejectedCreations = new WeakMap<RunContext, readonly RejectedCreation[]>();

function recordRejections(ctx: CheckContext, refused: readonly RejectedCreation[]): void {
  rejectedCreations.set(ctx.run, [...(rejectedCreations.get(ctx.run) ?? []), ...refused]);
}

/**
 * Nothing came of all the creations that were refused in the course of the run, looked for among as many of the newest
 * invoices as the run itself can have made. Throws NotApplicable when there were none.
 */
export async function expectNoInvoiceCreatedLater(ctx: CheckContext): Promise<void> {
  const all = rejectedCreations.get(ctx.run) ?? [];
  const recognisable = all.filter(({ defect }) => defect === null);
  if (recognisable.length === 0) throw new NotApplicable('no creation was refused in this run');
  const own = new Set(ctx.run.leftovers().map(([id]) => id));
  for await (const { response, records } of newestPages(ctx)) {
    for (const refused of recognisable) {
      const created = await createdDespiteRejection(ctx, refused, records, all);
      if (!created) continue;
      const because = `refused with ${refused.refusal.status}, and now there is invoice ${String(created.id)}: ${JSON.stringify(created)}`;
      throw breach(ctx, refused.refusal, 'no invoice after a refused creation', because, [response]);
    }
    // Behind the run's own invoices lie those of others and of earlier days.
    if (!records.some(({ id }) => own.has(String(id)))) return;
  }
}

/** What a faulty server accepted is still ours to remove. */
async function trackForCleanUp(ctx: CheckContext, valid: InvoiceBody, response: ApiResponse): Promise<void> {
  const shown = foundRecordIn(response);
  if (shown && bodyMember({ json: shown.record }, 'id') !== undefined)
    await resolveCreatedInvoice(ctx, valid, response);
}
