import { type ApiRequest, type ApiResponse, describeTypedResponse, headerValue } from '../model/messages.ts';
import { UnusableTarget } from '../model/outcomes.ts';
import type { RequestLimiter } from '../scheduling/request-limiter.ts';
import { MAX_BODY_BYTES } from '../transport/transport.ts';
import { backoffMs } from './backoff.ts';
import { MAX_RATE_LIMIT_WAIT_MS, rateLimitWaitMs, serverTimeMs } from './rate-limit-reset.ts';

/** How many 429 responses one request may get before it counts as rejected. */
const MAX_429_PER_REQUEST = 20;
/** After this number of pauses in a row, the circuit opens. */
const MAX_CONSECUTIVE_PAUSES = 5;
/** For a target that has worked, the pauses must also last this long: its quota may have a window of a minute. */
const MIN_PATIENCE_MS = MAX_RATE_LIMIT_WAIT_MS + 5_000;
/** After this number of rejected requests of an operation without a success, the kit sends it no more. */
const MAX_REJECTIONS = 3;
const MAX_BACKOFF_MS = 4_000;
/** After this number of oversized bodies in a row, the circuit opens. */
const MAX_CONSECUTIVE_OVERSIZED = 5;
const MAX_SHOWN_CHARACTERS = 120;

type ObservedResponse = Pick<ApiResponse, 'request' | 'requestLine' | 'status' | 'headers'>;
type RequestKey = Pick<ApiRequest, 'actorLabel' | 'operation'>;

/** Stops requests to a target that responds, but with nothing that can be judged. */
export class CircuitBreaker {
  private readonly limiter: Pick<RequestLimiter, 'slowDown' | 'onSuccess' | 'consecutivePauses'>;
  private oversizedBodies = 0;
  private openReason: UnusableTarget | null = null;
  private hasWorked = false;
  /** When the first of the latest 429 responses in a row was received, by `performance.now()`. */
  private limitedSince: number | null = null;
  /** By actor: the end of a rate limit that is too long to wait for. */
  private readonly rateLimits = new Map<string, { until: number; told: UnusableTarget }>();

  /** By actor and operation: the number of rejected requests since the last success. */
  private readonly rejections = new Map<string, { times: number; told: UnusableTarget }>();

  constructor(pace: Pick<RequestLimiter, 'slowDown' | 'onSuccess' | 'consecutivePauses'>) {
    this.limiter = pace;
  }

  get isOpen(): boolean {
    return this.openReason !== null;
  }

  /** Throws UnusableTarget if the circuit is open for the target, this actor or this operation of the actor. */
  assertClosed({ actorLabel, operation }: RequestKey): void {
    if (this.openReason) throw this.openReason;
    const limit = this.rateLimits.get(actorLabel);
    if (limit && limit.until > Date.now()) throw limit.told;
    if (this.rejections.size === 0) return;
    const vain = this.rejections.get(`${actorLabel} ${operation}`);
    if (vain && vain.times >= MAX_REJECTIONS) throw vain.told;
  }

  onSuccess({ actorLabel, operation }: RequestKey): void {
    this.oversizedBodies = 0;
    this.hasWorked = true;
    this.limitedSince = null;
    if (this.rejections.size > 0) this.rejections.delete(`${actorLabel} ${operation}`);
    this.limiter.onSuccess();
  }

  /** Pauses all requests for the time that a rate limiter requests. Throws UnusableTarget if that is too long or did not help. */
  onRateLimited({ request: ask, requestLine, status, headers }: ObservedResponse, times: number): void {
    this.limitedSince ??= performance.now();
    const asked = rateLimitWaitMs(
      headerValue({ headers }, 'x-ratelimit-reset'),
      serverTimeMs(headerValue({ headers }, 'date')),
    );
    if (asked !== null && asked > MAX_RATE_LIMIT_WAIT_MS) throw this.rateLimitTooLong(ask.actorLabel, asked);
    // If a request is rejected again right after the given time, the limit lasts longer than the header says.
    const again = Math.max(times, this.limiter.consecutivePauses);
    const least = again === 0 ? 0 : Math.min(250 * 2 ** (again - 1), MAX_BACKOFF_MS);
    this.limiter.slowDown(asked === null ? Math.min(backoffMs(times), MAX_BACKOFF_MS) : Math.max(asked, least));
    const limitedMs = performance.now() - this.limitedSince;
    const isOutOfPatience = !this.hasWorked || limitedMs >= MIN_PATIENCE_MS;
    if (this.limiter.consecutivePauses > MAX_CONSECUTIVE_PAUSES && isOutOfPatience) {
      throw this.open(
        new UnusableTarget(
          status,
          'the target returns 429 to every request, although the kit waits as long as the target requests',
        ),
      );
    }
    if (times >= MAX_429_PER_REQUEST) {
      const told = `${requestLine} returned 429 ${times + 1} times, although the kit waited each time`;
      throw this.recordRejection(ask, new UnusableTarget(status, told));
    }
  }

  private recordRejection({ actorLabel, operation }: RequestKey, told: UnusableTarget): UnusableTarget {
    const place = `${actorLabel} ${operation}`;
    this.rejections.set(place, { times: (this.rejections.get(place)?.times ?? 0) + 1, told });
    return told;
  }

  /** The service behind a gateway did not come back. */
  onUnavailable(response: ApiResponse, since: Date): UnusableTarget {
    const { status } = response;
    const said = describeTypedResponse(response, MAX_SHOWN_CHARACTERS);
    // A target that has worked is the right one.
    const remedy = this.hasWorked
      ? ''
      : '; start the service, correct baseUrl if another one is running there, or give a starting service more time with limits.startWithinMs';
    const told = `since ${since.toISOString()} the target returns ${status} to every request, although the kit waited (${said})${remedy}`;
    return this.open(new UnusableTarget(status, told));
  }

  /** The preflight has found that the target is unavailable to every actor. */
  onUnavailableFromStart(reason: UnusableTarget): void {
    this.open(reason);
  }

  /** A body is longer than the maximum; it may be endless. */
  onOversizedBody({ requestLine, status }: ObservedResponse): UnusableTarget {
    const longest = `${MAX_BODY_BYTES / 1024 / 1024} MiB`;
    const told = `the response body of ${requestLine} is longer than ${longest}; the kit stops reading there`;
    const thrown = new UnusableTarget(status, told);
    this.oversizedBodies += 1;
    return this.oversizedBodies < MAX_CONSECUTIVE_OVERSIZED ? thrown : this.open(thrown);
  }

  private rateLimitTooLong(as: string, asked: number): UnusableTarget {
    const known = this.rateLimits.get(as);
    if (known && known.until > Date.now()) return known.told;
    const until = Date.now() + asked;
    const end = new Date(until).toISOString();
    const told = new UnusableTarget(
      429,
      `the target returns 429 to ${as} until ${end} (X-RateLimit-Reset); the kit waits one minute at most`,
    );
    this.rateLimits.set(as, { until, told });
    return told;
  }

  private open(reason: UnusableTarget): UnusableTarget {
    this.openReason ??= reason;
    return this.openReason;
  }
}
