import { RateQuota } from './rate-quota.ts';

/** Whose requests these are: a check's id, or null for the kit's own. */
type RequestOwner = string | null;

interface AcquireOptions {
  signal?: AbortSignal;
  /** One request that has all the places for itself. */
  exclusive?: boolean;
  isUrgent?: ((whose: RequestOwner) => boolean) | undefined;
}

interface PermitRequest {
  owner: RequestOwner;
  permits: number;
  exclusive: boolean;
  urgent: boolean;
}

interface QueuedRequest extends PermitRequest {
  signal: AbortSignal | undefined;
  resolve: (granted: number) => void;
  reject: (reason: unknown) => void;
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
  private concurrency: number;
  private readonly maxConcurrency: number;
  private readonly spacingMs: number;
  private inFlight = 0;
  private readonly inFlightByOwner = new Map<RequestOwner, number>();
  private nextStartAt = 0;
  private pausedUntil = 0;
  private consecutiveSuccesses = 0;
  private readonly ratePerSecond: number;
  private queue: QueuedRequest[] = [];
  private nextInLine: QueuedRequest | undefined;
  private timer: NodeJS.Timeout | undefined;
  private timerEndsAt = Number.POSITIVE_INFINITY;
  private readonly quota: RateQuota;
  private readonly watchedSignals = new WeakSet<AbortSignal>();
  /** How often everybody was held back since the last ordinary answer. */
  consecutivePauses = 0;

  constructor(limits: RateLimits) {
    this.maxConcurrency = limits.concurrency;
    this.concurrency = limits.concurrency;
    this.ratePerSecond = limits.requestsPerSecond === 'none' ? Number.POSITIVE_INFINITY : limits.requestsPerSecond;
    this.quota = new RateQuota(limits.requestsPerMinute ?? 'none');
    this.spacingMs = Math.max(1000 / this.ratePerSecond, this.quota.spacingMs);
  }

  /** Somebody else has sent so many requests until now: they count, and the next one keeps its distance. */
  recordPrevious(requests: number): void {
    const now = performance.now();
    this.nextStartAt = now + this.spacingMs;
    this.quota.recordPrevious(requests, now);
  }

