import { setTimeout as pause } from 'node:timers/promises';
import { Blocked, isUnjudged } from '../model/outcomes.ts';

/** Something that a check waited for in vain, as long as `limits.settleWithinMs` allows. */
export interface MissedEffect {
  /** When the wait began, by `performance.now()`. */
  startedAt: number;
  /** Looks once more. */
  hasAppeared: () => Promise<boolean>;
}

/** A change that does not show within so many times `limits.settleWithinMs` never shows. */
const MAX_LATENESS_FACTOR = 3;
/** However short that time is. */
const MIN_OBSERVATION_MS = 2000;
const POLL_INTERVAL_MS = 250;
const SETTLE_FIELD = 'limits.settleWithinMs of the target file';

/**
 * Tells a change that shows later than `limits.settleWithinMs` from one that never shows: what a check waited for in vain is looked at
 * for longer before it counts as a breach.
 */
export class LateEffectProbe {
  private readonly settleWithinMs: number;
  /** What was late, by its kind. */
  private readonly messages = new Map<string, string>();
  /** Until when what is of one kind is looked at. */
  private readonly deadlines = new Map<string, number>();

  constructor(settleWithinMs: number) {
    this.settleWithinMs = settleWithinMs;
  }

  /** Blocked where something that was waited for in vain shows after all; null where nothing does. `because` says what did not show. */
  async findLate(
    all: readonly MissedEffect[],
    because = `an accepted change did not show within ${this.settleWithinMs} ms`,
    kind = 'any',
  ): Promise<Blocked | null> {
    if (all.length === 0) return null;
    const until = this.observationEnd(kind);
    for (;;) {
      const shown = await findAppeared(all);
      if (shown) return this.blockedByLateness(performance.now() - shown.startedAt, because, kind);
      if (performance.now() >= until) return null;
      await pause(Math.min(POLL_INTERVAL_MS, Math.max(1, until - performance.now())));
    }
  }

  /** The first of its kind stands for all: a report tells it in one line. */
  private blockedByLateness(tookMs: number, because: string, kind: string): Blocked {
    const shown = `after ${Math.ceil(tookMs)} ms this was no longer so`;
    const line = this.messages.get(kind) ?? `${because}; ${shown}: raise limits.settleWithinMs if it may take longer`;
    this.messages.set(kind, line);
    return new Blocked(SETTLE_FIELD, line);
  }

  /** Once nothing of a kind has shown late for the whole time, nobody else waits for it: a broken server must not take for ever. */
  private observationEnd(kind: string): number {
    const longest = performance.now() + Math.max((MAX_LATENESS_FACTOR - 1) * this.settleWithinMs, MIN_OBSERVATION_MS);
    const known = this.messages.size > 0 ? longest : (this.deadlines.get(kind) ?? longest);
    this.deadlines.set(kind, known);
    return known;
  }
}

async function findAppeared(all: readonly MissedEffect[]): Promise<MissedEffect | null> {
  for (const each of all) {
    try {
      if (await each.hasAppeared()) return each;
    } catch (error) {
      // What cannot be looked at does not show.
      if (!isUnjudged(error)) throw error;
    }
  }
  return null;
}
