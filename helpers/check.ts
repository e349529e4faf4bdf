import type { Need } from '../engine/capabilities.ts';
import type { CheckDefinition } from '../engine/definition.ts';
import type { Phase } from '../engine/phases.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import type { Lab } from './lab.ts';

export type Check = CheckDefinition<Lab>;

/** A check that runs with all the others. */
export function check(id: CheckId, needs: readonly Need[], body: (lab: Lab) => Promise<void>): Check {
  return { id, needs, phase: 'main', body };
}

/** A check that belongs to another phase of the run. */
export function checkIn(phase: Phase, id: CheckId, needs: readonly Need[], body: (lab: Lab) => Promise<void>): Check {
  return { id, needs, phase, body };
}
