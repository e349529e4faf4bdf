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
  return checkInPhase('late', id, ['connection', ...needs], async (lab) => {
    if (onTheWay && (await isReplayWithoutEffect(lab, onTheWay))) return;
    const { body, response: answer, invoice } = await createOriginal(lab);
    const state = to(invoice.state);
    const way = state && findActionPath(invoice.state, state);
    const unbound = way?.find((action) => !lab.target.operations[action]);
    if (!way || unbound) return notApplicable(`no bound action leads a new invoice on from ${invoice.state}`);
    const status = await advanceInvoice(lab, invoice, way);
    await expectReplayWithoutEffect(lab, {
      first: answer,
      replay: () => postInvoice(lab, body),
      id: invoice.id,
      status,
    });
  });
}

/** A creation with whatever may go with it, repeated with and without; each answer is held against the original. */
async function repeatMaximalRequest(lab: CheckContext): Promise<RepeatedCreation> {
  const { body: valid, headers } = await maximalRequest(lab);
  // No longer than the others: how long one may be is not shown.
  const lettered = { ...valid, description: `Größe Ω ${bodyMark(valid)}` };
  const tried = await postInvoice(lab, lettered, { headers });
  // Which letters a description may have is judged elsewhere.
  const body = isSuccess(tried) ? lettered : { ...valid, requestId: lab.createRequestId() };
  const answer = isSuccess(tried) ? tried : await postInvoice(lab, body, { headers });
  await expectCreated(lab, answer, 'a creation with whatever may go with it');
  const invoice = await resolveCreatedInvoice(lab, body, answer);
  const turned = Object.fromEntries(Object.entries(body).reverse());
  // Whatever else the request carries, it is the same; one that is written otherwise may be refused as another.
  const again = [
    await postInvoice(lab, body, { headers }),
    await postInvoice(lab, body),
    await postInvoice(lab, turned),
    await postInvoice(lab, JSON.stringify(body, null, 2)),
  ];
  for (const each of again) await trackOtherInvoice(lab, body, invoice, each);
  const [named, plain, ...written] = again;
  for (const each of [named, plain, ...written.filter(isSuccess)]) if (each) expectOriginalResponse(lab, answer, each);
  return { body, invoice, last: again.at(-1) ?? answer };
}

