import type { Client } from '../engine/client.ts';
import { askingFor } from '../engine/definition.ts';
import type { Run } from '../engine/run.ts';
import type { InvoiceAction } from '../specs/lifecycle.ts';
import { accepted } from './accepted.ts';

import { Lab } from './lab.ts';
import { look } from './look.ts';
import { act } from './operations.ts';
import { partyFor } from './parties.ts';

const FINAL = 'no action removes an invoice in this state';
const REMOVED_BY: Record<string, InvoiceAction> = { 'invoice DRAFT': 'delete', 'invoice SUBMITTED': 'cancel' };

/**
 * Deletes the drafts and cancels the submitted invoices that the run has made. What cannot be removed stays listed as a
 * leftover; a removal that fails never touches a verdict.
 */
export async function tidyUp(run: Run): Promise<void> {
  if (!run.over) await removeAll(run, run.client);
  if (!run.over) return;
  const farewell = run.farewellClient();
  await removeAll(run, farewell);
  await farewell.close();
}

async function removeAll(run: Run, client: Client): Promise<void> {
  const lab = new Lab(run, askingFor(null), client);
  await Promise.all(run.leftovers().map(([id, { what }]) => remove(lab, id, what)));
}

async function remove(lab: Lab, id: string, what: string, looked = false): Promise<void> {
  const { run } = lab;
  const action = REMOVED_BY[what];
  if (!action || !run.plan.target.operations[action]) return;
  try {
    const answer = await act(lab, action, id, { as: lab.who(partyFor(lab, action)) });
    if (accepted(answer)) {
      if (action === 'delete') run.removed(id);
      else run.leave(id, 'invoice CANCELLED', FINAL);
      return;
    }
    if (action === 'delete' && (answer.status === 404 || answer.status === 410)) {
      run.removed(id);
      return;
    }
    // An interrupted check may have moved it on after it was last seen.
    const now = looked ? null : (await look(lab, id)).record;
    if (now && now.status !== what.replace('invoice ', '')) {
      run.leave(id, `invoice ${String(now.status)}`, FINAL);
      return await remove(lab, id, `invoice ${String(now.status)}`, true);
    }
    run.leave(id, what, `${action} was refused with ${answer.status}`);
  } catch (error) {
    run.leave(id, what, `${action} failed: ${(error as Error).message}`);
  }
}
