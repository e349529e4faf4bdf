import type { CheckDefinition } from '../engine/run/check-definition.ts';
import type { Phase } from '../engine/scheduling/phases.ts';
import type { Need } from '../engine/target/capabilities.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import type { Lab } from './context/check-context.ts';

export type Check = CheckDefinition<Lab>;

/** A check that runs with all the others. */
export function check(id: CheckId, needs: readonly Need[], body: (lab: Lab) => Promise<void>): Check {
  return { id, needs, phase: 'main', body };
}

/** A check that belongs to another phase of the run. */
export function checkIn(phase: Phase, id: CheckId, needs: readonly Need[], body: (lab: Lab) => Promise<void>): Check {
  return { id, needs, phase, body };
}
