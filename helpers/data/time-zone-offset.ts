const MINUTE_MS = 60_000;
const MAX_ZONE_MINUTES = 16 * 60;
/** Every zone of the world lies a multiple of this from UTC. */
const ZONE_STEP_MINUTES = 15;
const TOLERANCE_MINUTES = 2.5;

/**
 * The offset in minutes of the time zone that a difference between two clocks looks like, 0 when it looks like none: either
 * they agree, or one of them is simply wrong, which says nothing of zones.
 */
export function zoneOffsetMinutes(differenceMs: number): number {
  const minutes = differenceMs / MINUTE_MS;
  if (Math.abs(minutes) > MAX_ZONE_MINUTES) return 0;
  const nearest = Math.round(minutes / ZONE_STEP_MINUTES) * ZONE_STEP_MINUTES;
  return Math.abs(minutes - nearest) <= TOLERANCE_MINUTES ? nearest : 0;
}
