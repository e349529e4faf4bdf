import { type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import type { CheckContext } from '../context/check-context.ts';
import { exclusively } from '../invoices/exclusively.ts';
import { createInvoiceInState } from '../invoices/invoices.ts';
import { haveKeptState, waitForFirstChange } from './untouched-group.ts';

/** Of so many, a server that moves one in fifteen by lot moves nearly always one. */
const GROUP_SIZE = 64;

/** What becomes of one of many usual invoices while the kit does nothing at all; null where all of them stay, seen quietly or not. */
export async function spontaneousChangeInGroup(
  lab: CheckContext,
  state: InvoiceState,
  withinMs: number,
): Promise<string | null> {
  if (isTerminal(state)) return null;
  const group = async () =>
    await Promise.all(Array.from({ length: GROUP_SIZE }, () => createInvoiceInState(lab, state)));
  const twins = await lab.run.memoize(`group: ${state}`, async () => ({
    invoices: await group(),
    since: performance.now(),
  }));
  if (await haveKeptState(lab, twins, state, withinMs)) return null;
  return await lab.run.memoize(`group, watched: ${state}`, () =>
    exclusively(lab, async () => waitForFirstChange(lab, await group(), state, withinMs)),
  );
}

function isTerminal(state: InvoiceState): boolean {
  return lifecycle.offered[state].length === 0;
}
