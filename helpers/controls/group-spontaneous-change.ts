import { type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import type { Lab } from '../context/check-context.ts';
import { actingQuietly } from '../invoices/exclusively.ts';
import { reach } from '../invoices/invoices.ts';
import { firstMoved, haveStayed } from './untouched-group.ts';

/** Of so many, a server that moves one in fifteen by lot moves nearly always one. */
const GROUP_SIZE = 64;

/** What becomes of one of many usual invoices while the kit does nothing at all; null where all of them stay, seen quietly or not. */
export async function groupBecomes(lab: Lab, state: InvoiceState, withinMs: number): Promise<string | null> {
  if (isTerminal(state)) return null;
  const group = async () => await Promise.all(Array.from({ length: GROUP_SIZE }, () => reach(lab, state)));
  const twins = await lab.run.once(`group: ${state}`, async () => ({
    invoices: await group(),
    since: performance.now(),
  }));
  if (await haveStayed(lab, twins, state, withinMs)) return null;
  return await lab.run.once(`group, watched: ${state}`, () =>
    actingQuietly(lab, async () => firstMoved(lab, await group(), state, withinMs)),
  );
}

function isTerminal(state: InvoiceState): boolean {
  return lifecycle.offered[state].length === 0;
}