export const idempotencyCreationChecks: readonly Check[] = [
  check('IDEM-01.status', ['connection'], async (lab) => {
    const { body, response: answer } = await earlyCreation(lab);
    const again = await postInvoice(lab, body);
    expectThat(
      lab,
      again.status === answer.status,
      again,
      `the original status ${answer.status}`,
      `answered with ${again.status}`,
    );
  }),

  check('IDEM-01.invoice', ['connection'], async (lab) => {
    const { body, response: answer } = await createOriginal(lab);
    expectOriginalResponse(lab, answer, await postInvoice(lab, body));
    // Nor is it another request for naming the environment that the key is of.
    expectOriginalResponse(lab, answer, await postInvoice(lab, body, { headers: sandboxHeader }));
  }),

  check('IDEM-01.uuid', ['connection'], async (lab) => {
    for (const requestId of [randomUUID(), randomUUID().toUpperCase()]) {
      const { body, response: answer } = await createOriginal(lab, requestId);
      expectOriginalResponse(lab, answer, await postInvoice(lab, body));
    }
  }),

  check('IDEM-01.amounts', ['connection'], async (lab) => {
    const tried = await Promise.all(
      [MIN_AMOUNT, LOW_AMOUNT, LARGE_AMOUNT, HUGE_AMOUNT].map(async (amount) => {
        const body = { ...validBody(lab), amount, requestId: lab.createRequestId() };
        const answer = await postInvoice(lab, body);
        // Of what sums an invoice may be is judged elsewhere.
        if (!isSuccess(answer)) return false;
        const invoice = await resolveCreatedInvoice(lab, body, answer);
        const again = await postInvoice(lab, body);
        const created = isSuccess(again) ? invoiceIn(again) : undefined;
        if (created && String(created.id) !== invoice.id) await resolveCreatedInvoice(lab, body, again);
        expectOriginalResponse(lab, answer, again);
        return true;
      }),
    );
    if (!tried.includes(true)) notApplicable('no invoice of an unusual sum is accepted');
  }),

  check('IDEM-01.long-request-id', ['connection'], async (lab) => {
    const body = { ...validBody(lab), requestId: lab.createRequestId().padEnd(100, '0') };
    const answer = await postInvoice(lab, body);
    if (answer.status === 400) notApplicable('a requestId of 100 characters is refused');
    await expectCreated(lab, answer, 'a creation with a requestId of 100 characters');
    await resolveCreatedInvoice(lab, body, answer);
    expectOriginalResponse(lab, answer, await postInvoice(lab, body));
  }),

  check('IDEM-01.long-description', ['connection'], async (lab) => {
    for (const length of DESCRIPTION_LENGTHS) {
      const valid = { ...validBody(lab), requestId: lab.createRequestId() };
      const body = { ...valid, description: `${valid.description} `.padEnd(length, 'long text ').trim() };
      const answer = await postInvoice(lab, body);
      // How long a description may be is not shown.
      if (!isSuccess(answer)) continue;
      await resolveCreatedInvoice(lab, body, answer);
      const again = await postInvoice(lab, body);
      const created = isSuccess(again) ? invoiceIn(again) : undefined;
      if (created && String(created.id) !== String(invoiceIn(answer)?.id))
        await resolveCreatedInvoice(lab, body, again);
      return expectOriginalResponse(lab, answer, again);
    }
    notApplicable(`no description of ${DESCRIPTION_LENGTHS.at(-1)} characters is accepted`);
  }),

  check('IDEM-01.all-fields', ['connection'], async (lab) => {
    await expectSingleInvoice(lab, () => repeatMaximalRequest(lab));
  }),

  checkInPhase('late', 'IDEM-01.late', ['connection'], async (lab) => {
    const { body, response: answer } = await earlyCreation(lab);
    skipUnlessRemembered(answer);
    expectOriginalResponse(lab, answer, await postInvoice(lab, body));
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

  check('IDEM-01.after-delete', ['connection', 'delete'], async (lab) => {
    const { body, response: answer, invoice } = await createOriginal(lab);
    if (invoice.state !== 'DRAFT') return notApplicable('no invoice is ever a DRAFT');
    const deleted = await performAction(lab, 'delete', invoice.id);
    if (!isSuccess(deleted)) notApplicable('delete is refused; LIFE-01 judges that');
    const { record } = await waitForInvoice(lab, invoice.id, hasLeftState('DRAFT', true));
    if (!record) lab.run.recordDeleted(invoice.id);
    const again = await postInvoice(lab, body);
    const created = invoiceIn(again);
    if (created && String(created.id) !== invoice.id) await resolveCreatedInvoice(lab, body, again);
    expectOriginalResponse(lab, answer, again);
    if (record) return;
    // A copy of the data that is behind may show it once more. A deletion may cancel, and the copy may not have had the invoice yet.
    const isGone = (found: JsonObject | null) => !found || found.status === 'CANCELLED';
    const { record: back, held, response: seen } = await waitForInvoice(lab, invoice.id, isGone);
    const because = `it is ${String(back?.status)}`;
    expectThat(lab, held, seen, `no invoice ${invoice.id}, which was deleted before the replay`, because);
  }),

  check('IDEM-01.after-rejection', ['connection'], async (lab) => {
    const requestId = lab.createRequestId();
    const { amount: _, ...incomplete } = validBody(lab);
    const refused = await postInvoice(lab, { ...incomplete, requestId });
    if (isSuccess(refused)) notApplicable('the incomplete original was accepted; CREATE-02 judges that');
    const body = { ...validBody(lab), requestId };
    const answer = await postInvoice(lab, body);
    if (!isSuccess(answer)) notApplicable('a requestId is used up by a refusal here; IDEM-12 judges that');
    const invoice = await resolveCreatedInvoice(lab, body, answer);
    const again = await postInvoice(lab, body);
    const created = isSuccess(again) ? invoiceIn(again) : undefined;
    if (created && String(created.id) !== invoice.id) await resolveCreatedInvoice(lab, body, again);
    expectOriginalResponse(lab, answer, again);
  }),

  check('IDEM-09.other-body', ['connection'], async (lab) => {
    const { body, invoice, response: first } = await createOriginal(lab);
    const other = { ...validBody(lab), requestId: body.requestId };
    const answer = await postInvoice(lab, other);
    lab.observe('replay-other-body', answer.status);
    // What is answered as a replay is the original response, and none of what the repetition says.
    if (isSuccess(answer) && String(invoiceIn(answer)?.id) === invoice.id) expectOriginalResponse(lab, first, answer);
    const { records } = await newestInvoices(lab);
    const created = records.find((record) => isCreatedFrom(record, other));
    if (created) await resolveCreatedInvoice(lab, other, answer);
    expectThat(
      lab,
      !created,
      answer,
      'no new invoice for a repeated requestId',
      `invoice ${String(created?.id)} was created`,
    );
  }),

  check('IDEM-09.other-currency', ['connection'], async (lab) => {
    const currency = await otherCurrency(lab);
    if (!currency) return notApplicable('no other currency is accepted');
    await expectSingleInvoice(lab, async () => {
      const { body, invoice } = await createOriginal(lab);
      const last = await postInvoice(lab, { ...body, currency });
      const another = await trackOtherInvoice(lab, { ...body, currency }, invoice, last);
      const expected = 'no new invoice for a repeated requestId';
      expectThat(lab, another === null, last, expected, `invoice ${another} was created`);
      return { body, invoice, last };
    });
  }),

  check('IDEM-10.whole-body', ['connection'], async (lab) => {
    const { body, response: answer } = await createOriginal(lab);
    const again = await postInvoice(lab, body);
    expectThat(
      lab,
      isDeepStrictEqual(again.json, answer.json),
      again,
      `the original body ${answer.text}`,
      'the replayed body differs',
    );
  }),
];
