import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { maximalRequest } from '../../helpers/adaptation/maximal-request.ts';
import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { postInvoice } from '../../helpers/api/operations.ts';
import type { JsonObject } from '../../helpers/api/responses.ts';
import { invoiceIn, isSuccess } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import { bodyMark } from '../../helpers/context/run-mark.ts';
import { HUGE_AMOUNT, LARGE_AMOUNT, LOW_AMOUNT, MIN_AMOUNT } from '../../helpers/data/amounts.ts';
import { validBody } from '../../helpers/data/invoice-body.ts';
import { expectCreated, otherCurrency } from '../../helpers/fixtures/created-invoice.ts';
import {
  advanceInvoice,
  createOriginal,
  earlyCreation,
  expectOriginalResponse,
  expectReplayWithoutEffect,
  skipUnlessRemembered,
} from '../../helpers/idempotency/replay.ts';
import type { LifecycleReplay } from '../../helpers/idempotency/replays-per-state.ts';
import { isReplayWithoutEffect } from '../../helpers/idempotency/replays-per-state.ts';
import type { RepeatedCreation } from '../../helpers/idempotency/single-effect.ts';
import { expectSingleInvoice, trackOtherInvoice } from '../../helpers/idempotency/single-effect.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { hasLeftState, isCreatedFrom, newestInvoices, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import { actionsLeadingTo, resolveCreatedInvoice } from '../../helpers/invoices/invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/lifecycle.ts';
import { findActionPath, lifecycle } from '../../specs/lifecycle.ts';

/** The longest first: what is kept for replays may have less room than what is answered. */
const DESCRIPTION_LENGTHS = [2000, 450, 200];

/** The invoice has gone on to another state when the creation comes again. */
function replayAfterTransitionCheck(
  id: CheckId,
  needs: readonly InvoiceAction[],
  to: (from: InvoiceState) => InvoiceState | undefined,
  onTheWay?: LifecycleReplay,
): Check {
  return checkInPhase('late', id, ['connection', ...needs], async (ctx) => {
    if (onTheWay && (await isReplayWithoutEffect(ctx, onTheWay))) return;
    const { body, response, invoice } = await createOriginal(ctx);
    const state = to(invoice.state);
    const way = state && findActionPath(invoice.state, state);
    const unbound = way?.find((action) => !ctx.target.operations[action]);
    if (!way || unbound) return notApplicable(`no bound action leads a new invoice on from ${invoice.state}`);
    const status = await advanceInvoice(ctx, invoice, way);
    await expectReplayWithoutEffect(ctx, {
      first: response,
      replay: () => postInvoice(ctx, body),
      id: invoice.id,
      status,
    });
  });
}

/** A creation with whatever may go with it, repeated with and without; each answer is held against the original. */
async function repeatMaximalRequest(ctx: CheckContext): Promise<RepeatedCreation> {
  const { body: valid, headers } = await maximalRequest(ctx);
  // No longer than the others: how long one may be is not shown.
  const lettered = { ...valid, description: `Größe Ω ${bodyMark(valid)}` };
  const tried = await postInvoice(ctx, lettered, { headers });
  // Which letters a description may have is judged elsewhere.
  const body = isSuccess(tried) ? lettered : { ...valid, requestId: ctx.createRequestId() };
  const response = isSuccess(tried) ? tried : await postInvoice(ctx, body, { headers });
  await expectCreated(ctx, response, 'a creation with whatever may go with it');
  const invoice = await resolveCreatedInvoice(ctx, body, response);
  const turned = Object.fromEntries(Object.entries(body).reverse());
  // Whatever else the request carries, it is the same; one that is written otherwise may be refused as another.
  const again = [
    await postInvoice(ctx, body, { headers }),
    await postInvoice(ctx, body),
    await postInvoice(ctx, turned),
    await postInvoice(ctx, JSON.stringify(body, null, 2)),
  ];
  for (const each of again) await trackOtherInvoice(ctx, body, invoice, each);
  const [named, plain, ...written] = again;
  for (const each of [named, plain, ...written.filter(isSuccess)])
    if (each) expectOriginalResponse(ctx, response, each);
  return { body, invoice, last: again.at(-1) ?? response };
}

