import type { Suspect } from '../../engine/diagnosis/lost-operations.ts';
import type { Forbidden } from '../../engine/diagnosis/permissions.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { lifecycle } from '../../specs/lifecycle.ts';
import { act, list, postInvoice, readInvoice, treasury } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import type { Lab } from '../context/check-context.ts';
import { validBody } from '../data/invoice-body.ts';
import { partyFor } from '../invoices/acting-party.ts';
import { freshInvoice, invoiceOf, operationsTo, reach, stateOffering, whereReachable } from '../invoices/invoices.ts';
import { actionWorks, creationWorks } from './controls.ts';

/**
 * Uses an operation the way the contract offers it. The run then knows whether the key may use it at all; an operation that
 * cannot be tried this way stays unknown.
 */
export async function tryPermission(lab: Lab, { actor, operation }: Forbidden): Promise<void> {
  const as = lab.who(actor);
  if (operation === 'list') await list(lab, { page: 0, limit: 1 }, { as });
  if (operation === 'create') await whereReachable(() => creationWorks(lab));
  if (operation === 'read') {
    await whereReachable(async () => readInvoice(lab, (await freshInvoice(lab)).id, { as }));
  }
  const action = lifecycle.actions.find((each) => each === operation);
  if (action) await whereReachable(() => actionWorks(lab, action));
}

/** Uses an operation once as the contract offers it, and not by what the run has seen of it before; null where that cannot be tried. */
export async function validUse(lab: Lab, suspect: Suspect): Promise<ApiResponse | null> {
  const [answer] = await whereReachable(() => use(lab, suspect));
  return answer ?? null;
}

async function use(lab: Lab, { actor, operation }: Suspect): Promise<ApiResponse | null> {
  if (operation === 'list') return await list(lab, { page: 0, limit: 1 }, { as: lab.who(actor ?? 'seller') });
  if (operation === 'treasuryBalance') return await treasury(lab, operation, actor ? { as: lab.who(actor) } : {});
  // Others are strangers to every invoice that the run can make: whether the operation is there at all shows with the seller's key.
  const party = actor === 'seller' || actor === 'buyer' ? actor : null;
  const as = lab.who(party ?? 'seller');
  if (operation === 'create') return party !== 'buyer' ? await create(lab) : null;
  const action = lifecycle.actions.find((each) => each === operation);
  if (operation !== 'read' && !action) return null;
  const [invoice] = await whereReachable(() => (action ? reach(lab, stateOffering(action)) : freshInvoice(lab)));
  // Who may not lead an invoice there any more may have lost more than that.
  const before = action && operationsTo(stateOffering(action)).at(-1);
  if (!invoice) return before ? await use(lab, { actor, operation: before }) : null;
  return action
    ? await act(lab, action, invoice.id, { as: party ? as : lab.who(partyFor(lab, action)) })
    : await readInvoice(lab, invoice.id, { as });
}

/** What comes of it is removed with all else that the run has made. */
async function create(lab: Lab): Promise<ApiResponse> {
  const body = validBody(lab);
  const answer = await postInvoice(lab, body);
  if (isSuccess(answer)) await whereReachable(() => invoiceOf(lab, body, answer));
  return answer;
}
