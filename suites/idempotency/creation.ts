import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { postInvoice } from '../../helpers/api/operations.ts';
import { invoiceIn, isSuccess, type JsonObject } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { HUGE_AMOUNT, LARGE_AMOUNT, LOW_AMOUNT, MIN_AMOUNT } from '../../helpers/data/amounts.ts';
import { isCreatedFrom, validBody } from '../../helpers/data/invoice-body.ts';
import { expectCreated, otherCurrency } from '../../helpers/fixtures/created-invoice.ts';
import { repeatMaximalRequest } from '../../helpers/idempotency/maximal-replay.ts';
import {
  createOriginal,
  earlyCreation,
  expectOriginalResponse,
  skipUnlessRemembered,
} from '../../helpers/idempotency/replay.ts';
import { expectSingleInvoice, showsNoOther, trackOtherInvoice } from '../../helpers/idempotency/single-effect.ts';
import { replayAfterTransitionCheck } from '../../helpers/idempotency/transition-replay.ts';
import { performOnNewInvoice } from '../../helpers/invoices/action-on-new-invoice.ts';
import { newestInvoices, waitForInvoice, waitUntilLeft } from '../../helpers/invoices/find-invoice.ts';
import { needsToReach, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import { lifecycle } from '../../specs/contract/lifecycle.ts';

/** In characters, the longest first. A server may truncate what it stores for replays. */
const DESCRIPTION_LENGTHS = [2000, 450, 200];

export const idempotencyCreationChecks: readonly Check[] = [
  check('IDEM-01.status', ['connection'], async (ctx) => {
    const { body, response } = await earlyCreation(ctx);
    const again = await postInvoice(ctx, body);
    expectThat(
      ctx,
      again.status === response.status,
      again,
      `the original status ${response.status}`,
      `the replay returned ${again.status}`,
      { sameAs: response.exchange },
    );
  }),

  check('IDEM-01.invoice', ['connection'], async (ctx) => {
    const { body, response } = await createOriginal(ctx);
    expectOriginalResponse(ctx, response, await postInvoice(ctx, body));
    // X-Environment with the key's own environment does not make it a different request.
    expectOriginalResponse(ctx, response, await postInvoice(ctx, body, { headers: sandboxHeader }));
  }),

  check('IDEM-01.uuid', ['connection'], async (ctx) => {
    for (const requestId of [randomUUID(), randomUUID().toUpperCase()]) {
      const { body, response } = await createOriginal(ctx, requestId);
      expectOriginalResponse(ctx, response, await postInvoice(ctx, body));
    }
  }),

  check('IDEM-01.amounts', ['connection'], async (ctx) => {
    const tried = await Promise.all(
      [MIN_AMOUNT, LOW_AMOUNT, LARGE_AMOUNT, HUGE_AMOUNT].map(async (amount) => {
        const body = { ...validBody(ctx), amount, requestId: ctx.createRequestId() };
        const response = await postInvoice(ctx, body);
        // The accepted amounts are judged by the CREATE checks.
        if (!isSuccess(response)) return false;
        const invoice = await resolveCreatedInvoice(ctx, body, response);
        const again = await postInvoice(ctx, body);
        const created = isSuccess(again) ? invoiceIn(again) : undefined;
        if (created && String(created.id) !== invoice.id) await resolveCreatedInvoice(ctx, body, again);
        expectOriginalResponse(ctx, response, again);
        return true;
      }),
    );
    if (!tried.includes(true)) notApplicable('the server accepts no invoice with a very small or very large amount');
  }),

  check('IDEM-01.long-request-id', ['connection'], async (ctx) => {
    const body = { ...validBody(ctx), requestId: ctx.createRequestId().padEnd(100, '0') };
    const response = await postInvoice(ctx, body);
    if (response.status === 400) notApplicable('the server rejects a requestId of 100 characters');
    await expectCreated(ctx, response, 'a creation with a requestId of 100 characters');
    await resolveCreatedInvoice(ctx, body, response);
    expectOriginalResponse(ctx, response, await postInvoice(ctx, body));
  }),

  check('IDEM-01.long-description', ['connection'], async (ctx) => {
    for (const length of DESCRIPTION_LENGTHS) {
      const valid = { ...validBody(ctx), requestId: ctx.createRequestId() };
      const body = { ...valid, description: `${valid.description} `.padEnd(length, 'long text ').trim() };
      const response = await postInvoice(ctx, body);
      // The contract sets no maximum length for a description.
      if (!isSuccess(response)) continue;
      await resolveCreatedInvoice(ctx, body, response);
      const again = await postInvoice(ctx, body);
      const created = isSuccess(again) ? invoiceIn(again) : undefined;
      if (created && String(created.id) !== String(invoiceIn(response)?.id))
        await resolveCreatedInvoice(ctx, body, again);
      return expectOriginalResponse(ctx, response, again);
    }
    notApplicable(`the server accepts no description of ${DESCRIPTION_LENGTHS.at(-1)} characters or more`);
  }),

  check('IDEM-01.all-fields', ['connection'], async (ctx) => {
    await expectSingleInvoice(ctx, () => repeatMaximalRequest(ctx));
  }),

  checkInPhase('late', 'IDEM-01.late', ['connection'], async (ctx) => {
    const { body, response } = await earlyCreation(ctx);
    skipUnlessRemembered(response);
    expectOriginalResponse(ctx, response, await postInvoice(ctx, body));
  }),

  replayAfterTransitionCheck('IDEM-01.after-transition', [], (from) => {
    const next = lifecycle.offered[from].find((action) => lifecycle.leadsTo[action]);
    return next && lifecycle.leadsTo[next];
  }),

  replayAfterTransitionCheck('IDEM-01.after-cancel', needsToReach('CANCELLED'), () => 'CANCELLED'),

  replayAfterTransitionCheck('IDEM-01.after-dispute', needsToReach('DISPUTED'), () => 'DISPUTED'),

  replayAfterTransitionCheck('IDEM-01.after-settlement', needsToReach('SETTLED'), () => 'SETTLED', 'creation, settled'),

  check('IDEM-01.after-delete', ['connection', 'delete'], async (ctx) => {
    let original = await createOriginal(ctx);
    if (original.invoice.state !== 'DRAFT') return notApplicable('a new invoice is not a DRAFT');
    const made = [original];
    const { response: deleted } = await performOnNewInvoice(ctx, 'delete', async (ctx) => {
      original = made.pop() ?? (await createOriginal(ctx));
      return original.invoice;
    });
    const { body, response, invoice } = original;
    if (!isSuccess(deleted))
      notApplicable('the server rejects the delete action', { judgedBy: 'LIFE-01.draft-delete' });
    const { record } = await waitUntilLeft(ctx, invoice.id, { from: 'DRAFT', by: 'delete', mayBeGone: true });
    if (!record) ctx.run.leftovers.recordDeleted(invoice.id);
    const again = await postInvoice(ctx, body);
    const created = invoiceIn(again);
    if (created && String(created.id) !== invoice.id) await resolveCreatedInvoice(ctx, body, again);
    expectOriginalResponse(ctx, response, again);
    if (record) return;
    // A stale read may show the invoice once more. A deletion may also cancel the invoice instead.
    const isGone = (found: JsonObject | null) => !found || found.status === 'CANCELLED';
    const {
      record: back,
      isMet,
      response: seen,
    } = await waitForInvoice(ctx, invoice.id, isGone, 'ends a deleted draft');
    const because = `the invoice exists with status ${String(back?.status)}`;
    expectThat(ctx, isMet, seen, `no invoice ${invoice.id}, which was deleted before the replay`, because);
  }),

  check('IDEM-01.after-rejection', ['connection'], async (ctx) => {
    const requestId = ctx.createRequestId();
    const { amount: _, ...incomplete } = validBody(ctx);
    const rejected = await postInvoice(ctx, { ...incomplete, requestId });
    if (isSuccess(rejected))
      notApplicable('the server accepted the incomplete original', { judgedBy: 'CREATE-02.amount' });
    const body = { ...validBody(ctx), requestId };
    const response = await postInvoice(ctx, body);
    if (!isSuccess(response))
      notApplicable('the server does not accept a requestId after a rejection', {
        judgedBy: 'IDEM-12.after-rejection',
      });
    const invoice = await resolveCreatedInvoice(ctx, body, response);
    const again = await postInvoice(ctx, body);
    const created = isSuccess(again) ? invoiceIn(again) : undefined;
    if (created && String(created.id) !== invoice.id) await resolveCreatedInvoice(ctx, body, again);
    expectOriginalResponse(ctx, response, again);
  }),

  check('IDEM-09.other-body', ['connection'], async (ctx) => {
    const { body, invoice, response: first } = await createOriginal(ctx);
    const other = { ...validBody(ctx), requestId: body.requestId };
    const response = await postInvoice(ctx, other);
    ctx.observe('replay-other-body', response.status);
    // If the server treats it as a replay, the response is the original one and has no values of the second body.
    if (isSuccess(response) && String(invoiceIn(response)?.id) === invoice.id)
      expectOriginalResponse(ctx, first, response);
    const { records } = await newestInvoices(ctx);
    const created = records.find((record) => isCreatedFrom(record, other));
    if (created) await resolveCreatedInvoice(ctx, other, response);
    expectThat(
      ctx,
      !created,
      response,
      'no new invoice for a repeated requestId',
      `invoice ${String(created?.id)} was created`,
      showsNoOther(response, invoice),
    );
  }),

  check('IDEM-09.other-currency', ['connection'], async (ctx) => {
    const currency = await otherCurrency(ctx);
    if (!currency) return notApplicable('the server accepts no other currency');
    await expectSingleInvoice(ctx, async () => {
      const { body, invoice } = await createOriginal(ctx);
      const last = await postInvoice(ctx, { ...body, currency });
      const another = await trackOtherInvoice(ctx, { ...body, currency }, invoice, last);
      const expected = 'no new invoice for a repeated requestId';
      const because = `invoice ${another} was created`;
      expectThat(ctx, another === null, last, expected, because, showsNoOther(last, invoice));
      return { body, invoice, last };
    });
  }),

  check('IDEM-10.whole-body', ['connection'], async (ctx) => {
    const { body, response } = await createOriginal(ctx);
    const again = await postInvoice(ctx, body);
    expectThat(
      ctx,
      isDeepStrictEqual(again.json, response.json),
      again,
      `the original body ${response.text}`,
      'the body of the replay differs',
    );
  }),
];
