import { setTimeout as pause } from 'node:timers/promises';
import type { Run } from '../../engine/run/run-context.ts';
import type { InvoiceState } from '../../specs/lifecycle.ts';
import { breach } from '../assert/expect.ts';
import type { Lab } from '../context/check-context.ts';
import { lookUntil } from '../invoices/find-invoice.ts';
import { type Invoice, reach, whereReachable } from '../invoices/invoices.ts';

const FINAL: readonly InvoiceState[] = ['SETTLED', 'CANCELLED'];
/** What an approval has left behind. */
const BEFORE_APPROVAL: readonly unknown[] = ['DRAFT', 'SUBMITTED'];

interface Reached {
  invoice: Invoice;
  /** When it was seen there, by `performance.now()`. */
  at: number;
}

const reachedSoFar = new WeakMap<Run, Reached[]>();

/** Notes an invoice that was seen in a state, to be looked at once more when the run has gone on. */
export function noteReached(lab: Lab, invoice: Invoice): void {
  reachedSoFar.set(lab.run, [...(reachedSoFar.get(lab.run) ?? []), { invoice, at: performance.now() }]);
}

/** A job that undoes what was just done comes round within so many milliseconds, or is none of a moment. */
const COMES_ROUND_MS = 1000;

/** Throws a Breach for the first invoice that was seen in one of the states and is none that `lasts`; the number of those that do. */
async function expectLasting(
  lab: Lab,
  states: readonly InvoiceState[],
  lasts: (now: unknown, state: InvoiceState) => boolean,
): Promise<number> {
  const noted = () => (reachedSoFar.get(lab.run) ?? []).filter(({ invoice }) => states.includes(invoice.state));
  if (noted().length === 0) {
    for (const state of states) {
      for (const invoice of await whereReachable(() => reach(lab, state))) noteReached(lab, invoice);
    }
  }
  const all = noted();
  await Promise.all(
    all.map(async ({ invoice: { id, state, created }, at }) => {
      await pause(Math.max(0, at + COMES_ROUND_MS - performance.now()));
      // One that is shown no longer may be archived.
      const { record, held, answer } = await lookUntil(lab, id, (found) => !found || lasts(found.status, state));
      if (held) return;
      const because = `it was seen ${state} and is ${String(record?.status)} now`;
      throw breach(lab, answer, `invoice ${id} still ${state}`, because, [created]);
    }),
  );
  return all.length;
}

/** "The invoice then moves through a lifecycle until it is settled or cancelled." */
export async function expectStillEnded(lab: Lab): Promise<number> {
  return await expectLasting(lab, FINAL, (now, state) => now === state);
}

/** Whatever has become of it since, what was approved does not wait for its approval again. */
export async function expectStillApproved(lab: Lab): Promise<number> {
  return await expectLasting(lab, ['APPROVED'], (now) => !BEFORE_APPROVAL.includes(now));
}
