import { type ApiResponse, headerValue } from '../model/messages.ts';
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

type ObservedResponse = Pick<ApiResponse, 'ask' | 'request' | 'status' | 'headers'>;
type RequestKey = Pick<ApiResponse['ask'], 'as' | 'operation'>;

/** Whether asking on makes sense, with a target that answers, but with nothing that can be judged. */
export class CircuitBreaker {
  private readonly pace: Pick<RequestLimiter, 'slowDown' | 'wentWell' | 'holds'>;
  private overlong = 0;
  private none: UnusableTarget | null = null;
  /** By actor: when its rate limit ends, where that is too far away to wait for. */
  private readonly limited = new Map<string, { until: number; told: UnusableTarget }>();

  /** By actor and operation: how many requests were turned away for good since the last that was answered. */
  private readonly inVain = new Map<string, { times: number; told: UnusableTarget }>();

  constructor(pace: Pick<RequestLimiter, 'slowDown' | 'wentWell' | 'holds'>) {
    this.pace = pace;
  }

  get gone(): boolean {
    return this.none !== null;
  }

  /** Throws Unusable where it makes none for this actor, or for this operation of theirs. */
  insist({ as, operation }: RequestKey): void {
    if (this.none) throw this.none;
    const limit = this.limited.get(as);
    if (limit && limit.until > Date.now()) throw limit.told;
    if (this.inVain.size === 0) return;
    const vain = this.inVain.get(`${as} ${operation}`);
    if (vain && vain.times >= MAX_REJECTIONS) throw vain.told;
  }

  ordinary({ as, operation }: RequestKey): void {
    this.overlong = 0;
    if (this.inVain.size > 0) this.inVain.delete(`${as} ${operation}`);
    this.pace.wentWell();
  }

  /** Lets everybody wait for as long as a rate limiter asks. Throws Unusable where that is too long, or was in vain. */
  turnedAway({ ask, request, status, headers }: ObservedResponse, times: number): void {
    const asked = rateLimitWaitMs(
      headerValue({ headers }, 'x-ratelimit-reset'),
      serverTimeMs(headerValue({ headers }, 'date')),
    );
    if (asked !== null && asked > MAX_RATE_LIMIT_WAIT_MS) throw this.tooLong(ask.as, asked);
    // Where somebody is turned away again right after the moment that was named, it takes longer than that.
    const again = Math.max(times, this.pace.holds);
    const least = again === 0 ? 0 : Math.min(250 * 2 ** (again - 1), MAX_BACKOFF_MS);
    this.pace.slowDown(asked === null ? Math.min(backoffMs(times), MAX_BACKOFF_MS) : Math.max(asked, least));
    if (this.pace.holds > MAX_CONSECUTIVE_PAUSES) {
      throw this.give(
        new UnusableTarget(status, 'the target answers 429 to everything, although the kit waits as it asks'),
      );
    }
    if (times >= MAX_429_PER_REQUEST) {
      const told = `${request} was answered with 429 ${times + 1} times, although the kit waited each time`;
      throw this.turnedAwayForGood(ask, new UnusableTarget(status, told));
    }
  }

  private turnedAwayForGood({ as, operation }: RequestKey, told: UnusableTarget): UnusableTarget {
    const place = `${as} ${operation}`;
    this.inVain.set(place, { times: (this.inVain.get(place)?.times ?? 0) + 1, told });
    return told;
  }

  /** The service behind a gateway did not come back. */
  unavailable(status: number, since: Date): UnusableTarget {
    const told = `since ${since.toISOString()} the target answers ${status} to everything, however long one waits`;
    return this.give(new UnusableTarget(status, told));
  }

  /** A body is longer than the cap: whether it ever ends is not known. */
  withoutEnd({ request, status }: ObservedResponse): UnusableTarget {
    const longest = `${MAX_BODY_BYTES / 1024 / 1024} MiB`;
    const told = `the body of the answer to ${request} is longer than ${longest}; the kit reads no further`;
    const thrown = new UnusableTarget(status, told);
    this.overlong += 1;
    return this.overlong < MAX_CONSECUTIVE_OVERSIZED ? thrown : this.give(thrown);
  }

  private tooLong(as: string, asked: number): UnusableTarget {
    const known = this.limited.get(as);
    if (known && known.until > Date.now()) return known.told;
    const until = Date.now() + asked;
    const end = new Date(until).toISOString();
    const told = new UnusableTarget(
      429,
      `the target answers ${as} with 429 until ${end} (X-RateLimit-Reset); the kit waits no longer than a minute`,
    );
    this.limited.set(as, { until, told });
    return told;
  }

  private give(reason: UnusableTarget): UnusableTarget {
    this.none ??= reason;
    return this.none;
  }
}
