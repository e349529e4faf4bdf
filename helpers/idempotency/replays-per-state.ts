import { postInvoice } from '../api/operations.ts';
import type { Lab } from '../context/check-context.ts';
import { seenTogether } from '../context/combined-experiment.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { expectReplayedInVain, movedOn } from './replay.ts';
import { submitted } from './replayable-submission.ts';

/** What is repeated on the way of an invoice to its settlement, and where it is by then. */
export type ReplayOnTheWay = 'submission, approved' | 'submission, settled' | 'creation, settled';

/** Whether a replay was seen to be in vain on the way of one invoice, which was created and submitted with a requestId each. */
export async function replayedInVain(lab: Lab, replay: ReplayOnTheWay): Promise<boolean> {
  return (await onTheWay(lab, replay)) !== null;
}

/** That invoice when it is SETTLED, and all that was repeated was in vain. */
export async function settledOnTheWay(lab: Lab): Promise<Invoice | null> {
  return await onTheWay(lab, 'creation, settled');
}

async function onTheWay(lab: Lab, replay: ReplayOnTheWay): Promise<Invoice | null> {
  return await seenTogether<ReplayOnTheWay, Invoice>(lab, 'replays on the way', replay, async (inner, seen) => {
    const { invoice, first, again } = await submitted(inner, { requestId: inner.requestId() });
    const { id, body, created } = invoice;
    const submission = { first, again: () => again(inner), id };
    const approved = await movedOn(inner, { ...invoice, state: 'SUBMITTED' }, ['approve']);
    await expectReplayedInVain(inner, { ...submission, status: approved });
    seen('submission, approved', invoice);
    const status = await movedOn(inner, { ...invoice, state: 'APPROVED' }, ['settle']);
    await expectReplayedInVain(inner, { ...submission, status });
    seen('submission, settled', invoice);
    await expectReplayedInVain(inner, { first: created, again: () => postInvoice(inner, body), id, status });
    seen('creation, settled', { ...invoice, state: 'SETTLED' });
  });
}