  /**
   * Waits for a place, or for several at the same moment, and tells how many there are: no more than the limits ever leave
   * free at once. Each of them must be left. Who is `urgent` goes before all who are not. Throws when the stop comes first.
   */
  acquire(
    whose: RequestOwner,
    wanted: number,
    { signal, isUrgent, exclusive = false }: AcquireOptions = {},
  ): Promise<number> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const wish: PermitRequest = { owner: whose, permits: wanted, exclusive, urgent: isUrgent?.(whose) ?? false };
    const granted = this.queue.length === 0 ? this.tryGrant(wish) : 0;
    if (granted > 0) return Promise.resolve(granted);
    if (signal) this.abortOn(signal);
    return new Promise<number>((start, giveUp) => {
      const at = wish.urgent ? this.urgentCount() : this.queue.length;
      this.queue.splice(at, 0, { ...wish, signal, resolve: start, reject: giveUp });
      this.admit();
    });
  }

  release(whose: RequestOwner): void {
    this.countInFlight(whose, -1);
    this.quota.recordAnswered(performance.now());
    this.admit();
  }

  /** A rate limiter spoke: nobody starts for `waitMs`, and fewer go at once afterwards. */
  slowDown(waitMs: number): void {
    if (this.pause(waitMs, 1)) this.consecutivePauses += 1;
  }

  /** A connection was cut off: there may have been too many. Where it was for another reason, a few at once are no crowd. */
  reduceConcurrency(waitMs: number): void {
    this.pause(waitMs, MIN_CONCURRENCY);
  }

  /** Whether this is the first warning: the others that were under way hit the same limit, and are one warning, not sixteen. */
  private pause(waitMs: number, least: number): boolean {
    const now = performance.now();
    const first = now >= this.pausedUntil;
    if (first) this.concurrency = Math.min(this.concurrency, Math.max(least, Math.floor(this.concurrency / 2)));
    this.pausedUntil = Math.max(this.pausedUntil, now + waitMs);
    this.consecutiveSuccesses = 0;
    return first;
  }

  /** An ordinary answer came: after many of them the pace may rise again. */
  onSuccess(): void {
    this.consecutivePauses = 0;
    this.consecutiveSuccesses += 1;
    if (this.consecutiveSuccesses >= 500 && this.concurrency < this.maxConcurrency) {
      this.concurrency += 1;
      this.consecutiveSuccesses = 0;
    }
  }

  private countInFlight(whose: RequestOwner, by: number): void {
    this.inFlight += by;
    // The kit's own wait for nobody's but their turn.
    if (whose !== null) this.inFlightByOwner.set(whose, (this.inFlightByOwner.get(whose) ?? 0) + by);
  }

  /** One listener for all who wait: one for each would cost as much as the waiting. */
  private abortOn(stop: AbortSignal): void {
    if (this.watchedSignals.has(stop)) return;
    this.watchedSignals.add(stop);
    const letGo = () => {
      const gone = this.queue.filter((each) => each.signal === stop);
      this.queue = this.queue.filter((each) => each.signal !== stop);
      for (const { reject } of gone) reject(stop.reason);
      this.admit();
    };
    stop.addEventListener('abort', letGo, { once: true });
  }

  private urgentCount(): number {
    return this.queue.filter(({ urgent }) => urgent).length;
  }

  /** Who has few requests under way, then who waits longest: long chains do not wait for another check's hundred. */
  private selectNext(): QueuedRequest | undefined {
    let [first] = this.queue;
    if (first?.urgent) return first;
    // Who waits for many places keeps its turn: otherwise those who wait for one would pass it for ever.
    if (this.nextInLine && this.queue.includes(this.nextInLine)) return this.nextInLine;
    const busy = ({ owner }: QueuedRequest) =>
      Math.floor((this.inFlightByOwner.get(owner) ?? 0) / REQUESTS_BEFORE_YIELDING);
    for (const each of this.queue) {
      if (!first || busy(first) === 0) break;
      if (busy(each) < busy(first)) first = each;
    }
    this.nextInLine = first && (first.exclusive || first.permits > 1) ? first : undefined;
    return first;
  }

  private admit(): void {
    for (let first = this.selectNext(); first; first = this.selectNext()) {
      const places = this.tryGrant(first);
      if (places === 0) return;
      this.queue.splice(this.queue.indexOf(first), 1);
      first.resolve(places);
    }
  }

  /** How many places there are for it now; 0 where it has to wait. */
  private tryGrant({ owner, permits, exclusive }: PermitRequest): number {
    const atOnce = Math.min(this.concurrency, Math.floor(this.ratePerSecond), this.quota.capacity);
    const places = exclusive ? this.concurrency : Math.max(1, Math.min(permits, atOnce));
    const requests = exclusive ? 1 : places;
    if (this.inFlight + places > this.concurrency) return 0;
    const now = performance.now();
    // Places for the same moment must have been saved up, for a rate; a quota counts for itself what it still has.
    const savedUp = this.nextStartAt + (requests - 1) * (1000 / this.ratePerSecond);
    const wait = Math.max(Math.max(this.pausedUntil, savedUp) - now, this.quota.delayMs(requests, now));
    if (wait > 0) {
      this.scheduleAdmission(wait, now);
      return 0;
    }
    // Nothing is saved up in a pause, and places for the same moment are paid for: no second ever sees more than its share.
    this.nextStartAt = now + requests * this.spacingMs;
    this.quota.recordSent(requests);
    this.countInFlight(owner, places);
    return places;
  }

  /** Looks again after so many milliseconds, or earlier where somebody waits for less. */
  private scheduleAdmission(wait: number, now: number): void {
    if (now + wait >= this.timerEndsAt) return;
    clearTimeout(this.timer);
    this.timerEndsAt = now + wait;
    this.timer = setTimeout(() => {
      this.timerEndsAt = Number.POSITIVE_INFINITY;
      this.admit();
    }, wait);
  }
}
