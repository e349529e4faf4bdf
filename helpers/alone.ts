import { memberOf } from '../engine/answer.ts';
import { findInvoice } from '../engine/invoice-record.ts';
import type { InvoiceAction, InvoiceState } from '../specs/lifecycle.ts';
import { accepted } from './accepted.ts';
import { expectFunds } from './funds-needed.ts';
import { isState, keepTrack, offeredCheck, reach, stateOffering } from './invoices.ts';
import type { Lab } from './lab.ts';
import { look, lookUntil } from './look.ts';
import { blockedBy } from './not-judged.ts';
import { perform } from './parties.ts';

/** What comes of an action when nothing else happens at the same time. */
export interface Alone {
  /** The state it leads to here; null when the invoice is gone. */
  to: InvoiceState | null;
  /** Whether the answer shows it already, or the very next look does. */
  atOnce: boolean;
}

/** Performs an action once in the run, to learn what it does on its own. Throws Blocked when it is refused even then. */
export async function alone(lab: Lab, action: InvoiceAction): Promise<Alone> {
  return await lab.run.once(`alone: ${action}`, async () => {
    const state = stateOffering(action);
    const invoice = await reach(lab, state);
    const answer = await perform(lab, action, invoice.id);
    expectFunds(answer);
    if (!accepted(answer)) {
      blockedBy(offeredCheck(state, action), `${action} is refused even in ${state}, where it is offered`);
    }
    // On a busy machine the look may come so late that it shows what was only queued: the answer itself tells better.
    const told = findInvoice(answer.json)?.record.status ?? memberOf(answer, 'status');
    const first = isState(told) ? told : (await look(lab, invoice.id)).record?.status;
    const { record } = await lookUntil(lab, invoice.id, (found) => found?.status !== state);
    if (!record) lab.run.removed(invoice.id);
    else if (isState(record.status)) keepTrack(lab, { id: invoice.id, state: record.status });
    return {
      to: record && isState(record.status) ? record.status : null,
      atOnce: answer.status !== 202 && first !== state,
    };
  });
}
