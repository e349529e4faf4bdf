import type { ApiResponse } from '../api/responses.ts';
import { expectRejected } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { isUndeployed, listProduction, skipUnlessDeployed } from './production.ts';

export const MISMATCH_CODE = 'GW_ENVIRONMENT_KEY_MISMATCH';

/** The refusal of a sandbox key that names production. */
export function expectMismatch(ctx: CheckContext, response: ApiResponse): void {
  skipUnlessDeployed(response);
  expectRejected(ctx, response, [403], MISMATCH_CODE);
}

/** The environment that is named serves this run: only where the key's own one is missing may it be told so first. */
export async function expectProductionMismatch(ctx: CheckContext, response: ApiResponse): Promise<void> {
  if (isUndeployed(response)) await listProduction(ctx);
  expectRejected(ctx, response, [403], MISMATCH_CODE);
}
