import { bindingContradiction, describeBinding } from '../../engine/diagnosis/operation-binding.ts';
import { isUnjudged } from '../../engine/model/outcomes.ts';
import type { OperationName } from '../../specs/target.ts';
import { sharedResultBy } from '../context/shared-result.ts';

/**
 * No trial exists for the operations that remove subscriptions. A response that looks like a wrong path is never
 * judged.
 */
const UNTESTED_OPERATIONS: ReadonlySet<OperationName> = new Set(['webhookList', 'webhookDelete']);

/**
 * Proves once in a run that a bound operation is the one its binding names. `findProblem` tries the operation and returns what is
 * wrong with its binding, or null. A wrong binding is withheld from the checks.
 */
export const verifyBinding = sharedResultBy(
  async (ctx, name: OperationName, findProblem: () => Promise<string | null>): Promise<void> => {
    const template = ctx.target.operations[name];
    // A read-only run cannot try the other operations and does not use them.
    if (!template || !(ctx.run.plan.mayMutate || template.method === 'GET')) return;
    const why = bindingContradiction(name, ctx.run.plan.target) ?? (await problemOrNull(findProblem));
    if (why === null && !UNTESTED_OPERATIONS.has(name)) ctx.run.confirmBinding(name);
    if (why !== null) ctx.run.disableBinding(name, `operations.${name}: ${describeBinding(template)} ${why}`);
  },
);

/** Null also if nothing could be tried, because the checks report the same obstacle. */
async function problemOrNull(findProblem: () => Promise<string | null>): Promise<string | null> {
  try {
    return await findProblem();
  } catch (error) {
    if (isUnjudged(error)) return null;
    throw error;
  }
}
