import { estimateDurationMs } from '../../engine/scheduling/duration-estimate.ts';
import { profileCostFor } from '../../specs/catalogue/profile-costs.ts';
import { profileNames } from '../../specs/catalogue/selection.ts';
import type { Target } from '../../specs/target-file/target.ts';

/** Estimated cost and leftovers of a run of one profile, from measurements with the reference service. */
export interface ProfileCostEstimate {
  profile: string;
  requests: number;
  seconds: number;
  leftovers: { invoices: number; withdrawals: number; withdrawn: string; subscriptions: number };
}

/** All actors except seller and buyer. */
const ADDITIONAL_ACTORS = ['outsider', 'readOnly', 'revoked', 'production'] as const;

/** Estimates the cost of a run of each profile with the limits of the target file. `latencyMs` is the time of one response. */
export function estimateProfileCosts(
  { actors, limits }: Pick<Target, 'actors' | 'limits'>,
  latencyMs: number,
): ProfileCostEstimate[] {
  const part = ADDITIONAL_ACTORS.filter((name) => actors[name]).length / ADDITIONAL_ACTORS.length;
  return profileNames.map((profile) => {
    const { requests: measured, chain, waitsMs, leftovers } = profileCostFor(profile);
    const requests = Math.round(measured.parties + part * (measured.everybody - measured.parties));
    const seconds = estimateDurationMs({ requests, latencyMs, limits, chain, waitsMs }) / 1000;
    return { profile, requests, seconds, leftovers };
  });
}

/** `about 90 s`, `about 10 min`. */
export function describeEstimate(seconds: number): string {
  return seconds < 120 ? `about ${Math.max(1, Math.round(seconds))} s` : `about ${Math.round(seconds / 60)} min`;
}
