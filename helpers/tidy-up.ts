import type { Run } from '../engine/run.ts';
import type { InvoiceAction } from '../specs/lifecycle.ts';
import { accepted } from './expect.ts';
import { Lab } from './lab.ts';
import { act } from './operations.ts';
import { partyFor } from './parties.ts';

const REMOVED_BY: Record<string, InvoiceAction> = { 'invoice DRAFT': 'delete', 'invoice SUBMITTED': 'cancel' };

/**
 * Deletes the drafts and cancels the submitted invoices that the run has made. What cannot be removed stays listed as a
 * leftover; a removal that fails never touches a verdict.
 */
export async function tidyUp(run: Run): Promise<void> {
  const client = run.stopped ? run.farewellClient() : run.client;
  const lab = new Lab(run, { id: null, exchanges: [] }, client);
  await Promise.all(
    run.leftovers().map(async ([id, { what }]) => {
      const action = REMOVED_BY[what];
      if (!action || !run.plan.target.operations[action]) return;
      try {
        const answer = await act(lab, action, id, { as: lab.who(partyFor(lab, action)) });
        if (!accepted(answer)) return run.leave(id, what, `${action} was refused with ${answer.status}`);
        if (action === 'delete') run.removed(id);
        else run.leave(id, 'invoice CANCELLED', 'no action removes an invoice in this state');
      } catch (error) {
        run.leave(id, what, `${action} failed: ${(error as Error).message}`);
      }
    }),
  );
  if (client !== run.client) await client.close();
}
