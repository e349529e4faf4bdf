import type { CheckDefinition, Priority } from '../../engine/run/check-definition.ts';
import type { Phase } from '../../engine/scheduling/phases.ts';
import type { Need } from '../../engine/target/capabilities.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { CheckContext } from './check-context.ts';

export type Check = CheckDefinition<CheckContext>;

/** When a check runs. */
export interface Schedule {
  phase: Phase;
  priority: Priority;
}

/** A check that runs in the main phase. */
export function check(id: CheckId, needs: readonly Need[], body: (ctx: CheckContext) => Promise<void>): Check {
  return { id, needs, phase: 'main', priority: 'normal', body };
}

/** A check that runs in another phase, or before the others of its phase. */
export function checkInPhase(
  schedule: Phase | Schedule,
  id: CheckId,
  needs: readonly Need[],
  body: (ctx: CheckContext) => Promise<void>,
): Check {
  const { phase, priority } =
    typeof schedule === 'string' ? { phase: schedule, priority: 'normal' as const } : schedule;
  return { id, needs, phase, priority, body };
}

/** Before the other checks of the main phase. */
export const FIRST_IN_MAIN: Schedule = { phase: 'main', priority: 'high' };

/** The late phase, before its other checks: these checks use the invoices or the funds for a while. */
export const FIRST_IN_LATE: Schedule = { phase: 'late', priority: 'high' };

/** The same checks with another priority; a check with a priority of its own keeps it. */
export function withPriority(priority: Priority, checks: readonly Check[]): readonly Check[] {
  return checks.map((each) => (each.priority === 'normal' ? { ...each, priority } : each));
}
