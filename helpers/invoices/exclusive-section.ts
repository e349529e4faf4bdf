import { Breach } from '../../engine/model/outcomes.ts';
import { sandboxHeader } from '../api/environment-header.ts';
import { postInvoice } from '../api/operations.ts';
import { CHANGING_LIST, confirmBreach, type ExperimentAttempt } from '../assert/confirm-breach.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { newestInvoices } from './find-invoice.ts';
import { type Invoice, resolveCreatedInvoice } from './invoices.ts';

/** Runs an experiment about a list in an exclusive section, and confirms a breach by repetition. The experiment uses its own context. */
export async function confirmBreachExclusively(
  ctx: CheckContext,
  experiment: (ctx: CheckContext, attempt: ExperimentAttempt) => Promise<void>,
): Promise<void> {
  const part = ctx.forPart();
  await ctx.run.invoiceLock.exclusive(part.lockOwner, () =>
    confirmBreach(part, CHANGING_LIST, async (attempt) => {
      part.blockIfPreconditionBroken();
      await experiment(part, attempt);
    }),
  );
}

/**
 * Runs work in an exclusive section that also locks the balances, because lifecycle actions may change them. The work uses the context
 * that it gets, so that its requests belong to the section.
 */
export async function exclusively<T>(ctx: CheckContext, work: (ctx: CheckContext) => Promise<T>): Promise<T> {
  const part = ctx.forPart();
  return await ctx.run.balanceLock.sharedSection(part.lockOwner, () =>
    ctx.run.invoiceLock.exclusive(part.lockOwner, () => work(part)),
  );
}

/**
 * Observes inside the section whether the effect that a breach misses appears late. After the section, other creations of the kit could
 * cause the same change. Throws Blocked for a late effect.
 */
export async function withLateEffects<T>(ctx: CheckContext, experiment: () => Promise<T>): Promise<T> {
  try {
    return await experiment();
  } catch (error) {
    const missed = ctx.execution.missedEffects.splice(0);
    throw (error instanceof Breach ? await ctx.run.lateEffects.findLate(missed.slice(-1)) : null) ?? error;
  }
}

/** Creates invoices inside an exclusive section, the first of them with a requestId and a named environment. */
export async function createInvoices(
  ctx: CheckContext,
  count: number,
  changes: Partial<InvoiceBody> = {},
): Promise<Invoice[]> {
  const create = async (_: unknown, at: number) => {
    const body = { ...validBody(ctx), ...changes, ...(at === 0 && { requestId: ctx.createRequestId() }) };
    return await resolveCreatedInvoice(
      ctx,
      body,
      await postInvoice(ctx, body, at === 0 ? { headers: sandboxHeader } : {}),
    );
  };
  const made = await Promise.all(Array.from({ length: count - 1 }, create));
  // Created last, so that it is the only newest invoice.
  made.push(await create(null, count - 1));
  // A list may show the creations late.
  const all = (ids: unknown[]) => made.every(({ id }) => ids.includes(id));
  await pollUntil(
    ctx,
    () => newestInvoices(ctx),
    ({ records }) => all(records.map(({ id }) => String(id))),
    'lists new invoices first',
  );
  return made;
}
