import { type ApiRequest, type ApiResponse, headerValue } from '../model/messages.ts';
import { UnusableTarget } from '../model/outcomes.ts';
import type { RequestLimiter } from '../scheduling/request-limiter.ts';
import { MAX_BODY_BYTES } from '../transport/transport.ts';
import { backoffMs } from './backoff.ts';
import { MAX_RATE_LIMIT_WAIT_MS, rateLimitWaitMs, serverTimeMs } from './rate-limit-reset.ts';

/** One request may be turned away by a rate limiter no more often than that, before its window has room for everybody. */
const MAX_429_PER_REQUEST = 12;
/** Nobody gets through a limiter that has turned everybody away so often in a row. */
const MAX_CONSECUTIVE_PAUSES = 5;
/** An operation of which so many requests were turned away for good, and none was answered, is asked for no more. */
const MAX_REJECTIONS = 3;
const MAX_BACKOFF_MS = 4_000;
/** Bodies without end, each read up to the cap, before the run stops asking for more. */
const MAX_CONSECUTIVE_OVERSIZED = 5;

type ObservedResponse = Pick<ApiResponse, 'request' | 'requestLine' | 'status' | 'headers'>;
type RequestKey = Pick<ApiRequest, 'actorLabel' | 'operation'>;

/** Whether asking on makes sense, with a target that answers, but with nothing that can be judged. */
export class CircuitBreaker {
  private readonly limiter: Pick<RequestLimiter, 'slowDown' | 'onSuccess' | 'consecutivePauses'>;
  private oversizedBodies = 0;
  private openReason: UnusableTarget | null = null;
  /** By actor: when its rate limit ends, where that is too far away to wait for. */
  private readonly rateLimits = new Map<string, { until: number; told: UnusableTarget }>();

  /** By actor and operation: how many requests were turned away for good since the last that was answered. */
  private readonly rejections = new Map<string, { times: number; told: UnusableTarget }>();

  constructor(pace: Pick<RequestLimiter, 'slowDown' | 'onSuccess' | 'consecutivePauses'>) {
    this.limiter = pace;
  }

  get isOpen(): boolean {
    return this.openReason !== null;
  }

  /** Throws Unusable where it makes none for this actor, or for this operation of theirs. */
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
    if (this.rejections.size > 0) this.rejections.delete(`${actorLabel} ${operation}`);
    this.limiter.onSuccess();
  }

  /** Lets everybody wait for as long as a rate limiter asks. Throws Unusable where that is too long, or was in vain. */
  onRateLimited({ request: ask, requestLine, status, headers }: ObservedResponse, times: number): void {
    const asked = rateLimitWaitMs(
      headerValue({ headers }, 'x-ratelimit-reset'),
      serverTimeMs(headerValue({ headers }, 'date')),
    );
    if (asked !== null && asked > MAX_RATE_LIMIT_WAIT_MS) throw this.rateLimitTooLong(ask.actorLabel, asked);
    // Where somebody is turned away again right after the moment that was named, it takes longer than that.
    const again = Math.max(times, this.limiter.consecutivePauses);
    const least = again === 0 ? 0 : Math.min(250 * 2 ** (again - 1), MAX_BACKOFF_MS);
    this.limiter.slowDown(asked === null ? Math.min(backoffMs(times), MAX_BACKOFF_MS) : Math.max(asked, least));
    if (this.limiter.consecutivePauses > MAX_CONSECUTIVE_PAUSES) {
      throw this.open(
        new UnusableTarget(status, 'the target answers 429 to everything, although the kit waits as it asks'),
      );
    }
    if (times >= MAX_429_PER_REQUEST) {
      const told = `${requestLine} was answered with 429 ${times + 1} times, although the kit waited each time`;
      throw this.recordRejection(ask, new UnusableTarget(status, told));
    }
  }

  private recordRejection({ actorLabel, operation }: RequestKey, told: UnusableTarget): UnusableTarget {
    const place = `${actorLabel} ${operation}`;
    this.rejections.set(place, { times: (this.rejections.get(place)?.times ?? 0) + 1, told });
    return told;
  }

  /** The service behind a gateway did not come back. */
  onUnavailable(status: number, since: Date): UnusableTarget {
    const told = `since ${since.toISOString()} the target answers ${status} to everything, however long one waits`;
    return this.open(new UnusableTarget(status, told));
  }

  /** A body is longer than the cap: whether it ever ends is not known. */
  onOversizedBody({ requestLine, status }: ObservedResponse): UnusableTarget {
    const longest = `${MAX_BODY_BYTES / 1024 / 1024} MiB`;
    const told = `the body of the answer to ${requestLine} is longer than ${longest}; the kit reads no further`;
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
      `the target answers ${as} with 429 until ${end} (X-RateLimit-Reset); the kit waits no longer than a minute`,
    );
    this.rateLimits.set(as, { until, told });
    return told;
  }

  private open(reason: UnusableTarget): UnusableTarget {
    this.openReason ??= reason;
    return this.openReason;
  }
}
