import { type ApiResponse, isSuccess } from '../../engine/model/messages.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import { runState } from './run-state.ts';

interface ActionHistory {
  /** When the last action was accepted, by `performance.now()`. */
  acceptedAt: number;
  /** The responses to rejected actions, the first ones first. */
  rejections: ApiResponse[];
}

const historiesOf = runState(() => new Map<string, ActionHistory>());

/** Records the response to an action on an invoice. If an earlier response was lost, the server may have accepted the action. */
export function recordAction(run: RunContext, id: string, response: ApiResponse): void {
  const known = historiesOf(run);
  const history = known.get(id) ?? { acceptedAt: Number.NEGATIVE_INFINITY, rejections: [] };
  if (isSuccess(response) || response.mayHaveDuplicatedMutation) history.acceptedAt = performance.now();
  else history.rejections.push(response);
  known.set(id, history);
}

/** Whether an action on an invoice was accepted after a moment, by `performance.now()`. */
export function hasAcceptedActionSince(run: RunContext, id: string, moment: number): boolean {
  return (historiesOf(run).get(id)?.acceptedAt ?? Number.NEGATIVE_INFINITY) > moment;
}

/** The responses to the rejected actions on an invoice in this run, the first ones first. */
export function rejectedActionsOn(run: RunContext, id: string): readonly ApiResponse[] {
  return historiesOf(run).get(id)?.rejections ?? [];
}

const deletions = runState(() => new Map<string, ApiResponse>());

/** Records the response to an accepted deletion. */
export function recordDeletion(run: RunContext, id: string, response: ApiResponse): void {
  deletions(run).set(id, response);
}

/** The response to the last accepted deletion of an invoice. */
export function deletionOf(run: RunContext, id: string): ApiResponse | undefined {
  return deletions(run).get(id);
}
