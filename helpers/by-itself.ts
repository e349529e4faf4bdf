import type { InvoiceState } from '../specs/lifecycle.ts';
import { isState, keepTrack, reach } from './invoices.ts';
import type { Lab } from './lab.ts';
import { actingQuietly } from './lists.ts';
import { lookUntil } from './look.ts';
import { notApplicable } from './not-judged.ts';

/**
 * The control of everything that must not move: an invoice in the same state that nobody touches. Where that one moves, too
 * (paid when due, expired), the contract has nothing against it, and this throws NotApplicable.
 */
export async function expectStaysByItself(lab: Lab, state: InvoiceState, withinMs: number): Promise<void> {
  const unseen = `by itself: ${state}, ${Math.ceil(withinMs / 1000)} s`;
  const moved = await lab.run.once(unseen, () => actingQuietly(lab, () => watch(lab, state, withinMs)));
  if (moved === null) return;
  lab.observe('moves-by-itself', `${state}: ${moved}`);
  notApplicable(`an invoice in ${state} that nobody touches becomes ${moved} by itself here`);
}

/** What becomes of an invoice while the kit does nothing at all; null when it stays. */
async function watch(lab: Lab, state: InvoiceState, withinMs: number): Promise<string | null> {
  const twin = await reach(lab, state);
  const { held, record } = await lookUntil(lab, twin.id, (found) => found?.status !== state, withinMs);
  if (held && isState(record?.status)) keepTrack(lab, { id: twin.id, state: record.status });
  return held ? String(record?.status ?? 'gone') : null;
}
