import type { CheckId } from '../../../specs/generated/ids.ts';
import { lifecycle } from '../../../specs/lifecycle.ts';

export const offeredCells = lifecycle.states.flatMap((state) =>
  lifecycle.offered[state].map((action) => ({ state, action })),
);

export function offeredCheck({ state, action }: (typeof offeredCells)[number]): CheckId {
  return `LIFE-01.${state.toLowerCase()}-${action}` as CheckId;
}

/** The cells of the table in which an action is not offered, and the check that owns each. */
export const refusingCells = lifecycle.states.flatMap((state) =>
  lifecycle.actions
    .filter((action) => !lifecycle.offered[state].includes(action))
    .map((action) => {
      const requirement = action === 'settle' && state !== 'SETTLED' ? 'LIFE-03' : 'LIFE-02';
      return { state, action, requirement, check: `${requirement}.${state.toLowerCase()}-${action}` as CheckId };
    }),
);
