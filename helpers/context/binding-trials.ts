import type { ApiResponse } from '../../engine/model/messages.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { OperationName } from '../../specs/target.ts';
import type { CheckContext } from './check-context.ts';

/** How a bound operation was answered when it was tried. */
export interface BindingTrial {
  /** Who asked. */
  as: string;
  status: number;
}

/** By operation: how it was answered; nothing for one that could not be tried. */
export function bindingTrials(run: RunContext): Promise<Map<OperationName, BindingTrial>> {
  return run.memoize('trials of bindings', async () => new Map());
}

/** Remembers how an operation was answered. */
export async function recordBindingTrial(
  ctx: CheckContext,
  name: OperationName,
  { request, status }: ApiResponse,
): Promise<void> {
  (await bindingTrials(ctx.run)).set(name, { as: request.actorLabel, status });
}
