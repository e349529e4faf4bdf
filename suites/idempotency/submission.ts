import { resolvedDisputeHistory } from '../../helpers/adaptation/invoice-variants.ts';
import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { replayedSubmission } from '../../helpers/authentication/rejected-replays.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkInPhase } from '../../helpers/context/check.ts';
import type { CheckContext } from '../../helpers/context/check-context.ts';
import {
  advanceInvoice,
  expectOriginalResponse,
  expectReplayWithoutEffect,
  skipUnlessRemembered,
} from '../../helpers/idempotency/replay.ts';
import { submitWithRequestId } from '../../helpers/idempotency/replayable-submission.ts';
import type { LifecycleReplay } from '../../helpers/idempotency/replays-per-state.ts';
import { isReplayWithoutEffect } from '../../helpers/idempotency/replays-per-state.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { hasLeftState, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import { isInvoiceState, recordInvoiceState } from '../../helpers/invoices/invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';

/** Of an invoice whose creation had a createRequestId of its own. */
const earlySubmission = (lab: CheckContext) =>
  lab.run.memoize('early submission', () => submitWithRequestId(lab, { requestId: lab.createRequestId() }));

/** The invoice has gone on when the submission comes again. */
function replayAfterActionsCheck(id: CheckId, way: readonly InvoiceAction[], onTheWay?: LifecycleReplay): Check {
  return checkInPhase('late', id, ['connection', 'submit', ...way], async (lab) => {
    if (onTheWay && (await isReplayWithoutEffect(lab, onTheWay))) return;
    const { invoice, first, replay: again } = await submitWithRequestId(lab);
    const status = await advanceInvoice(lab, { ...invoice, state: 'SUBMITTED' }, way);
    await expectReplayWithoutEffect(lab, { first, replay: () => again(lab), id: invoice.id, status });
  });
}

export const idempotencySubmissionChecks: readonly Check[] = [
  check('IDEM-03.environment', ['connection', 'submit'], async (lab) => {
    const { first, replay: again } = await replayedSubmission(lab);
    expectOriginalResponse(lab, first, await again(lab, { headers: sandboxHeader }));
  }),

  check('IDEM-03.original-response', ['connection', 'submit'], async (lab) => {
    const { first, replay: again } = await earlySubmission(lab);
    expectOriginalResponse(lab, first, await again(lab));
  }),

  checkInPhase('late', 'IDEM-03.late', ['connection', 'submit'], async (lab) => {
    const { first, replay: again } = await earlySubmission(lab);
    skipUnlessRemembered(first);
    expectOriginalResponse(lab, first, await again(lab));
  }),

  replayAfterActionsCheck('IDEM-03.after-approval', ['approve'], 'submission, approved'),

  replayAfterActionsCheck('IDEM-03.after-cancel', ['cancel']),

  replayAfterActionsCheck('IDEM-03.after-dispute', ['dispute']),

  checkInPhase('late', 'IDEM-03.after-resolution', ['connection', 'submit', 'dispute', 'resolve'], async (lab) => {
    const { invoice, first, replay: again } = await submitWithRequestId(lab);
    await advanceInvoice(lab, { ...invoice, state: 'SUBMITTED' }, ['dispute']);
    if (!isSuccess(await performAction(lab, 'resolve', invoice.id)))
      notApplicable('resolve is refused; LIFE-01 judges that');
    // What a resolution leads to is not shown.
    const { record, held } = await waitForInvoice(lab, invoice.id, hasLeftState('DISPUTED'));
    if (!held) notApplicable('a resolution leaves the invoice DISPUTED here');
    const status = record && String(record.status);
    if (isInvoiceState(status)) recordInvoiceState(lab, { id: invoice.id, state: status });
    await expectReplayWithoutEffect(lab, {
      first,
      replay: () => again(lab),
      id: invoice.id,
      status,
      isLearned: true,
      invoice: { ...invoice, history: resolvedDisputeHistory(lab) },
    });
  }),

  replayAfterActionsCheck('IDEM-03.after-settlement', ['approve', 'settle'], 'submission, settled'),
];
