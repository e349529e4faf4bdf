import type { TargetInput } from '../../specs/target.ts';

/** Nothing but GET is ever sent with a production key: only so can its balance be looked at. */
export const balanceByGet = (target: TargetInput): TargetInput => ({
  ...target,
  operations: { ...target.operations, treasuryBalance: { method: 'GET', path: '/api/v1/treasury/balance' } },
});
