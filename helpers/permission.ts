import type { Forbidden } from '../engine/permissions.ts';
import { lifecycle } from '../specs/lifecycle.ts';
import { actionWorks, creationWorks } from './controls.ts';
import { freshInvoice, whereReachable } from './invoices.ts';
import type { Lab } from './lab.ts';
import { list, readInvoice } from './operations.ts';

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
