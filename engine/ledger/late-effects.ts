import { setTimeout as pause } from 'node:timers/promises';
import { Blocked, isUnjudged } from '../model/outcomes.ts';

/** An effect that did not appear within `limits.settleWithinMs`. */
export interface MissedEffect {
  /** When the wait began, by `performance.now()`. */
  startedAt: number;
  /** Checks the effect once more. */
  hasAppeared: () => Promise<boolean>;
}

/** An effect that does not appear within this multiple of `limits.settleWithinMs` counts as missing. */
const MAX_LATENESS_FACTOR = 3;
/** Minimum observation time, for short limits. */
const MIN_OBSERVATION_MS = 2000;
const MIN_POLL_INTERVAL_MS = 250;
const MAX_POLL_INTERVAL_MS = 1000;
/** Of `limits.settleWithinMs`: a long observation needs no more requests than a short one. */
const POLL_INTERVAL_SHARE = 1 / 8;
const SETTLE_FIELD = 'limits.settleWithinMs of the target file';

/**
 * Distinguishes effects that appear later than `limits.settleWithinMs` from missing ones: the kit observes for longer before it
 * reports a breach.
 */
export class LateEffectProbe {
  private readonly settleWithinMs: number;
  /** The message about a late effect, by kind. */
  private readonly messages = new Map<string, string>();
  /** The end of the observation, by kind. */
  private readonly deadlines = new Map<string, number>();

  constructor(settleWithinMs: number) {
    this.settleWithinMs = settleWithinMs;
  }

  /** Blocked if one of the effects appears late; null if none does. `because` names the missing effect. */
  async findLate(
    all: readonly MissedEffect[],
    because = `an accepted change did not show within ${this.settleWithinMs} ms`,
    kind = 'any',
  ): Promise<Blocked | null> {
    if (all.length === 0) return null;
    const until = this.observationEnd(kind, Math.max(...all.map(({ startedAt }) => startedAt)));
    for (;;) {
      const shown = await findAppeared(all);
      if (shown) return this.blockedByLateness(performance.now() - shown.startedAt, because, kind);
      if (performance.now() >= until) return null;
      await pause(Math.min(pollIntervalMs(this.settleWithinMs), Math.max(1, until - performance.now())));
    }
  }

  /** All late effects of a kind share the first message, so that a report shows one line. */
  private blockedByLateness(tookMs: number, because: string, kind: string): Blocked {
    if (tookMs <= this.settleWithinMs)
      return new Blocked(
        null,
        `a change showed after ${Math.ceil(tookMs)} ms; the kit waited for less, because an earlier change of this kind was missing; run this check alone with --only`,
      );
    const shown = `after ${Math.ceil(tookMs)} ms this was no longer the case`;
    const line =
      this.messages.get(kind) ?? `${because}; ${shown}: increase limits.settleWithinMs if it may take longer`;
    this.messages.set(kind, line);
    return new Blocked(SETTLE_FIELD, line);
  }

  /** After one full observation without a late effect, later callers of the same kind do not wait. This limits the duration of a run. */
  private observationEnd(kind: string, startedAt: number): number {
    // The wait before may have been shorter than the limit.
    const longest = Math.max(
      performance.now() + Math.max((MAX_LATENESS_FACTOR - 1) * this.settleWithinMs, MIN_OBSERVATION_MS),
      startedAt + MAX_LATENESS_FACTOR * this.settleWithinMs,
    );
    const known = this.messages.size > 0 ? longest : (this.deadlines.get(kind) ?? longest);
    this.deadlines.set(kind, known);
    return known;
  }
}

/** The pause between two reads of an observation, in milliseconds. */
export function pollIntervalMs(settleWithinMs: number): number {
  return Math.min(MAX_POLL_INTERVAL_MS, Math.max(MIN_POLL_INTERVAL_MS, settleWithinMs * POLL_INTERVAL_SHARE));
}

async function findAppeared(all: readonly MissedEffect[]): Promise<MissedEffect | null> {
  for (const each of all) {
    try {
      if (await each.hasAppeared()) return each;
    } catch (error) {
      // An effect that cannot be observed counts as missing.
      if (!isUnjudged(error)) throw error;
    }
  }
  return null;
}
