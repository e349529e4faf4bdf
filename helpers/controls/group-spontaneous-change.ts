import { type InvoiceState, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { CheckContext } from '../context/check-context.ts';
import { exclusively } from '../invoices/exclusive-section.ts';
import { createInvoiceInState } from '../invoices/invoices.ts';
import { haveKeptState, waitForFirstChange } from './untouched-group.ts';

/** With this many invoices, a server that changes one in fifteen at random almost always changes one. */
const GROUP_SIZE = 64;

/**
 * The new state of one of many ordinary invoices, without a request of the kit in an exclusive section; null if all
 * stay unchanged.
 */
export async function spontaneousChangeInGroup(
  ctx: CheckContext,
  state: InvoiceState,
  withinMs: number,
): Promise<string | null> {
  if (isTerminal(state)) return null;
  const group = async () =>
    await Promise.all(Array.from({ length: GROUP_SIZE }, () => createInvoiceInState(ctx, state)));
  const controls = await ctx.run.memoize(`group: ${state}`, async () => ({
    invoices: await group(),
    since: performance.now(),
  }));
  if (await haveKeptState(ctx, controls, state, withinMs)) return null;
  return await ctx.run.memoize(`group, watched: ${state}`, () =>
    exclusively(ctx, async () => waitForFirstChange(ctx, await group(), state, withinMs)),
  );
}

function isTerminal(state: InvoiceState): boolean {
  return lifecycle.offered[state].length === 0;
}
