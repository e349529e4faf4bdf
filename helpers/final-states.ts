import { setTimeout as pause } from 'node:timers/promises';
import type { Run } from '../engine/run.ts';
import { breach } from './expect.ts';
import { type Invoice, reach, whereReachable } from './invoices.ts';
import type { Lab } from './lab.ts';
import { lookUntil } from './look.ts';

const FINAL: readonly string[] = ['SETTLED', 'CANCELLED'];

interface Ended {
  invoice: Invoice;
  /** When it was seen there, by `performance.now()`. */
  at: number;
}

const endedSoFar = new WeakMap<Run, Ended[]>();

/** Notes an invoice that was seen settled or cancelled, to be looked at once more when the run has gone on. */
export function noteEnded(lab: Lab, invoice: Invoice): void {
  if (!FINAL.includes(invoice.state)) return;
  endedSoFar.set(lab.run, [...(endedSoFar.get(lab.run) ?? []), { invoice, at: performance.now() }]);
}

/** A job that undoes what was just done comes round within so many milliseconds, or is none of a moment. */
const COMES_ROUND_MS = 1000;

/**
 * "The invoice then moves through a lifecycle until it is settled or cancelled." Throws a Breach for the first one that moved on
 * from there; the number that did not. One that is shown no longer may be archived.
 */
export async function expectStillEnded(lab: Lab): Promise<number> {
  if (!endedSoFar.has(lab.run)) {
    const made = [
      ...(await whereReachable(() => reach(lab, 'SETTLED'))),
      ...(await whereReachable(() => reach(lab, 'CANCELLED'))),
    ];
    for (const invoice of made) noteEnded(lab, invoice);
  }
  const all = endedSoFar.get(lab.run) ?? [];
  await Promise.all(
    all.map(async ({ invoice: { id, state, created }, at }) => {
      await pause(Math.max(0, at + COMES_ROUND_MS - performance.now()));
      const { record, held, answer } = await lookUntil(lab, id, (found) => !found || found.status === state);
      if (held) return;
      throw breach(
        lab,
        answer,
        `invoice ${id} still ${state}`,
        `it was seen ${state} and is ${String(record?.status)} now`,
        [created],
      );
    }),
  );
  return all.length;
}
