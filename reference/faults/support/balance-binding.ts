import type { BoundTargetInput } from '../../../specs/target.ts';

/** As a GET, the balance may be requested with a production key in every run. */
export const bindBalanceToGet = (target: BoundTargetInput): BoundTargetInput => ({
  ...target,
  operations: { ...target.operations, treasuryBalance: { method: 'GET', path: '/api/v1/treasury/balance' } },
});
