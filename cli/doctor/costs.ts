import { predictDuration } from '../../engine/scheduling/duration-estimate.ts';
import { costOfProfile } from '../../specs/profile-costs.ts';
import { profileNames } from '../../specs/selection.ts';
import type { Target } from '../../specs/target.ts';
import type { ProfileCost } from './diagnosis.ts';

/** Beside seller and buyer. */
const OTHERS = ['outsider', 'readOnly', 'revoked', 'production'] as const;

/** What a run of each profile costs at the limits of the target file, where an answer takes so many milliseconds. */
export function profileCosts({ actors, limits }: Pick<Target, 'actors' | 'limits'>, latencyMs: number): ProfileCost[] {
  const part = OTHERS.filter((name) => actors[name]).length / OTHERS.length;
  return profileNames.map((profile) => {
    const { requests: measured, chain, waitsMs, leftBehind } = costOfProfile(profile);
    const requests = Math.round(measured.parties + part * (measured.everybody - measured.parties));
    const seconds = predictDuration({ requests, latencyMs, limits, chain, waitsMs }) / 1000;
    return { profile, requests, seconds, leftBehind };
  });
}
