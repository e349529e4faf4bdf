import { setTimeout as pause } from 'node:timers/promises';
import { Blocked } from '../../engine/model/outcomes.ts';
import type { CheckContext } from '../context/check-context.ts';
import { effectWaitMs, recordEffectWait } from '../context/effect-delays.ts';

const MIN_WAIT_MS = 20;
const MAX_WAIT_MS = 250;

/** A lookup found nothing and cannot say that there is nothing. A later one may find it: `pollUntil` repeats it. */
export class NotSeenYet extends Blocked {}

/**
 * Repeats a request until `holds` returns true or the time for an accepted change is over: `limits.settleWithinMs` by default, or
 * less for a kind of change that has been missing before in this run. The last request starts after that time; `request` gets true
 * for it.
 */
export async function pollUntil<T>(
  ctx: CheckContext,
  request: (last: boolean) => Promise<T>,
  holds: (response: T) => boolean,
  withinMs?: number,
  kind?: string,
): Promise<T> {
  const since = performance.now();
  const limitMs = withinMs ?? ctx.target.limits.settleWithinMs;
  const end = since + (kind === undefined ? limitMs : effectWaitMs(ctx.run, kind, limitMs));
  const record = (isMet: boolean) => {
    const tookMs = performance.now() - since;
    if (kind !== undefined) recordEffectWait(ctx.run, kind, { tookMs, isMet, limitMs });
  };
  for (let wait = MIN_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    const last = performance.now() >= end;
    const seen = await attempt(() => request(last));
    if ('value' in seen && holds(seen.value)) {
      record(true);
      return seen.value;
    }
    if (last) {
      record(false);
      if ('error' in seen) throw seen.error;
      if (withinMs === undefined)
        ctx.execution.missedEffects.push({ startedAt: since, hasAppeared: async () => holds(await request(true)) });
      return seen.value;
    }
    await pause(Math.min(wait, Math.max(1, end - performance.now())));
  }
}

/** The result of a request, or the reason why it found nothing. */
async function attempt<T>(request: () => Promise<T>): Promise<{ value: T } | { error: NotSeenYet }> {
  try {
    return { value: await request() };
  } catch (error) {
    if (error instanceof NotSeenYet) return { error };
    throw error;
  }
}
