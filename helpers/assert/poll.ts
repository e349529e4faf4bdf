import { setTimeout as pause } from 'node:timers/promises';
import { Blocked } from '../../engine/model/outcomes.ts';
import type { CheckContext } from '../context/check-context.ts';
import { type EffectKind, effectWaitMs, recordEffectWait } from '../context/effect-delays.ts';

const MIN_WAIT_MS = 20;
const MAX_WAIT_MS = 250;
/** After several seconds without an effect, a broken server would otherwise get most of the requests of a run. */
const MAX_LATE_WAIT_MS = 1000;
/** A late effect is noticed at most this much later, relative to the time that it took. */
const LATE_SHARE = 1 / 5;

/** A lookup found nothing and cannot say that there is nothing. A later one may find it: `pollUntil` repeats it. */
export class NotSeenYet extends Blocked {}

/**
 * Repeats a request until `holds` returns true or the time is over. `limit`: the kind of an accepted change, which may take
 * `limits.settleWithinMs`, or less if one of this kind has been missing before in this run; or a number of milliseconds. The last
 * request starts after that time; `request` gets true for it.
 */
export async function pollUntil<T>(
  ctx: CheckContext,
  request: (last: boolean) => Promise<T>,
  holds: (response: T) => boolean,
  limit: EffectKind | number,
): Promise<T> {
  const since = performance.now();
  const kind = typeof limit === 'number' ? undefined : limit;
  const limitMs = typeof limit === 'number' ? limit : ctx.target.limits.settleWithinMs;
  // Another wait for the same kind may end in vain meanwhile.
  const timeLeft = () => since + (kind ? effectWaitMs(ctx.run, kind, limitMs) : limitMs) - performance.now();
  const record = (isMet: boolean) => {
    if (kind) recordEffectWait(ctx.run, kind, { tookMs: performance.now() - since, isMet, limitMs });
  };
  for (let wait = MIN_WAIT_MS; ; wait = nextWaitMs(wait, performance.now() - since)) {
    const last = timeLeft() <= 0;
    const seen = await attempt(() => request(last));
    if ('value' in seen && holds(seen.value)) {
      record(true);
      return seen.value;
    }
    if (last) {
      record(false);
      if ('error' in seen) throw seen.error;
      if (kind)
        ctx.execution.missedEffects.push({ startedAt: since, hasAppeared: async () => holds(await request(true)) });
      return seen.value;
    }
    await pause(Math.min(wait, Math.max(1, timeLeft())));
  }
}

/** The next pause, in milliseconds: twice as long up to a quarter of a second, and longer after a second of polling. */
export function nextWaitMs(last: number, elapsedMs: number): number {
  const late = Math.min(elapsedMs * LATE_SHARE, MAX_LATE_WAIT_MS);
  return Math.min(last * 2, Math.max(MAX_WAIT_MS, late));
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
