import type { JsonObject } from '../engine/invoice-record.ts';
import { Blocked } from '../engine/outcome.ts';
import type { Run } from '../engine/run.ts';
import type { Lab } from './lab.ts';
import { newest } from './look.ts';

const there = new WeakMap<Run, ReadonlySet<string>>();

/** Remembers the newest invoices of the seller, before the run makes any of its own. */
export async function noteWhatIsThere(lab: Lab): Promise<void> {
  try {
    const { records } = await newest(lab);
    there.set(lab.run, new Set(records.map(({ id }) => String(id))));
  } catch (error) {
    // Where the list cannot be had, whoever needs it says so.
    if (!(error instanceof Blocked)) throw error;
  }
}

/** Whether an invoice is known to be older than the run: whatever it looks like, nothing of the run's came to it. */
export function wasThereBefore({ run }: Lab, { id }: JsonObject): boolean {
  return there.get(run)?.has(String(id)) ?? false;
}