export const idempotencyCreationChecks: readonly Check[] = [
  check('IDEM-01.status', ['connection'], async (ctx) => {
    const { body, response } = await earlyCreation(ctx);
    const again = await postInvoice(ctx, body);
    expectThat(
      ctx,
      again.status === response.status,
      again,
      `the original status ${response.status}`,
      `answered with ${again.status}`,
    );
  }),

  check('IDEM-01.invoice', ['connection'], async (ctx) => {
    const { body, response } = await createOriginal(ctx);
    expectOriginalResponse(ctx, response, await postInvoice(ctx, body));
    // Nor is it another request for naming the environment that the key is of.
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
        // Of what sums an invoice may be is judged elsewhere.
        if (!isSuccess(response)) return false;
        const invoice = await resolveCreatedInvoice(ctx, body, response);
        const again = await postInvoice(ctx, body);
        const created = isSuccess(again) ? invoiceIn(again) : undefined;
        if (created && String(created.id) !== invoice.id) await resolveCreatedInvoice(ctx, body, again);
        expectOriginalResponse(ctx, response, again);
        return true;
      }),
    );
    if (!tried.includes(true)) notApplicable('no invoice of an unusual sum is accepted');
  }),

  check('IDEM-01.long-request-id', ['connection'], async (ctx) => {
    const body = { ...validBody(ctx), requestId: ctx.createRequestId().padEnd(100, '0') };
    const response = await postInvoice(ctx, body);
    if (response.status === 400) notApplicable('a requestId of 100 characters is refused');
    await expectCreated(ctx, response, 'a creation with a requestId of 100 characters');
    await resolveCreatedInvoice(ctx, body, response);
    expectOriginalResponse(ctx, response, await postInvoice(ctx, body));
  }),

  check('IDEM-01.long-description', ['connection'], async (ctx) => {
    for (const length of DESCRIPTION_LENGTHS) {
      const valid = { ...validBody(ctx), requestId: ctx.createRequestId() };
      const body = { ...valid, description: `${valid.description} `.padEnd(length, 'long text ').trim() };
      const response = await postInvoice(ctx, body);
      // How long a description may be is not shown.
      if (!isSuccess(response)) continue;
      await resolveCreatedInvoice(ctx, body, response);
      const again = await postInvoice(ctx, body);
      const created = isSuccess(again) ? invoiceIn(again) : undefined;
      if (created && String(created.id) !== String(invoiceIn(response)?.id))
        await resolveCreatedInvoice(ctx, body, again);
      return expectOriginalResponse(ctx, response, again);
    }
    notApplicable(`no description of ${DESCRIPTION_LENGTHS.at(-1)} characters is accepted`);
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

  replayAfterTransitionCheck('IDEM-01.after-cancel', actionsLeadingTo('CANCELLED'), () => 'CANCELLED'),

  replayAfterTransitionCheck('IDEM-01.after-dispute', actionsLeadingTo('DISPUTED'), () => 'DISPUTED'),

  replayAfterTransitionCheck(
    'IDEM-01.after-settlement',
    actionsLeadingTo('SETTLED'),
    () => 'SETTLED',
    'creation, settled',
  ),

  check('IDEM-01.after-delete', ['connection', 'delete'], async (ctx) => {
    const { body, response, invoice } = await createOriginal(ctx);
    if (invoice.state !== 'DRAFT') return notApplicable('no invoice is ever a DRAFT');
    const deleted = await performAction(ctx, 'delete', invoice.id);
    if (!isSuccess(deleted)) notApplicable('delete is refused; LIFE-01 judges that');
    const { record } = await waitForInvoice(ctx, invoice.id, hasLeftState('DRAFT', true));
    if (!record) ctx.run.recordDeleted(invoice.id);
    const again = await postInvoice(ctx, body);
    const created = invoiceIn(again);
    if (created && String(created.id) !== invoice.id) await resolveCreatedInvoice(ctx, body, again);
    expectOriginalResponse(ctx, response, again);
    if (record) return;
    // A copy of the data that is behind may show it once more. A deletion may cancel, and the copy may not have had the invoice yet.
    const isGone = (found: JsonObject | null) => !found || found.status === 'CANCELLED';
    const { record: back, held, response: seen } = await waitForInvoice(ctx, invoice.id, isGone);
    const because = `it is ${String(back?.status)}`;
    expectThat(ctx, held, seen, `no invoice ${invoice.id}, which was deleted before the replay`, because);
  }),

  check('IDEM-01.after-rejection', ['connection'], async (ctx) => {
    const requestId = ctx.createRequestId();
    const { amount: _, ...incomplete } = validBody(ctx);
    const refused = await postInvoice(ctx, { ...incomplete, requestId });
    if (isSuccess(refused)) notApplicable('the incomplete original was accepted; CREATE-02 judges that');
    const body = { ...validBody(ctx), requestId };
    const response = await postInvoice(ctx, body);
    if (!isSuccess(response)) notApplicable('a requestId is used up by a refusal here; IDEM-12 judges that');
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
    // What is answered as a replay is the original response, and none of what the repetition says.
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
    );
  }),

  check('IDEM-09.other-currency', ['connection'], async (ctx) => {
    const currency = await otherCurrency(ctx);
    if (!currency) return notApplicable('no other currency is accepted');
    await expectSingleInvoice(ctx, async () => {
      const { body, invoice } = await createOriginal(ctx);
      const last = await postInvoice(ctx, { ...body, currency });
      const another = await trackOtherInvoice(ctx, { ...body, currency }, invoice, last);
      const expected = 'no new invoice for a repeated requestId';
      expectThat(ctx, another === null, last, expected, `invoice ${another} was created`);
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
      'the replayed body differs',
    );
  }),
];
