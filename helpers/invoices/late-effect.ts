import type { ApiResponse } from '../../engine/model/messages.ts';
import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import type { CheckContext } from '../context/check.ts';
import { findInvoice, hasLeftState } from './find-invoice.ts';

/** An accepted action after which the invoice still has its previous state. */
export interface IneffectiveAction {
  id: string;
  from: InvoiceState;
  response: ApiResponse;
}

/**
 * Throws Blocked by limits.settleWithinMs if the effect of an accepted action is visible only after that time.
 * Returns if the effect never appears, which is judged by LIFE-04.
 */
export async function blockIfEffectLate(ctx: CheckContext, { id, from, response }: IneffectiveAction): Promise<void> {
  const left = hasLeftState(from, true);
  const effect = { startedAt: response.sentAt, hasAppeared: async () => left((await findInvoice(ctx, id)).record) };
  const at = new Date(Date.now() - (performance.now() - response.sentAt)).toISOString();
  const because = `the ${response.request.operation} of invoice ${id} was accepted at ${at}, and the invoice was still ${from} after ${ctx.target.limits.settleWithinMs} ms`;
  ctx.execution.allowLatePhase();
  const late = await ctx.run.lateEffects.findLate([effect], because, response.request.operation);
  if (late) throw late;
}
