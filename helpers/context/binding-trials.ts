import type { ApiResponse } from '../../engine/model/messages.ts';
import type { OperationName } from '../../specs/target.ts';
import type { CheckContext } from './check-context.ts';
import { runState } from './run-state.ts';

/** The response to a bound operation when the kit tried it. */
export interface BindingTrial {
  /** The label of the actor that sent the request. */
  as: string;
  status: number;
}

/** The trial of each operation; no entry if the kit could not try it. */
export const bindingTrials = runState(() => new Map<OperationName, BindingTrial>());

/** Records the response to an operation. */
export async function recordBindingTrial(
  ctx: CheckContext,
  name: OperationName,
  { request, status }: ApiResponse,
): Promise<void> {
  bindingTrials(ctx.run).set(name, { as: request.actorLabel, status });
}
