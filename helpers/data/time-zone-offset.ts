const MINUTE_MS = 60_000;
const MAX_ZONE_MINUTES = 16 * 60;
/** Every time zone is a multiple of this from UTC. */
const ZONE_STEP_MINUTES = 15;
const TOLERANCE_MINUTES = 2.5;

/**
 * The time zone offset, in minutes, that explains the difference between two clocks. 0 if none does: the clocks
 * agree, or one of them is wrong.
 */
export function zoneOffsetMinutes(differenceMs: number): number {
  const minutes = differenceMs / MINUTE_MS;
  if (Math.abs(minutes) > MAX_ZONE_MINUTES) return 0;
  const nearest = Math.round(minutes / ZONE_STEP_MINUTES) * ZONE_STEP_MINUTES;
  return Math.abs(minutes - nearest) <= TOLERANCE_MINUTES ? nearest : 0;
}
