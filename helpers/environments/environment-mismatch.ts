import type { ApiResponse } from '../api/responses.ts';
import { expectRefused } from '../assert/expect.ts';
import type { Lab } from '../context/check-context.ts';
import { expectDeployed, isUndeployed, listProduction } from './production.ts';

export const MISMATCH = 'GW_ENVIRONMENT_KEY_MISMATCH';

/** The refusal of a sandbox key that names production. */
export function expectMismatch(lab: Lab, answer: ApiResponse): void {
  expectDeployed(answer);
  expectRefused(lab, answer, [403], MISMATCH);
}

/** The environment that is named serves this run: only where the key's own one is missing may it be told so first. */
export async function expectProductionMismatch(lab: Lab, answer: ApiResponse): Promise<void> {
  if (isUndeployed(answer)) await listProduction(lab);
  expectRefused(lab, answer, [403], MISMATCH);
}
