import { RateQuota } from './rate-quota.ts';

/** Whose requests these are: a check's id, or null for the kit's own. */
type RequestOwner = string | null;

interface AcquireOptions {
  stop?: AbortSignal;
  /** One request that has all the places for itself. */
  alone?: boolean;
  urgent?: ((whose: RequestOwner) => boolean) | undefined;
}

interface PermitRequest {
  whose: RequestOwner;
  wanted: number;
  alone: boolean;
  urgent: boolean;
}

interface QueuedRequest extends PermitRequest {
  stop: AbortSignal | undefined;
  start: (granted: number) => void;
  giveUp: (reason: unknown) => void;
}

/** So many requests of one check are no more a burden than one. */
const REQUESTS_BEFORE_YIELDING = 8;
/** Requests at once that any server stands. */
const MIN_CONCURRENCY = 4;

export interface RateLimits {
  concurrency: number;
  requestsPerSecond: number | 'none';
  requestsPerMinute?: number | 'none';
}

/** How many requests may be under way, and when: the target's limits, and what its rate limiter teaches. */
export class RequestLimiter {
  private width: number;
  private readonly widest: number;
  private readonly spacingMs: number;
  private underWay = 0;
  private readonly underWayOf = new Map<RequestOwner, number>();
  private nextStart = 0;
  private pausedUntil = 0;
  private calm = 0;
  private readonly perSecond: number;
  private waiting: QueuedRequest[] = [];
  private turn: QueuedRequest | undefined;
  private timer: NodeJS.Timeout | undefined;
  private timerEnds = Number.POSITIVE_INFINITY;
  private readonly quota: RateQuota;
  private readonly heeded = new WeakSet<AbortSignal>();
  /** How often everybody was held back since the last ordinary answer. */
  holds = 0;

  constructor(limits: RateLimits) {
    this.widest = limits.concurrency;
    this.width = limits.concurrency;
    this.perSecond = limits.requestsPerSecond === 'none' ? Number.POSITIVE_INFINITY : limits.requestsPerSecond;
    this.quota = new RateQuota(limits.requestsPerMinute ?? 'none');
    this.spacingMs = Math.max(1000 / this.perSecond, this.quota.spacingMs);
  }

  /** Somebody else has sent so many requests until now: they count, and the next one keeps its distance. */
  continues(requests: number): void {
    const now = performance.now();
    this.nextStart = now + this.spacingMs;
    this.quota.continue(requests, now);
  }

  /**
   * Waits for a place, or for several at the same moment, and tells how many there are: no more than the limits ever leave
   * free at once. Each of them must be left. Who is `urgent` goes before all who are not. Throws when the stop comes first.
   */
  enter(whose: RequestOwner, wanted: number, { stop, urgent, alone = false }: AcquireOptions = {}): Promise<number> {
    if (stop?.aborted) return Promise.reject(stop.reason);
    const wish: PermitRequest = { whose, wanted, alone, urgent: urgent?.(whose) ?? false };
    const granted = this.waiting.length === 0 ? this.grant(wish) : 0;
    if (granted > 0) return Promise.resolve(granted);
    if (stop) this.heed(stop);
    return new Promise<number>((start, giveUp) => {
      const at = wish.urgent ? this.urgentOnes() : this.waiting.length;
      this.waiting.splice(at, 0, { ...wish, stop, start, giveUp });
      this.admit();
    });
  }

  leave(whose: RequestOwner): void {
    this.count(whose, -1);
    this.quota.end(performance.now());
    this.admit();
  }

  /** A rate limiter spoke: nobody starts for `waitMs`, and fewer go at once afterwards. */
  slowDown(waitMs: number): void {
    if (this.pause(waitMs, 1)) this.holds += 1;
  }

  /** A connection was cut off: there may have been too many. Where it was for another reason, a few at once are no crowd. */
  narrow(waitMs: number): void {
    this.pause(waitMs, MIN_CONCURRENCY);
  }

