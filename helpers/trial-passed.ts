import { type InvoiceAction, lifecycle } from '../specs/lifecycle.ts';
import { accepted } from './accepted.ts';
import { type ActionTrial, actionTrial } from './binding-proof.ts';
import { whereReachable } from './invoices.ts';
import type { Lab } from './lab.ts';
import { look } from './look.ts';
import { isIrrevocable } from './remains.ts';

/**
 * The trial of an action after which its invoice stays behind, where it was accepted and the invoice is seen where that leads. Null for any
 * other outcome: whoever judges it sees for itself then, with an invoice of its own.
 */
export async function trialPassed(lab: Lab, action: InvoiceAction): Promise<ActionTrial | null> {
  const trial = isIrrevocable(action) ? await actionTrial(lab, action) : null;
  if (!trial || !accepted(trial.answer)) return null;
  const [seen] = await whereReachable(() => look(lab, trial.invoice.id));
  if (seen?.record?.status !== lifecycle.leadsTo[action]) return null;
  lab.shares([trial.invoice.created, trial.answer]);
  return trial;
}
