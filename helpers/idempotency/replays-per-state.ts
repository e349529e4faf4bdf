import { postInvoice } from '../api/operations.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runCombinedExperiment } from '../context/combined-experiment.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { advanceInvoice, expectReplayWithoutEffect } from './replay.ts';
import { submitWithRequestId } from './replayable-submission.ts';

/** What is repeated on the way of an invoice to its settlement, and where it is by then. */
export type LifecycleReplay = 'submission, approved' | 'submission, settled' | 'creation, settled';

/** Whether a replay was seen to be in vain on the way of one invoice, which was created and submitted with a createRequestId each. */
export async function isReplayWithoutEffect(ctx: CheckContext, replay: LifecycleReplay): Promise<boolean> {
  return (await runLifecycleReplays(ctx, replay)) !== null;
}

/** That invoice when it is SETTLED, and all that was repeated was in vain. */
export async function settledAfterReplays(ctx: CheckContext): Promise<Invoice | null> {
  return await runLifecycleReplays(ctx, 'creation, settled');
}

async function runLifecycleReplays(ctx: CheckContext, replay: LifecycleReplay): Promise<Invoice | null> {
  return await runCombinedExperiment<LifecycleReplay, Invoice>(
    ctx,
    'replays on the way',
    replay,
    async (inner, seen) => {
      const {
        invoice,
        first,
        replay: again,
      } = await submitWithRequestId(inner, { requestId: inner.createRequestId() });
      const { id, body, created } = invoice;
      const submission = { first, replay: () => again(inner), id };
      const approved = await advanceInvoice(inner, { ...invoice, state: 'SUBMITTED' }, ['approve']);
      await expectReplayWithoutEffect(inner, { ...submission, status: approved });
      seen('submission, approved', invoice);
      const status = await advanceInvoice(inner, { ...invoice, state: 'APPROVED' }, ['settle']);
      await expectReplayWithoutEffect(inner, { ...submission, status });
      seen('submission, settled', invoice);
      await expectReplayWithoutEffect(inner, { first: created, replay: () => postInvoice(inner, body), id, status });
      seen('creation, settled', { ...invoice, state: 'SETTLED' });
    },
  );
}
