import { setTimeout as pause } from 'node:timers/promises';
import type { CheckContext } from '../context/check-context.ts';

const MIN_WAIT_MS = 20;
const MAX_WAIT_MS = 250;

/**
 * Repeats a request until `holds` returns true or the time for an accepted change is over (`limits.settleWithinMs` by
 * default). The last request starts after that time; `request` gets true for it.
 */
export async function pollUntil<T>(
  ctx: CheckContext,
  request: (last: boolean) => Promise<T>,
  holds: (response: T) => boolean,
  withinMs?: number,
): Promise<T> {
  const since = performance.now();
  const end = since + (withinMs ?? ctx.target.limits.settleWithinMs);
  for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    const last = performance.now() >= end;
    const response = await request(last);
    if (holds(response)) return response;
    if (last) {
      if (withinMs === undefined)
        ctx.execution.missedEffects.push({ startedAt: since, hasAppeared: async () => holds(await request(true)) });
      return response;
    }
    await pause(Math.min(wait, Math.max(1, end - performance.now())));
  }
}
