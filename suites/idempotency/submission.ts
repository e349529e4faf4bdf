import { disputedHistory } from '../../helpers/adaptation/invoice-variants.ts';
import { ownEnvironment } from '../../helpers/api/environment-header.ts';
import { isSuccess } from '../../helpers/api/responses.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { replayedSubmission } from '../../helpers/authentication/rejected-replays.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, checkIn } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { expectOriginal, expectRemembered, expectReplayedInVain, movedOn } from '../../helpers/idempotency/replay.ts';
import { submitted } from '../../helpers/idempotency/replayable-submission.ts';
import type { ReplayOnTheWay } from '../../helpers/idempotency/replays-per-state.ts';
import { replayedInVain } from '../../helpers/idempotency/replays-per-state.ts';
import { perform } from '../../helpers/invoices/acting-party.ts';
import { hasLeft, lookUntil } from '../../helpers/invoices/find-invoice.ts';
import { isState, keepTrack } from '../../helpers/invoices/invoices.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';

/** Of an invoice whose creation had a requestId of its own. */
const earlySubmission = (lab: Lab) =>
  lab.run.once('early submission', () => submitted(lab, { requestId: lab.requestId() }));

/** The invoice has gone on when the submission comes again. */
function replayedAfter(id: CheckId, way: readonly InvoiceAction[], onTheWay?: ReplayOnTheWay): Check {
  return checkIn('late', id, ['connection', 'submit', ...way], async (lab) => {
    if (onTheWay && (await replayedInVain(lab, onTheWay))) return;
    const { invoice, first, again } = await submitted(lab);
    const status = await movedOn(lab, { ...invoice, state: 'SUBMITTED' }, way);
    await expectReplayedInVain(lab, { first, again: () => again(lab), id: invoice.id, status });
  });
}

export const idempotencySubmissionChecks: readonly Check[] = [
  check('IDEM-03.environment', ['connection', 'submit'], async (lab) => {
    const { first, again } = await replayedSubmission(lab);
    expectOriginal(lab, first, await again(lab, { headers: ownEnvironment }));
  }),

  check('IDEM-03.original-response', ['connection', 'submit'], async (lab) => {
    const { first, again } = await earlySubmission(lab);
    expectOriginal(lab, first, await again(lab));
  }),

  checkIn('late', 'IDEM-03.late', ['connection', 'submit'], async (lab) => {
    const { first, again } = await earlySubmission(lab);
    expectRemembered(first);
    expectOriginal(lab, first, await again(lab));
  }),

  replayedAfter('IDEM-03.after-approval', ['approve'], 'submission, approved'),

  replayedAfter('IDEM-03.after-cancel', ['cancel']),

  replayedAfter('IDEM-03.after-dispute', ['dispute']),

  checkIn('late', 'IDEM-03.after-resolution', ['connection', 'submit', 'dispute', 'resolve'], async (lab) => {
    const { invoice, first, again } = await submitted(lab);
    await movedOn(lab, { ...invoice, state: 'SUBMITTED' }, ['dispute']);
    if (!isSuccess(await perform(lab, 'resolve', invoice.id))) notApplicable('resolve is refused; LIFE-01 judges that');
    // What a resolution leads to is not shown.
    const { record, held } = await lookUntil(lab, invoice.id, hasLeft('DISPUTED'));
    if (!held) notApplicable('a resolution leaves the invoice DISPUTED here');
    const status = record && String(record.status);
    if (isState(status)) keepTrack(lab, { id: invoice.id, state: status });
    await expectReplayedInVain(lab, {
      first,
      again: () => again(lab),
      id: invoice.id,
      status,
      isLearned: true,
      invoice: { ...invoice, history: disputedHistory(lab) },
    });
  }),

  replayedAfter('IDEM-03.after-settlement', ['approve', 'settle'], 'submission, settled'),
];
