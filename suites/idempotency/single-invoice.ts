import { postInvoice, postInvoicesSimultaneously } from '../../helpers/api/operations.ts';
import {
  type ApiResponse,
  INVOICE_FIELDS,
  invoiceIn,
  isInvoiceNumberTaken,
  isSuccess,
  type JsonObject,
} from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { observationTimeFor, skipIfChangesSpontaneously } from '../../helpers/controls/spontaneous-change.ts';
import { replayDuplicatesOf } from '../../helpers/creation/duplicate-creations.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { expectCreated, optionalFields } from '../../helpers/fixtures/created-invoice.ts';
import { createOriginal, earlyCreation } from '../../helpers/idempotency/replay.ts';
import {
  expectSingleInvoice,
  type RepeatedCreation,
  trackOtherInvoice,
} from '../../helpers/idempotency/single-effect.ts';
import { findSettledInvoice, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import { type Invoice, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import { newestPages } from '../../helpers/invoices/list-page.ts';

/** Fields that stay equal in every state. createdAt is excluded, because a stored value may have fewer digits. */
const STABLE_FIELDS = INVOICE_FIELDS.filter((field) => field !== 'status' && field !== 'createdAt');

/** Throws a Breach if the replay changes the status or a stable field of the invoice. */
async function expectUnchangedByReplay(
  ctx: CheckContext,
  invoice: Invoice,
  replay: () => Promise<ApiResponse>,
): Promise<void> {
  const since = performance.now();
  const { record: before } = await findSettledInvoice(ctx, invoice);
  const replayed = await replay();
  const isSame = (found: JsonObject | null) => found?.status === before?.status && !changedField(before, found);
  const { record: after, response } = await waitForInvoice(ctx, invoice.id, isSame, 'keeps its state');
  if (before && after && before.status !== after.status) {
    // The server may change the state spontaneously.
    await skipIfChangesSpontaneously(ctx, [invoice.state], observationTimeFor(performance.now() - since));
    const because = `the status is now ${String(after.status)}`;
    throw breach(ctx, response, `status ${String(before.status)}, as before the replay`, because, [replayed]);
  }
  const changed = changedField(before, after);
  if (!changed) return;
  const [then, now] = [before, after].map((record) => JSON.stringify(record?.[changed]));
  throw breach(ctx, response, `${changed} ${then}, as before the replay`, `${changed} is now ${now}`, [replayed]);
}

/** The first stable field in which two records differ. */
function changedField(before: JsonObject | null, after: JsonObject | null): (typeof STABLE_FIELDS)[number] | undefined {
  return STABLE_FIELDS.find((field) => before && after && field in before && before[field] !== after[field]);
}

/** Number of requests in one last-byte synchronization. */
const SIMULTANEOUS_REQUESTS = 8;

/** Sends identical creations concurrently. All accepted responses must show one invoice. */
async function createSimultaneously(ctx: CheckContext): Promise<RepeatedCreation> {
  const body = { ...validBody(ctx), requestId: ctx.createRequestId() };
  const responses = await postInvoicesSimultaneously(ctx, Array(SIMULTANEOUS_REQUESTS).fill(body));
  const good = responses.filter(isSuccess);
  const [first] = good;
  if (!first) {
    if (responses.some(isInvoiceNumberTaken))
      notApplicable('the server rejected every creation because its invoice number was taken');
    return await endWithoutCreation(ctx, responses[0] as ApiResponse);
  }
  const invoice = await resolveCreatedInvoice(ctx, body, first);
  const ids = new Set(good.map((each) => invoiceIn(each)?.id));
  expectThat(
    ctx,
    ids.size === 1,
    first,
    'one invoice in all accepted responses',
    `the accepted responses to ${SIMULTANEOUS_REQUESTS} identical creations show different invoices: ${[...ids].map((id) => id ?? 'no invoice').join(', ')}`,
  );
  return { body, invoice, last: first };
}

/** The server rejected all of several identical creations. */
async function endWithoutCreation(ctx: CheckContext, rejection: ApiResponse): Promise<never> {
  await expectCreated(ctx, rejection, `one of ${SIMULTANEOUS_REQUESTS} identical creations`);
  const expected = `one of ${SIMULTANEOUS_REQUESTS} identical creations accepted`;
  throw breach(ctx, rejection, expected, 'the server accepted none of them');
}

function skipIfOtherInvoiceCreated(replayed: ApiResponse, { id }: Invoice): void {
  const created = isSuccess(replayed) ? invoiceIn(replayed) : undefined;
  if (created && String(created.id) !== id)
    notApplicable('the replay with another body creates a new invoice', { judgedBy: 'IDEM-09.other-body' });
}

/** Throws a Breach if the invoice has a value of a replay with another body. */
async function expectNotOverwritten(ctx: CheckContext, invoice: Invoice, otherDescription: string): Promise<void> {
  const { amount, dueDate } = invoice.body;
  const isSame = (found: JsonObject | null) => found?.amount === amount && found.dueDate === dueDate;
  const { record, isMet, response } = await waitForInvoice(ctx, invoice.id, isSame, 'reads what was sent');
  const because = `the invoice now has amount ${String(record?.amount)} and dueDate ${String(record?.dueDate)}`;
  expectThat(ctx, isMet, response, `amount ${amount} and dueDate ${dueDate}, as created`, because);
  // The contract does not say how a description is returned, but it must not be the one of the replay.
  const overwritten = record?.description === otherDescription;
  const expected = 'the description as created, if the response has one';
  expectThat(ctx, !overwritten, response, expected, `the description is that of the replay: ${otherDescription}`);
}

export const singleInvoiceChecks: readonly Check[] = [
  checkInPhase('late', 'IDEM-02.late-duplicate', ['connection'], async (ctx) => {
    const { body, invoice, response } = await earlyCreation(ctx);
    const seen: JsonObject[] = [];
    // A duplicate would be newer than the original.
    for await (const { records } of newestPages(ctx)) {
      seen.push(...records);
      if (records.some(({ id }) => id === invoice.id)) break;
    }
    const copies = await replayDuplicatesOf(ctx, seen, body);
    const because = `the list shows ${copies.size}: ${[...copies].join(', ')}`;
    expectThat(ctx, copies.size < 2, response, `one invoice of requestId ${body.requestId}`, because);
    if (copies.size === 0) notApplicable(`invoice ${invoice.id} is no longer among the newest`);
  }),

  check('IDEM-02.one-invoice', ['connection'], async (ctx) => {
    await expectSingleInvoice(ctx, async () => {
      const first = await createOriginal(ctx);
      await postInvoice(ctx, first.body);
      return { ...first, last: await postInvoice(ctx, first.body) };
    });
  }),

  check('IDEM-02.all-fields', ['connection'], async (ctx) => {
    await expectSingleInvoice(ctx, async () => {
      const body = { ...validBody(ctx), ...(await optionalFields(ctx)) };
      const response = await postInvoice(ctx, body);
      await expectCreated(ctx, response, 'a creation with all declared fields');
      const invoice = await resolveCreatedInvoice(ctx, body, response);
      const last = await postInvoice(ctx, body);
      await trackOtherInvoice(ctx, body, invoice, last);
      return { body, invoice, last };
    });
  }),

  check('IDEM-02.simultaneous', ['connection'], async (ctx) => {
    for (let round = 0; round < 2; round += 1) await expectSingleInvoice(ctx, () => createSimultaneously(ctx));
  }),

  check('IDEM-02.unchanged', ['connection'], async (ctx) => {
    const { body, invoice } = await createOriginal(ctx);
    await expectUnchangedByReplay(ctx, invoice, () => postInvoice(ctx, body));
    const other = { ...validBody(ctx), requestId: body.requestId };
    const response = await postInvoice(ctx, other);
    skipIfOtherInvoiceCreated(response, invoice);
    await expectNotOverwritten(ctx, invoice, other.description);
  }),
];
