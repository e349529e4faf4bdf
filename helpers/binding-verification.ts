import { newCheckExecution } from '../engine/run/check-definition.ts';
import type { RunContext } from '../engine/run/run-context.ts';
import { type InvoiceAction, lifecycle } from '../specs/contract/lifecycle.ts';
import type { OperationName } from '../specs/target-file/target.ts';
import { verifyAction } from './bindings/action-proof.ts';
import { findReadProblem } from './bindings/reading-proof.ts';
import { verifyBinding } from './bindings/wrong-binding.ts';
import { CheckContext } from './context/check.ts';
import { balanceBindingProblem, withdrawalBindingProblem } from './treasury/balance-binding-proof.ts';

/**
 * Proves once in a run that each bound operation is the one that its binding names. A wrong binding is disabled,
 * because a wrong path in the target file is not a breach of the server.
 */
export async function verifyBindings(run: RunContext, names: readonly OperationName[]): Promise<void> {
  const ctx = new CheckContext(run, newCheckExecution(null));
  await Promise.all(
    names.map(async (name) => {
      // A settlement would hide that the balance falls by the withdrawal.
      if (name === 'settle' && names.includes('treasuryWithdraw')) await verifyOperation(ctx, 'treasuryWithdraw');
      await verifyOperation(ctx, name);
    }),
  );
}

function verifyOperation(ctx: CheckContext, name: OperationName): Promise<void> {
  return isAction(name) ? verifyAction(ctx, name) : verifyBinding(ctx, name, () => findBindingProblem(ctx, name));
}

async function findBindingProblem(ctx: CheckContext, name: OperationName): Promise<string | null> {
  if (name === 'read') return await findReadProblem(ctx);
  if (name === 'treasuryBalance') return await balanceBindingProblem(ctx);
  if (name === 'treasuryWithdraw') return await withdrawalBindingProblem(ctx);
  return null;
}

function isAction(name: OperationName): name is InvoiceAction {
  return (lifecycle.actions as readonly string[]).includes(name);
}
