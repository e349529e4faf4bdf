import { postInvoice } from '../api/operations.ts';
import type { CheckContext } from '../context/check.ts';
import { combinedExperiment } from '../context/shared-result.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { advanceInvoice, expectReplayWithoutEffect } from './replay.ts';
import { submitWithRequestId } from './replayable-submission.ts';

/** The replayed request and the state of the invoice at the replay. */
export type LifecycleReplay = 'submission, approved' | 'submission, settled' | 'creation, settled';

/** Whether the replay had no effect. One invoice, created and submitted with a requestId each, serves all replays. */
export async function isReplayWithoutEffect(ctx: CheckContext, replay: LifecycleReplay): Promise<boolean> {
  return (await runLifecycleReplays(ctx, 'only', replay)) !== null;
}

/** The SETTLED invoice of these replays; null if a replay had an effect. */
export async function settledAfterReplays(ctx: CheckContext): Promise<Invoice | null> {
  return await runLifecycleReplays(ctx, 'only', 'creation, settled');
}

const runLifecycleReplays = combinedExperiment<LifecycleReplay, Invoice>(async (inner, seen) => {
  const { invoice, first, replay: again } = await submitWithRequestId(inner, { requestId: inner.createRequestId() });
  const { id, body, created } = invoice;
  const submission = { first, replay: () => again(inner), id };
  const approved = await advanceInvoice(inner, invoice, ['approve']);
  await expectReplayWithoutEffect(inner, { ...submission, status: approved });
  seen('submission, approved', invoice);
  const status = await advanceInvoice(inner, { ...invoice, state: 'APPROVED' }, ['settle']);
  await expectReplayWithoutEffect(inner, { ...submission, status });
  seen('submission, settled', invoice);
  await expectReplayWithoutEffect(inner, { first: created, replay: () => postInvoice(inner, body), id, status });
  seen('creation, settled', { ...invoice, state: 'SETTLED' });
});
