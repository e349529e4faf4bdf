import { isInvoiceNumberTaken } from '../../helpers/api/error-codes.ts';
import { postInvoice, postInvoicesSimultaneously } from '../../helpers/api/operations.ts';
import type { ApiResponse, JsonObject } from '../../helpers/api/responses.ts';
import { INVOICE_FIELDS, invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { breach, expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { observationTimeFor, skipIfChangesSpontaneously } from '../../helpers/controls/spontaneous-change.ts';
import { replayDuplicatesOf } from '../../helpers/creation/own-duplicates.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { expectCreated, optionalFields } from '../../helpers/fixtures/created-invoice.ts';
import { createOriginal, earlyCreation } from '../../helpers/idempotency/replay.ts';
import type { RepeatedCreation } from '../../helpers/idempotency/single-effect.ts';
import { expectSingleInvoice, trackOtherInvoice } from '../../helpers/idempotency/single-effect.ts';
import { findSettledInvoice, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import { resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import { newestPages } from '../../helpers/invoices/list-page.ts';

/** What an invoice keeps whatever state it comes to; of createdAt a stored one may have fewer digits. */
const STABLE_FIELDS = INVOICE_FIELDS.filter((field) => field !== 'status' && field !== 'createdAt');

/** A replay changes nothing of the invoice. */
async function expectUnchangedByReplay(
  ctx: CheckContext,
  invoice: Invoice,
  replay: () => Promise<ApiResponse>,
): Promise<void> {
  const since = performance.now();
  const { record: before } = await findSettledInvoice(ctx, invoice);
  const replayed = await replay();
  const isSame = (found: JsonObject | null) => found?.status === before?.status && !changedField(before, found);
  const { record: after, response } = await waitForInvoice(ctx, invoice.id, isSame);
  if (before && after && before.status !== after.status) {
    // Some move on without anybody's doing.
    await skipIfChangesSpontaneously(ctx, [invoice.state], observationTimeFor(performance.now() - since));
    const because = `it is ${String(after.status)} now`;
    throw breach(ctx, response, `status ${String(before.status)}, as before the replay`, because, [replayed]);
  }
  const changed = changedField(before, after);
  if (!changed) return;
  const [then, now] = [before, after].map((record) => JSON.stringify(record?.[changed]));
  throw breach(ctx, response, `${changed} ${then}, as before the replay`, `it is ${now}`, [replayed]);
}

/** A lasting field in which two records differ. */
function changedField(before: JsonObject | null, after: JsonObject | null): (typeof STABLE_FIELDS)[number] | undefined {
  return STABLE_FIELDS.find((field) => before && after && field in before && before[field] !== after[field]);
}

/** Requests that arrive at the same moment. */
const SIMULTANEOUS_REQUESTS = 20;

/** Equal creations at the same moment: those that are accepted name one invoice. */
async function createSimultaneously(ctx: CheckContext): Promise<RepeatedCreation> {
  const body = { ...validBody(ctx), requestId: ctx.createRequestId() };
  const responses = await postInvoicesSimultaneously(ctx, Array(SIMULTANEOUS_REQUESTS).fill(body));
  const good = responses.filter(isSuccess);
  const [first] = good;
  if (!first) {
    if (responses.some(isInvoiceNumberTaken)) notApplicable('its number was taken each time');
    await expectCreated(ctx, responses[0] as ApiResponse, `one of ${SIMULTANEOUS_REQUESTS} equal creations`);
    throw breach(
      ctx,
      responses[0] as ApiResponse,
      `one of ${SIMULTANEOUS_REQUESTS} equal creations accepted`,
      'none was',
    );
  }
  const invoice = await resolveCreatedInvoice(ctx, body, first);
  const ids = new Set(good.map((each) => invoiceIn(each)?.id));
  expectThat(ctx, ids.size === 1, first, 'one invoice in all accepted answers', `there are ${[...ids].join(', ')}`);
  return { body, invoice, last: first };
}

export const singleInvoiceChecks: readonly Check[] = [
  checkInPhase('late', 'IDEM-02.late-duplicate', ['connection'], async (ctx) => {
    const { body, invoice, response } = await earlyCreation(ctx);
    const seen: JsonObject[] = [];
    // A second one would be newer than the first.
    for await (const { records } of newestPages(ctx)) {
      seen.push(...records);
      if (records.some(({ id }) => id === invoice.id)) break;
    }
    const copies = await replayDuplicatesOf(ctx, seen, body);
    const because = `there are ${copies.size}: ${[...copies].join(', ')}`;
    expectThat(ctx, copies.size < 2, response, `one invoice of requestId ${body.requestId}`, because);
    if (copies.size === 0) notApplicable(`invoice ${invoice.id} is not among the newest any more`);
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
    for (let volley = 0; volley < 2; volley += 1) await expectSingleInvoice(ctx, () => createSimultaneously(ctx));
  }),

  check('IDEM-02.unchanged', ['connection'], async (ctx) => {
    const { body, invoice } = await createOriginal(ctx);
    await expectUnchangedByReplay(ctx, invoice, () => postInvoice(ctx, body));
    const other = { ...validBody(ctx), requestId: body.requestId };
    const response = await postInvoice(ctx, other);
    const created = isSuccess(response) ? invoiceIn(response) : undefined;
    if (created && String(created.id) !== invoice.id) notApplicable('it makes a new invoice; IDEM-09 judges that');
    const {
      record,
      held,
      response: seen,
    } = await waitForInvoice(
      ctx,
      invoice.id,
      (found) => found?.amount === body.amount && found.dueDate === body.dueDate,
    );
    const because = `it has amount ${String(record?.amount)}, due ${String(record?.dueDate)} now`;
    expectThat(ctx, held, seen, `amount ${body.amount} and dueDate ${body.dueDate}, as created`, because);
    // Whether and how a description is returned is not shown; that of the replay is none of this invoice.
    const overwritten = record?.description === other.description;
    expectThat(
      ctx,
      !overwritten,
      seen,
      'the description as created, if any',
      `it is that of the replay: ${other.description}`,
    );
  }),
];
