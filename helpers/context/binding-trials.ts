import type { ApiResponse } from '../../engine/model/messages.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { OperationName } from '../../specs/target.ts';
import type { CheckContext } from './check-context.ts';

/** The response to a bound operation when the kit tried it. */
export interface BindingTrial {
  /** The label of the actor that sent the request. */
  as: string;
  status: number;
}

/** The trial of each operation; no entry if the kit could not try it. */
export function bindingTrials(run: RunContext): Promise<Map<OperationName, BindingTrial>> {
  return run.memoize('trials of bindings', async () => new Map());
}

/** Records the response to an operation. */
export async function recordBindingTrial(
  ctx: CheckContext,
  name: OperationName,
  { request, status }: ApiResponse,
): Promise<void> {
  (await bindingTrials(ctx.run)).set(name, { as: request.actorLabel, status });
}
