import { type ApiResponse, bodyMember } from '../../engine/model/messages.ts';
import { Breach, NotApplicable } from '../../engine/model/outcomes.ts';
import { foundRecordIn } from '../../engine/records/find-invoice-record.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import { maximalRequest } from '../adaptation/maximal-request.ts';
import { postInvoice, type RequestOptions } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { breach, expectRejected } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runCreationControl } from '../controls/controls.ts';
import { type InvoiceBody, requiredFieldsOnly, validBody } from '../data/invoice-body.ts';
import { type BodyDefect, newestInvoices } from '../invoices/find-invoice.ts';
import { resolveCreatedInvoice } from '../invoices/invoices.ts';
import { newestPages } from '../invoices/list-page.ts';
import { createdDespiteRejection, isInconclusive, type RejectedCreation } from './created-despite-rejection.ts';

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
export async function expectCreationRejected(lab: CheckContext, { whole, ...refused }: InvalidCreation): Promise<void> {
  await runCreationControl(lab);
  await expectAttemptRejected(lab, refused, async () => validBody(lab));
  if (!whole) return;
  const { headers } = await maximalRequest(lab);
  const extra = { ...refused.extra, headers: [...(refused.extra?.headers ?? []), ...headers] };
  await expectAttemptRejected(lab, { ...refused, extra }, async () => (await maximalRequest(lab)).body);
  await expectMinimalRejected(lab, refused);
  await expectReplayRejected(lab, refused);
}

/**
 * A createRequestId that was seen before is no way round a refusal. What else is said of one whose request failed is not shown, so that
 * any refusal does the second time.
 */
async function expectReplayRejected(lab: CheckContext, { spoil, statuses, extra }: InvalidCreation): Promise<void> {
  const valid = { ...validBody(lab), requestId: lab.createRequestId() };
  const tries = [await postInvoice(lab, spoil(valid), extra), await postInvoice(lab, spoil(valid), extra)];
  for (const answer of tries.filter(isSuccess)) {
    await trackForCleanUp(lab, valid, answer);
    expectRejected(lab, answer, statuses);
  }
}

/** The same with the required fields alone: what came of it could not be told from other people's. */
async function expectMinimalRejected(
  lab: CheckContext,
  { spoil, statuses, code, extra }: InvalidCreation,
): Promise<void> {
  const valid = { ...validBody(lab), ...requiredFieldsOnly(lab) };
  const answer = await postInvoice(lab, spoil(valid), extra);
  if (isSuccess(answer)) await trackForCleanUp(lab, valid, answer);
  expectRejected(lab, answer, statuses, code);
}

async function expectAttemptRejected(
  lab: CheckContext,
  { spoil, defect = null, statuses, code, extra }: InvalidCreation,
  body: () => Promise<InvoiceBody>,
): Promise<void> {
  await expectNothingCreatedBy(lab, defect, async () => {
    const valid = await body();
    const answer = await postInvoice(lab, spoil(valid), extra);
    if (isSuccess(answer)) await trackForCleanUp(lab, valid, answer);
    expectRejected(lab, answer, statuses, code);
    return { refusals: [answer], bodies: [valid] };
  });
}

const MAX_INCONCLUSIVE_ATTEMPTS = 3;

/** What `refuse` has sent and seen refused has left nothing, told by all but the field that carries the defect. */
export async function expectNothingCreatedBy(
  lab: CheckContext,
  defect: BodyDefect,
  refuse: () => Promise<{ refusals: readonly ApiResponse[]; bodies: readonly InvoiceBody[] }>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    // Without amount or date to go by, an older invoice could be taken for one that came of these bodies.
    const older = defect === null ? [] : (await newestInvoices(lab)).records.map(({ id }) => id);
    const { refusals, bodies } = await refuse();
    try {
      return await expectNoInvoiceCreated(lab, refusals, bodies, defect, older);
    } catch (error) {
      // A stranger's invoice may look like one of these once, but hardly every time.
      if (!isInconclusive(defect) || tries === MAX_INCONCLUSIVE_ATTEMPTS || !(error instanceof Breach)) throw error;
    }
  }
}

/** After refusals the seller's list holds nothing that came of any of the refused bodies. */
export async function expectNoInvoiceCreated(
  lab: CheckContext,
  refusals: readonly ApiResponse[],
  bodies: readonly InvoiceBody[],
  defect: BodyDefect = null,
  older: readonly unknown[] = [],
): Promise<void> {
  const refused = refusals.flatMap((refusal, at) => (bodies[at] ? [{ refusal, body: bodies[at], defect }] : []));
  recordRejections(lab, refused);
  const { records, answer } = await newestInvoices(lab);
  const recent = records.filter(({ id }) => !older.includes(id));
  const all = rejectedCreations.get(lab.run) ?? [];
  for (const each of refused) {
    const created = await createdDespiteRejection(lab, each, recent, all);
    if (!created) continue;
    const because = `refused with ${each.refusal.status}, and yet invoice ${String(created.id)} was created: ${JSON.stringify(created)}`;
    throw breach(lab, each.refusal, 'no invoice after a refused creation', because, [answer]);
  }
}

const rejectedCreations = new WeakMap<RunContext, readonly RejectedCreation[]>();

function recordRejections(lab: CheckContext, refused: readonly RejectedCreation[]): void {
  rejectedCreations.set(lab.run, [...(rejectedCreations.get(lab.run) ?? []), ...refused]);
}

/**
 * Nothing came of all the creations that were refused in the course of the run, looked for among as many of the newest
 * invoices as the run itself can have made. Throws NotApplicable when there were none.
 */
export async function expectNoInvoiceCreatedLater(lab: CheckContext): Promise<void> {
  const all = rejectedCreations.get(lab.run) ?? [];
  const recognisable = all.filter(({ defect }) => defect === null);
  if (recognisable.length === 0) throw new NotApplicable('no creation was refused in this run');
  const own = new Set(lab.run.leftovers().map(([id]) => id));
  for await (const { response: answer, records } of newestPages(lab)) {
    for (const refused of recognisable) {
      const created = await createdDespiteRejection(lab, refused, records, all);
      if (!created) continue;
      const because = `refused with ${refused.refusal.status}, and now there is invoice ${String(created.id)}: ${JSON.stringify(created)}`;
      throw breach(lab, refused.refusal, 'no invoice after a refused creation', because, [answer]);
    }
    // Behind the run's own invoices lie those of others and of earlier days.
    if (!records.some(({ id }) => own.has(String(id)))) return;
  }
}

/** What a faulty server accepted is still ours to remove. */
async function trackForCleanUp(lab: CheckContext, valid: InvoiceBody, answer: ApiResponse): Promise<void> {
  const shown = foundRecordIn(answer);
  if (shown && bodyMember({ json: shown.record }, 'id') !== undefined) await resolveCreatedInvoice(lab, valid, answer);
}
