import type { ApiResponse } from '../api/responses.ts';
import { expectRejected } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { isUndeployed, listProduction, skipUnlessDeployed } from './production.ts';

export const MISMATCH_CODE = 'GW_ENVIRONMENT_KEY_MISMATCH';

/**
 * Throws a Breach unless the sandbox key that named production was rejected with the mismatch code, and NotApplicable if
 * production is not deployed.
 */
export function expectMismatch(ctx: CheckContext, response: ApiResponse): void {
  skipUnlessDeployed(response);
  expectRejected(ctx, response, [403], MISMATCH_CODE);
}

/**
 * As `expectMismatch`, for a request that names an environment known to be deployed. Throws NotApplicable if the response
 * and the list show that production is not.
 */
export async function expectProductionMismatch(ctx: CheckContext, response: ApiResponse): Promise<void> {
  if (isUndeployed(response)) await listProduction(ctx);
  expectRejected(ctx, response, [403], MISMATCH_CODE);
}
