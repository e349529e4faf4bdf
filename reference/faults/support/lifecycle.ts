import { lifecycle } from '../../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';

export const offeredActions = lifecycle.states.flatMap((state) =>
  lifecycle.offered[state].map((action) => ({ state, action })),
);

export function offeredCheckId({ state, action }: (typeof offeredActions)[number]): CheckId {
  return `LIFE-01.${state.toLowerCase()}-${action}` as CheckId;
}

/** The cells of the table in which an action is not offered, and the check that owns each. */
export const rejectedActions = lifecycle.states.flatMap((state) =>
  lifecycle.actions
    .filter((action) => !lifecycle.offered[state].includes(action))
    .map((action) => {
      const requirement = action === 'settle' && state !== 'SETTLED' ? 'LIFE-03' : 'LIFE-02';
      return { state, action, requirement, check: `${requirement}.${state.toLowerCase()}-${action}` as CheckId };
    }),
);
