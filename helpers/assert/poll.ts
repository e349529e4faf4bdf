import { setTimeout as pause } from 'node:timers/promises';
import type { CheckContext } from '../context/check-context.ts';

const MIN_WAIT_MS = 20;
const MAX_WAIT_MS = 250;

/**
 * Asks again until something holds, or until what was accepted had its time to show (`limits.settleWithinMs`). The last answer:
 * it was asked for when that time had passed, however long the ones before were on their way. `ask` is told which is the last.
 */
export async function pollUntil<T>(
  ctx: CheckContext,
  ask: (last: boolean) => Promise<T>,
  holds: (response: T) => boolean,
  withinMs?: number,
): Promise<T> {
  const since = performance.now();
  const end = since + (withinMs ?? ctx.target.limits.settleWithinMs);
  for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    const last = performance.now() >= end;
    const response = await ask(last);
    if (holds(response)) return response;
    if (last) {
      if (withinMs === undefined)
        ctx.execution.missedEffects.push({ startedAt: since, hasAppeared: async () => holds(await ask(true)) });
      return response;
    }
    await pause(Math.min(wait, Math.max(1, end - performance.now())));
  }
}
