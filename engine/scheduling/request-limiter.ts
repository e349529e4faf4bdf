import { RateQuota } from './rate-quota.ts';

/** The owner of requests: a check's id, or null for the kit itself. */
type RequestOwner = string | null;

interface AcquireOptions {
  signal?: AbortSignal;
  /** Whether the request takes all permits. */
  exclusive?: boolean;
  /** Whether the request goes before others. */
  urgent?: boolean | undefined;
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

/** Requests in flight per check before other checks take precedence. */
const REQUESTS_BEFORE_YIELDING = 8;
/** Concurrent requests that every server can handle. */
const MIN_CONCURRENCY = 4;

export interface RateLimits {
  concurrency: number;
  requestsPerSecond: number | 'none';
  requestsPerMinute?: number | 'none';
}

/** Limits requests in flight and per time: by the target's limits, and by the reactions of its rate limiter. */
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
  /** Pauses since the last ordinary response. */
  consecutivePauses = 0;

  constructor(limits: RateLimits) {
    this.maxConcurrency = limits.concurrency;
    this.concurrency = limits.concurrency;
    this.ratePerSecond = limits.requestsPerSecond === 'none' ? Number.POSITIVE_INFINITY : limits.requestsPerSecond;
    this.quota = new RateQuota(limits.requestsPerMinute ?? 'none');
    this.spacingMs = Math.max(1000 / this.ratePerSecond, this.quota.spacingMs);
  }

  /** Counts requests that another client has already sent. */
  recordPrevious(requests: number): void {
    const now = performance.now();
    this.nextStartAt = now + this.spacingMs;
    this.quota.recordPrevious(requests, now);
  }

  /**
   * Waits for one permit, or for several at the same moment; urgent requests go first. Returns how many were granted, which the
   * limits may reduce, and the caller must release each.
   */
  acquire(
    whose: RequestOwner,
    wanted: number,
    { signal, urgent = false, exclusive = false }: AcquireOptions = {},
  ): Promise<number> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const wish: PermitRequest = { owner: whose, permits: wanted, exclusive, urgent };
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

  /** Reacts to a rate limiter: starts no request for `waitMs` and halves the concurrency. */
  slowDown(waitMs: number): void {
    if (this.pause(waitMs, 1)) this.consecutivePauses += 1;
  }

  /** Reacts to a closed connection: there may have been too many. */
  reduceConcurrency(waitMs: number): void {
    this.pause(waitMs, MIN_CONCURRENCY);
  }

  /** Returns whether this is the first warning. Other requests in flight that hit the same limit count as the same warning. */
  private pause(waitMs: number, least: number): boolean {
    const now = performance.now();
    const first = now >= this.pausedUntil;
    if (first) this.concurrency = Math.min(this.concurrency, Math.max(least, Math.floor(this.concurrency / 2)));
    this.pausedUntil = Math.max(this.pausedUntil, now + waitMs);
    this.consecutiveSuccesses = 0;
    return first;
  }

  /** Counts an ordinary response. After many of them the concurrency rises again. */
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
    // The kit's own requests do not yield to others.
    if (whose !== null) this.inFlightByOwner.set(whose, (this.inFlightByOwner.get(whose) ?? 0) + by);
  }

  /** One listener for all queued requests, because one each is expensive. */
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

  /** Prefers owners with few requests in flight, then the longest wait, so that a chain does not wait for another check's many requests. */
  private selectNext(): QueuedRequest | undefined {
    let [first] = this.queue;
    if (first?.urgent) return first;
    // A request for several permits keeps its turn. Otherwise single requests would overtake it forever.
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

  /** The number of permits granted now; 0 if it has to wait. */
  private tryGrant({ owner, permits, exclusive }: PermitRequest): number {
    const atOnce = Math.min(this.concurrency, Math.floor(this.ratePerSecond), this.quota.capacity);
    const places = exclusive ? this.concurrency : Math.max(1, Math.min(permits, atOnce));
    const requests = exclusive ? 1 : places;
    if (this.inFlight + places > this.concurrency) return 0;
    const now = performance.now();
    // Several permits at once need accumulated time under a rate. The quota counts its own capacity.
    const savedUp = this.nextStartAt + (requests - 1) * (1000 / this.ratePerSecond);
    const wait = Math.max(Math.max(this.pausedUntil, savedUp) - now, this.quota.delayMs(requests, now));
    if (wait > 0) {
      this.scheduleAdmission(wait, now);
      return 0;
    }
    // A pause accumulates nothing, and simultaneous requests use up time, so no second exceeds the rate.
    this.nextStartAt = now + requests * this.spacingMs;
    this.quota.recordSent(requests);
    this.countInFlight(owner, places);
    return places;
  }

  /** Schedules the next admission, unless an earlier one is scheduled. */
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