  /** Whether this is the first warning: the others that were under way hit the same limit, and are one warning, not sixteen. */
  private pause(waitMs: number, least: number): boolean {
    const now = performance.now();
    const first = now >= this.pausedUntil;
    if (first) this.width = Math.min(this.width, Math.max(least, Math.floor(this.width / 2)));
    this.pausedUntil = Math.max(this.pausedUntil, now + waitMs);
    this.calm = 0;
    return first;
  }

  /** An ordinary answer came: after many of them the pace may rise again. */
  wentWell(): void {
    this.holds = 0;
    this.calm += 1;
    if (this.calm >= 500 && this.width < this.widest) {
      this.width += 1;
      this.calm = 0;
    }
  }

  private count(whose: RequestOwner, by: number): void {
    this.underWay += by;
    // The kit's own wait for nobody's but their turn.
    if (whose !== null) this.underWayOf.set(whose, (this.underWayOf.get(whose) ?? 0) + by);
  }

  /** One listener for all who wait: one for each would cost as much as the waiting. */
  private heed(stop: AbortSignal): void {
    if (this.heeded.has(stop)) return;
    this.heeded.add(stop);
    const letGo = () => {
      const gone = this.waiting.filter((each) => each.stop === stop);
      this.waiting = this.waiting.filter((each) => each.stop !== stop);
      for (const { giveUp } of gone) giveUp(stop.reason);
      this.admit();
    };
    stop.addEventListener('abort', letGo, { once: true });
  }

  private urgentOnes(): number {
    return this.waiting.filter(({ urgent }) => urgent).length;
  }

  /** Who has few requests under way, then who waits longest: long chains do not wait for another check's hundred. */
  private next(): QueuedRequest | undefined {
    let [first] = this.waiting;
    if (first?.urgent) return first;
    // Who waits for many places keeps its turn: otherwise those who wait for one would pass it for ever.
    if (this.turn && this.waiting.includes(this.turn)) return this.turn;
    const busy = ({ whose }: QueuedRequest) => Math.floor((this.underWayOf.get(whose) ?? 0) / REQUESTS_BEFORE_YIELDING);
    for (const each of this.waiting) {
      if (!first || busy(first) === 0) break;
      if (busy(each) < busy(first)) first = each;
    }
    this.turn = first && (first.alone || first.wanted > 1) ? first : undefined;
    return first;
  }

  private admit(): void {
    for (let first = this.next(); first; first = this.next()) {
      const places = this.grant(first);
      if (places === 0) return;
      this.waiting.splice(this.waiting.indexOf(first), 1);
      first.start(places);
    }
  }

  /** How many places there are for it now; 0 where it has to wait. */
  private grant({ whose, wanted, alone }: PermitRequest): number {
    const atOnce = Math.min(this.width, Math.floor(this.perSecond), this.quota.capacity);
    const places = alone ? this.width : Math.max(1, Math.min(wanted, atOnce));
    const requests = alone ? 1 : places;
    if (this.underWay + places > this.width) return 0;
    const now = performance.now();
    // Places for the same moment must have been saved up, for a rate; a quota counts for itself what it still has.
    const savedUp = this.nextStart + (requests - 1) * (1000 / this.perSecond);
    const wait = Math.max(Math.max(this.pausedUntil, savedUp) - now, this.quota.waitFor(requests, now));
    if (wait > 0) {
      this.wakeIn(wait, now);
      return 0;
    }
    // Nothing is saved up in a pause, and places for the same moment are paid for: no second ever sees more than its share.
    this.nextStart = now + requests * this.spacingMs;
    this.quota.leave(requests);
    this.count(whose, places);
    return places;
  }

  /** Looks again after so many milliseconds, or earlier where somebody waits for less. */
  private wakeIn(wait: number, now: number): void {
    if (now + wait >= this.timerEnds) return;
    clearTimeout(this.timer);
    this.timerEnds = now + wait;
    this.timer = setTimeout(() => {
      this.timerEnds = Number.POSITIVE_INFINITY;
      this.admit();
    }, wait);
  }
}
