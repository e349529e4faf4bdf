import { resolvedDisputeHistory } from '../../helpers/adaptation/invoice-variants.ts';
import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { replayedSubmission } from '../../helpers/authentication/rejected-replays.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { sharedResult } from '../../helpers/context/shared-result.ts';
import {
  advanceInvoice,
  expectOriginalResponse,
  expectReplayWithoutEffect,
  skipUnlessRemembered,
} from '../../helpers/idempotency/replay.ts';
import { submitWithRequestId } from '../../helpers/idempotency/replayable-submission.ts';
import { isReplayWithoutEffect, type LifecycleReplay } from '../../helpers/idempotency/state-replays.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { waitUntilLeft } from '../../helpers/invoices/find-invoice.ts';
import { isInvoiceState, recordInvoiceState } from '../../helpers/invoices/invoices.ts';
import type { InvoiceAction } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** The shared submission of an invoice whose creation also had a requestId. */
const earlySubmission = sharedResult((ctx) => submitWithRequestId(ctx, { requestId: ctx.createRequestId() }));

/** Replays the submission after the invoice has changed its state. */
function replayAfterActionsCheck(id: CheckId, actionPath: readonly InvoiceAction[], onTheWay?: LifecycleReplay): Check {
  return checkInPhase('late', id, ['connection', 'submit', ...actionPath], async (ctx) => {
    if (onTheWay && (await isReplayWithoutEffect(ctx, onTheWay))) return;
    const { invoice, first, replay: again } = await submitWithRequestId(ctx);
    const status = await advanceInvoice(ctx, invoice, actionPath);
    await expectReplayWithoutEffect(ctx, { first, replay: () => again(ctx), id: invoice.id, status });
  });
}

export const idempotencySubmissionChecks: readonly Check[] = [
  check('IDEM-03.environment', ['connection', 'submit'], async (ctx) => {
    const { first, replay: again } = await replayedSubmission(ctx);
    expectOriginalResponse(ctx, first, await again(ctx, { headers: sandboxHeader }));
  }),

  check('IDEM-03.original-response', ['connection', 'submit'], async (ctx) => {
    const { first, replay: again } = await earlySubmission(ctx);
    expectOriginalResponse(ctx, first, await again(ctx));
  }),

  checkInPhase('late', 'IDEM-03.late', ['connection', 'submit'], async (ctx) => {
    const { first, replay: again } = await earlySubmission(ctx);
    skipUnlessRemembered(first);
    expectOriginalResponse(ctx, first, await again(ctx));
  }),

  replayAfterActionsCheck('IDEM-03.after-approval', ['approve'], 'submission, approved'),

  replayAfterActionsCheck('IDEM-03.after-cancel', ['cancel']),

  replayAfterActionsCheck('IDEM-03.after-dispute', ['dispute']),

  checkInPhase('late', 'IDEM-03.after-resolution', ['connection', 'submit', 'dispute', 'resolve'], async (ctx) => {
    const { invoice, first, replay: again } = await submitWithRequestId(ctx);
    await advanceInvoice(ctx, invoice, ['dispute']);
    if (!isSuccess(await performAction(ctx, 'resolve', invoice.id)))
      notApplicable('the server rejects the resolve action', { judgedBy: 'LIFE-01.disputed-resolve' });
    // The contract does not say which state a resolution leads to.
    const { record, isMet } = await waitUntilLeft(ctx, invoice.id, { from: 'DISPUTED', by: 'resolve' });
    if (!isMet) notApplicable('the server leaves the invoice DISPUTED after a resolution');
    const status = record && String(record.status);
    if (isInvoiceState(status)) recordInvoiceState(ctx, { id: invoice.id, state: status });
    await expectReplayWithoutEffect(ctx, {
      first,
      replay: () => again(ctx),
      id: invoice.id,
      status,
      isLearned: true,
      invoice: { ...invoice, history: resolvedDisputeHistory(ctx) },
    });
  }),

  replayAfterActionsCheck('IDEM-03.after-settlement', ['approve', 'settle'], 'submission, settled'),
];
