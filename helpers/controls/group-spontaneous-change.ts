import { type InvoiceState, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResultBy } from '../context/shared-result.ts';
import { exclusively } from '../invoices/exclusive-section.ts';
import { createInvoiceInState, type Invoice } from '../invoices/invoices.ts';
import { isRepeatable, type Trial } from './repeated-rejection.ts';
import { haveKeptState, UntouchedGroup, waitForFirstChange } from './untouched-group.ts';

/** With this many invoices, a server that changes one in fifteen at random almost always changes one. */
const GROUP_SIZE = 64;

/**
 * The new state of one of many ordinary invoices, without a request of the kit in an exclusive section; null if all
 * stay unchanged, or if a trial in this state has the same result on further invoices.
 */
export async function spontaneousChangeInGroup(
  ctx: CheckContext,
  state: InvoiceState,
  withinMs: number,
  trial?: Trial,
): Promise<string | null> {
  if (isTerminal(state) || (await isRepeatable(ctx, state, trial))) return null;
  if (await haveKeptState(ctx, await groupIn(ctx, state), state, withinMs)) return null;
  return await changeInExclusiveGroup(ctx, state, withinMs);
}

const groupIn = sharedResultBy(async (ctx, state: InvoiceState) => new UntouchedGroup(await createGroup(ctx, state)));

const changeInExclusiveGroup = sharedResultBy((ctx, state: InvoiceState, withinMs: number) =>
  exclusively(ctx, async (ctx) => waitForFirstChange(ctx, await createGroup(ctx, state), state, withinMs)),
);

async function createGroup(ctx: CheckContext, state: InvoiceState): Promise<Invoice[]> {
  return await Promise.all(Array.from({ length: GROUP_SIZE }, () => createInvoiceInState(ctx, state)));
}

function isTerminal(state: InvoiceState): boolean {
  return lifecycle.offered[state].length === 0;
}
