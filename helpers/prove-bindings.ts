import { askingFor } from '../engine/run/check-definition.ts';
import type { Run } from '../engine/run/run-context.ts';
import { type InvoiceAction, lifecycle } from '../specs/lifecycle.ts';
import type { OperationName } from '../specs/target.ts';
import { proveAction } from './bindings/action-proof.ts';
import { proveBinding } from './bindings/binding-verdict.ts';
import { readWrong } from './bindings/reading-proof.ts';
import { Lab } from './context/check-context.ts';
import { balanceWrong, withdrawalWrong } from './treasury/binding-proof.ts';

/**
 * Proves that bound operations are the ones that their bindings name, each once in a run. A binding that leads nowhere, or to
 * another operation, is withheld: a wrong path in the target file is never the server's breach.
 */
export async function proveBindings(run: Run, names: readonly OperationName[]): Promise<void> {
  const lab = new Lab(run, askingFor(null));
  await Promise.all(names.map((name) => prove(lab, name)));
}

function prove(lab: Lab, name: OperationName): Promise<void> {
  return isAction(name) ? proveAction(lab, name) : proveBinding(lab, name, () => problemOf(lab, name));
}

async function problemOf(lab: Lab, name: OperationName): Promise<string | null> {
  if (name === 'read') return await readWrong(lab);
  if (name === 'treasuryBalance') return await balanceWrong(lab);
  if (name === 'treasuryWithdraw') return await withdrawalWrong(lab);
  return null;
}

function isAction(name: OperationName): name is InvoiceAction {
  return (lifecycle.actions as readonly string[]).includes(name);
}
