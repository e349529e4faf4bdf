import { type ApiResponse, headerValue } from '../model/messages.ts';
import { Unusable } from '../model/outcomes.ts';
import type { Pace } from '../scheduling/request-limiter.ts';
import { BODY_CAP_BYTES } from '../transport/transport.ts';
import { backoffMs } from './backoff.ts';
import { clockOf, LONGEST_WAIT_MS, rateLimitWait } from './rate-limit-reset.ts';

/** One request may be turned away by a rate limiter no more often than that, before its window has room for everybody. */
const TURNED_AWAY = 12;
/** Nobody gets through a limiter that has turned everybody away so often in a row. */
const HOLDS_IN_A_ROW = 5;
/** An operation of which so many requests were turned away for good, and none was answered, is asked for no more. */
const MOST_IN_VAIN = 3;
const LONGEST_BACKOFF_MS = 4_000;
/** Bodies without end, each read up to the cap, before the run stops asking for more. */
const OVERLONG_IN_A_ROW = 5;

type Seen = Pick<ApiResponse, 'ask' | 'request' | 'status' | 'headers'>;
type Asking = Pick<ApiResponse['ask'], 'as' | 'operation'>;

/** Whether asking on makes sense, with a target that answers, but with nothing that can be judged. */
export class Prospects {
  private readonly pace: Pick<Pace, 'slowDown' | 'wentWell' | 'holds'>;
  private overlong = 0;
  private none: Unusable | null = null;
  /** By actor: when its rate limit ends, where that is too far away to wait for. */
  private readonly limited = new Map<string, { until: number; told: Unusable }>();

  /** By actor and operation: how many requests were turned away for good since the last that was answered. */
  private readonly inVain = new Map<string, { times: number; told: Unusable }>();

  constructor(pace: Pick<Pace, 'slowDown' | 'wentWell' | 'holds'>) {
    this.pace = pace;
  }

  get gone(): boolean {
    return this.none !== null;
  }

  /** Throws Unusable where it makes none for this actor, or for this operation of theirs. */
  insist({ as, operation }: Asking): void {
    if (this.none) throw this.none;
    const limit = this.limited.get(as);
    if (limit && limit.until > Date.now()) throw limit.told;
    if (this.inVain.size === 0) return;
    const vain = this.inVain.get(`${as} ${operation}`);
    if (vain && vain.times >= MOST_IN_VAIN) throw vain.told;
  }

  ordinary({ as, operation }: Asking): void {
    this.overlong = 0;
    if (this.inVain.size > 0) this.inVain.delete(`${as} ${operation}`);
    this.pace.wentWell();
  }

  /** Lets everybody wait for as long as a rate limiter asks. Throws Unusable where that is too long, or was in vain. */
  turnedAway({ ask, request, status, headers }: Seen, times: number): void {
    const asked = rateLimitWait(
      headerValue({ headers }, 'x-ratelimit-reset'),
      clockOf(headerValue({ headers }, 'date')),
    );
    if (asked !== null && asked > LONGEST_WAIT_MS) throw this.tooLong(ask.as, asked);
    // Where somebody is turned away again right after the moment that was named, it takes longer than that.
    const again = Math.max(times, this.pace.holds);
    const least = again === 0 ? 0 : Math.min(250 * 2 ** (again - 1), LONGEST_BACKOFF_MS);
    this.pace.slowDown(asked === null ? Math.min(backoffMs(times), LONGEST_BACKOFF_MS) : Math.max(asked, least));
    if (this.pace.holds > HOLDS_IN_A_ROW) {
      throw this.give(new Unusable(status, 'the target answers 429 to everything, although the kit waits as it asks'));
    }
    if (times >= TURNED_AWAY) {
      const told = `${request} was answered with 429 ${times + 1} times, although the kit waited each time`;
      throw this.turnedAwayForGood(ask, new Unusable(status, told));
    }
  }

  private turnedAwayForGood({ as, operation }: Asking, told: Unusable): Unusable {
    const place = `${as} ${operation}`;
    this.inVain.set(place, { times: (this.inVain.get(place)?.times ?? 0) + 1, told });
    return told;
  }

  /** The service behind a gateway did not come back. */
  unavailable(status: number, since: Date): Unusable {
    const told = `since ${since.toISOString()} the target answers ${status} to everything, however long one waits`;
    return this.give(new Unusable(status, told));
  }

  /** A body is longer than the cap: whether it ever ends is not known. */
  withoutEnd({ request, status }: Seen): Unusable {
    const longest = `${BODY_CAP_BYTES / 1024 / 1024} MiB`;
    const told = `the body of the answer to ${request} is longer than ${longest}; the kit reads no further`;
    const thrown = new Unusable(status, told);
    this.overlong += 1;
    return this.overlong < OVERLONG_IN_A_ROW ? thrown : this.give(thrown);
  }

  private tooLong(as: string, asked: number): Unusable {
    const known = this.limited.get(as);
    if (known && known.until > Date.now()) return known.told;
    const until = Date.now() + asked;
    const end = new Date(until).toISOString();
    const told = new Unusable(
      429,
      `the target answers ${as} with 429 until ${end} (X-RateLimit-Reset); the kit waits no longer than a minute`,
    );
    this.limited.set(as, { until, told });
    return told;
  }

  private give(reason: Unusable): Unusable {
    this.none ??= reason;
    return this.none;
  }
}
