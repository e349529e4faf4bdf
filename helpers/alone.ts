import { memberOf } from '../engine/answer.ts';
import { findInvoice, type JsonObject } from '../engine/invoice-record.ts';
import type { InvoiceAction, InvoiceState } from '../specs/lifecycle.ts';
import { accepted } from './accepted.ts';
import { expectFunds } from './funds-needed.ts';
import { isState, keepTrack, reach, refusedWhereOffered, stateOffering } from './invoices.ts';
import type { Lab } from './lab.ts';
import { look, lookSettled, lookUntil } from './look.ts';
import { perform } from './parties.ts';
import { actingQuietly } from './quietly.ts';

/** What comes of an action when nothing else happens at the same time. */
export interface Alone {
  /** The state it leads to here; null when the invoice is gone. */
  to: InvoiceState | null;
  /** Whether the very next look shows it. */
  atOnce: boolean;
}

/** Performs an action once in the run, to learn what it does on its own. Throws Blocked when it is refused even then. */
export async function alone(lab: Lab, action: InvoiceAction): Promise<Alone> {
  return await lab.run.once(`alone: ${action}`, () => once(lab, action));
}

const SOUNDINGS = 6;

/**
 * Whether an action always shows in the very next look. One look can come too late to see that it does not, on a busy
 * machine: so several of them, while the kit does nothing else.
 */
export async function alwaysAtOnce(lab: Lab, action: InvoiceAction): Promise<boolean> {
  return await lab.run.once(`always at once: ${action}`, () =>
    actingQuietly(lab, async () => {
      for (let sounding = 0; sounding < SOUNDINGS; sounding += 1) {
        if (!(await once(lab, action)).atOnce) return false;
      }
      return true;
    }),
  );
}

async function once(lab: Lab, action: InvoiceAction): Promise<Alone> {
  const state = stateOffering(action);
  const invoice = await reach(lab, state);
  // What is not to be seen yet would pass for gone.
  await lookSettled(lab, invoice);
  const answer = await perform(lab, action, invoice.id);
  expectFunds(answer);
  if (!accepted(answer)) await refusedWhereOffered(lab, invoice.id, state, action, answer);
  // Where the look comes later than what was queued lands, only the answer itself can tell that it was.
  const told = findInvoice(answer.json, answer)?.record.status ?? memberOf(answer, 'status');
  const first = isState(told) ? told : (await look(lab, invoice.id)).record?.status;
  // Nothing but a deletion is thought to take an invoice away, before it has stayed away for as long as anything may take.
  const moved = (found: JsonObject | null) => (found ? found.status !== state : action === 'delete');
  const { record } = await lookUntil(lab, invoice.id, moved);
  if (!record) lab.run.removed(invoice.id);
  else if (isState(record.status)) keepTrack(lab, { id: invoice.id, state: record.status });
  return {
    to: record && isState(record.status) ? record.status : null,
    atOnce: answer.status !== 202 && first !== state,
  };
}
