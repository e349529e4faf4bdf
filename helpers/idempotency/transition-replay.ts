import { findActionPath, type InvoiceState } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { postInvoice } from '../api/operations.ts';
import { notApplicable } from '../assert/not-judged.ts';
import { type Check, checkInPhase } from '../context/check.ts';
import { advanceInvoice, createOriginal, expectReplayWithoutEffect } from './replay.ts';
import { isReplayWithoutEffect, type LifecycleReplay } from './state-replays.ts';

/** Replays the creation after the invoice has changed its state. */
export function replayAfterTransitionCheck(
  id: CheckId,
  needs: Check['needs'],
  to: (from: InvoiceState) => InvoiceState | undefined,
  onTheWay?: LifecycleReplay,
): Check {
  return checkInPhase('late', id, ['connection', ...needs], async (ctx) => {
    if (onTheWay && (await isReplayWithoutEffect(ctx, onTheWay))) return;
    const { body, response, invoice } = await createOriginal(ctx);
    const state = to(invoice.state);
    const actionPath = state && findActionPath(invoice.state, state);
    const unbound = actionPath?.find((action) => !ctx.target.operations[action]);
    if (!actionPath || unbound)
      return notApplicable(
        `the target file has no action that leads a new invoice from ${invoice.state} to the required state`,
      );
    const status = await advanceInvoice(ctx, invoice, actionPath);
    await expectReplayWithoutEffect(ctx, {
      first: response,
      replay: () => postInvoice(ctx, body),
      id: invoice.id,
      status,
    });
  });
}
