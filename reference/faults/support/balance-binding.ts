import type { BoundTargetInput } from '../../../specs/target.ts';

/** Bound to a GET, the balance can be asked for with a production key whatever the target file allows. */
export const bindBalanceToGet = (target: BoundTargetInput): BoundTargetInput => ({
  ...target,
  operations: { ...target.operations, treasuryBalance: { method: 'GET', path: '/api/v1/treasury/balance' } },
});
