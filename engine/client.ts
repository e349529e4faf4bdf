import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from '../specs/target.ts';
import { type Answer, type Ask, memberOf, type Operation } from './answer.ts';
import { backoffMs } from './backoff.ts';
import { Budget, type Purpose } from './budget.ts';
import { evidenceOf } from './evidence.ts';
import type { WireFailure } from './failure.ts';
import { GuardViolation, guard, READING } from './guard.ts';
import type { Journal } from './journal.ts';
import { Outage } from './outage.ts';
import { Blocked, Interrupted, NoAnswer } from './outcome.ts';
import { Pace } from './pace.ts';
import { Prospects } from './prospects.ts';
import type { Redactor } from './redaction.ts';
import { authorities } from './target/authorities.ts';
import { isFailure, Transport, type WireAnswer, type WireRequest } from './transport.ts';
import { answerOf, requestLine, wireOf } from './wording.ts';

/** The contract's recommendation for transient answers. */
const RETRIES = 3;
const TRANSPORT_RETRIES = 2;
/** A server that takes so many connections and no more cuts the others off: fewer at once get through. */
const CUT_OFF_WAIT_MS = 50;
const OTHER_RETRIES: Partial<Record<WireFailure['kind'], number>> = { timeout: 1, closed: 4 };
/** The contract calls a 500 transient, too. One that stays is the answer: so it is asked again sooner than the others. */
const WAITS_AFTER_500_MS = [250, 1000];
/** After so many that stayed, and none that went, nobody waits for another. */
const MOST_STAYING_500 = 20;
/** How often a request may meet an outage of the service behind its gateway, and wait for its end. */
const RECOVERIES = 2;
const BOUND_READS: ReadonlySet<Operation> = new Set(['read', 'treasuryBalance']);
const TRANSIENT = new Set([502, 503, 504]);

type OnExchange = (id: string) => void;

interface Sending {
  ask: Ask;
  wire: WireRequest;
  onDeparture?: () => void;
}

interface Attempt {
  id: string;
  /** When it left, as `performance.now()` tells it. */
  sentAt: number;
  result: WireAnswer | WireFailure;
}

export interface ClientOptions {
  target: Target;
  journal: Pick<Journal, 'write'>;
  redactor: Redactor;
  stop: AbortSignal;
  /** Told of every answer, retried ones too. */
  onAnswer: (answer: Answer) => void;
  /** Distinguishes the exchanges of the preflight from those of the checks. */
  idPrefix: string;
  /** False: nothing but reading requests may leave. */
  mutations: boolean;
  /** Whether whoever asks now holds others up, and so goes first. */
  urgent?: () => boolean;
  /** How long a silent target may take to answer again before the run gives up on it, in milliseconds. */
  patienceMs: number;
  /** Shared by all clients of a run, where it has several. */
  pace?: Pace;
  budget?: Budget;
}

/** Sends what checks ask, keeps the evidence, and repeats only what the contract calls transient. */
export class Client {
  private readonly options: ClientOptions;
  private readonly transport: Transport;
  private readonly pace: Pace;
  private readonly outage: Outage;
  private readonly prospects: Prospects;
  private readonly budget: Budget;
  private recovery: Outage | undefined;
  private readonly base: string;
  private count = 0;
  private readonly internalErrors = { stayed: 0, passed: 0 };
  /** Why the latest request that got no answer got none. */
  lastFailure: WireFailure | null = null;

  constructor(options: ClientOptions) {
    const { limits, baseUrl } = options.target;
    this.options = options;
    // Every request under way listens for the stop: many listeners are no leak here.
    setMaxListeners(0, options.stop);
    this.base = baseUrl.replace(/\/+$/, '');
    this.pace = options.pace ?? new Pace(limits);
    this.prospects = new Prospects(this.pace);
    this.budget = options.budget ?? new Budget(limits.maxRequests);
    const { concurrency: connections, requestTimeoutMs: timeoutMs } = limits;
    this.transport = new Transport({ connections, timeoutMs, ca: authorities(options.target) });
    this.outage = new Outage(async () => !isFailure(await this.probe([])), options.patienceMs);
  }

  /** Whether the target no longer answers, so that this client asks it nothing more. */
  get gaveUp(): boolean {
    return this.outage.silentSince !== null || this.prospects.gone;
  }

  /**
   * One request and its final answer. `check` is the id of the asking check, or null; `onExchange` is told the id of
   * every attempt, `onDeparture` that the first one has got its place and leaves. Throws Blocked when the target is silent
   * altogether, NoAnswer when only this request gets no answer.
   */
  async send(
    ask: Ask,
    check: string | null,
    onExchange: OnExchange = () => {},
    onDeparture: () => void = () => {},
  ): Promise<Answer> {
    return await this.conclude({ ...this.guarded(ask), onDeparture }, check, onExchange);
  }

  /**
   * Requests that arrive at the same moment, as many of them as the limits let go at once; the others follow. Their final
   * answers, in the same order.
   */
  async volley(asks: readonly Ask[], check: string | null, onExchange: OnExchange = () => {}): Promise<Answer[]> {
    const sendings = asks.map((ask) => this.guarded(ask));
    const attempts = await this.attemptTogether(sendings, check);
    return await Promise.all(sendings.map((sending, at) => this.conclude(sending, check, onExchange, attempts[at])));
  }

  private guarded(ask: Ask): Sending {
    const wire = wireOf(this.base, ask);
    try {
      guard(wire, this.options.target, this.options.mutations);
    } catch (violation) {
      // Only a target file can make a mutation of these: it is no defect of the kit.
      if (!(violation instanceof GuardViolation) || !BOUND_READS.has(ask.operation)) throw violation;
      const field = `operations.${ask.operation} of the target file` as const;
      throw new Blocked(field, `${field} makes this ${violation.message}, which the kit never sends`);
    }
    return { ask, wire };
  }

  /** Repeats what may be repeated until there is a final answer; the first attempt may have been made already. */
  private async conclude(
    sending: Sending,
    check: string | null,
    onExchange: OnExchange,
    first?: Attempt,
  ): Promise<Answer> {
    const { ask, wire } = sending;
    let transportTries = 0;
    let rateLimited = 0;
    let transient = 0;
    let recoveries = 0;
    let internalErrors = 0;
    let repeated = false;
    for (let attempt = 1; ; attempt += 1) {
      const made = attempt === 1 ? first : undefined;
      const anew = transportTries % 2 === 1;
      const { id, sentAt, result } = made ?? (await this.attempt(sending, check, attempt, anew));
      onExchange(id);
      if (isFailure(result)) {
        transportTries += 1;
        this.lastFailure = result;
        if (!(await this.outage.answers())) throw this.silence();
        if (transportTries > (OTHER_RETRIES[result.kind] ?? TRANSPORT_RETRIES))
          throw noAnswer(id, requestLine(ask), result);
        if (result.kind === 'closed') this.pace.narrow(CUT_OFF_WAIT_MS);
        repeated ||= mayHaveArrived(result);
        continue;
      }
      const wait = result.status === 500 ? this.waitAfter500(internalErrors) : undefined;
      if (wait !== undefined) {
        internalErrors += 1;
        await this.sleep(wait);
        continue;
      }
      if (result.status === 500) this.internalErrors.stayed += 1;
      else if (internalErrors > 0) this.internalErrors.passed += 1;
      // What is a 500 every time was done at no time, or wrongly each time: there is no doubt about it.
      const changedItsMind = internalErrors > 0 && result.status !== 500;
      const again = (repeated || changedItsMind) && !READING.has(ask.method);
      const answer: Answer = { ...answerOf(id, ask, wire, result), sentAt, repeated: again };
      if (result.truncated) throw this.prospects.withoutEnd(answer);
      this.options.onAnswer(answer);
      if (answer.status === 429 && ask.provoking) return answer;
      if (answer.status === 429) {
        this.prospects.turnedAway(answer, rateLimited);
        rateLimited += 1;
        continue;
      }
      if (isTransient(answer) && transient < RETRIES) {
        repeated = true;
        transient += 1;
        await this.sleep(backoffMs(transient - 1));
        continue;
      }
      if (isTransient(answer) && recoveries < RECOVERIES && (await this.busyAltogether(ask))) {
        await this.recover(answer);
        repeated = true;
        recoveries += 1;
        transient = 0;
        continue;
      }
      this.prospects.ordinary(ask);
      return answer;
    }
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  private waitAfter500(times: number): number | undefined {
    const { stayed, passed } = this.internalErrors;
    return stayed >= MOST_STAYING_500 && passed === 0 ? undefined : WAITS_AFTER_500_MS[times];
  }

  private async attempt(sending: Sending, check: string | null, attempt: number, anew: boolean): Promise<Attempt> {
    this.insistOnProspects(sending);
    await this.enter(() => this.pace.enter(check, 1, this.options));
    try {
      this.options.stop.throwIfAborted();
      this.insistOnProspects(sending);
      this.budget.take([purposeOf(sending.ask, check)]);
      if (attempt === 1) sending.onDeparture?.();
      const { id, sentAt, ended } = this.begin(sending, check, attempt);
      return { id, sentAt, result: ended(await this.exchange(sending.wire, anew)) };
    } catch (error) {
      throw this.orInterrupted(error);
    } finally {
      this.pace.leave(check);
    }
  }

  /** The first attempts of those requests that there were places for. */
  private async attemptTogether(sendings: readonly Sending[], check: string | null): Promise<Attempt[]> {
    for (const sending of sendings) this.insistOnProspects(sending);
    const places = await this.enter(() => this.pace.enter(check, sendings.length, this.options));
    try {
      this.options.stop.throwIfAborted();
      const going = sendings.slice(0, places);
      this.budget.take(going.map(({ ask }) => purposeOf(ask, check)));
      const begun = going.map((sending) => this.begin(sending, check, 1));
      const wires = going.map(({ wire }) => wire);
      const results = await this.transport.volley(wires, this.options.stop);
      return begun.map(({ id, sentAt, ended }, at) => ({
        id,
        sentAt,
        result: ended(results[at] as WireAnswer | WireFailure),
      }));
    } catch (error) {
      throw this.orInterrupted(error);
    } finally {
      for (let place = 0; place < places; place += 1) this.pace.leave(check);
    }
  }

  /** Numbers an exchange; `ended` keeps it as evidence. */
  private begin(
    { ask, wire }: Sending,
    check: string | null,
    attempt: number,
  ): Omit<Attempt, 'result'> & { ended: (result: WireAnswer | WireFailure) => WireAnswer | WireFailure } {
    const id = `${this.options.idPrefix}${++this.count}`;
    const at = new Date();
    const sentAt = performance.now();
    const ended = (result: WireAnswer | WireFailure) => {
      this.options.stop.throwIfAborted();
      if (purposeOf(ask, check) === 'creating' && leftNothing(result)) this.budget.release();
      const durationMs = performance.now() - sentAt;
      const { journal, redactor } = this.options;
      journal.write(evidenceOf({ id, ask, wire, check, attempt, at, durationMs, result }, redactor));
      return result;
    };
    return { id, sentAt, ended };
  }

  private orInterrupted(error: unknown): unknown {
    return this.options.stop.aborted ? new Interrupted('the run was interrupted') : error;
  }

  /** Asks for the list, before everybody who waits for a place. */
  private async probe(headers: Ask['credentials']): Promise<WireAnswer | WireFailure> {
    const wire = { method: 'GET', url: `${this.base}/api/v1/invoices?limit=1`, headers, body: null };
    guard(wire, this.options.target, false);
    await this.enter(() => this.pace.enter(null, 1, { stop: this.options.stop, urgent: () => true }));
    try {
      const kept = await this.probing(wire, false);
      return isFailure(kept) && kept.kind === 'closed' ? await this.probing(wire, true) : kept;
    } finally {
      this.pace.leave(null);
    }
  }

  private async probing(wire: WireRequest, anew: boolean): Promise<WireAnswer | WireFailure> {
    this.budget.take(['ordinary']);
    return await this.exchange(wire, anew);
  }

  /**
   * `anew` after a failure: that a kept connection closes while a request is on its way says nothing of the server. Not every time
   * anew, either: one that takes so many connections and no more has to be asked over those that there are.
   */
  private async exchange(wire: WireRequest, anew: boolean): Promise<WireAnswer | WireFailure> {
    const { stop } = this.options;
    return anew ? await this.transport.exchangeAnew(wire, stop) : await this.transport.exchange(wire, stop);
  }

  /** Whether not this request alone gets no better answer than a transient one. */
  private async busyAltogether({ credentials }: Pick<Ask, 'credentials'>): Promise<boolean> {
    const result = await this.probe(credentials);
    return isFailure(result) || result.status === 429 || TRANSIENT.has(result.status);
  }

  /** Waits for a service that is busy altogether. Throws Unusable when the patience ends first. */
  private async recover({ ask, status }: Answer): Promise<void> {
    this.recovery ??= new Outage(async () => !(await this.busyAltogether(ask)), this.options.patienceMs);
    if (await this.recovery.answers()) return;
    throw this.prospects.unavailable(status, this.recovery.silentSince ?? new Date());
  }

  /** Throws what keeps the target from being asked, where something does. */
  private insistOnProspects({ ask }: Sending): void {
    if (this.outage.silentSince) throw this.silence();
    this.prospects.insist(ask);
  }

  private async enter<T>(wait: () => Promise<T>): Promise<T> {
    try {
      return await wait();
    } catch (error) {
      throw this.orInterrupted(error);
    }
  }

  private silence(): Blocked | Interrupted {
    if (this.options.stop.aborted) return new Interrupted('the run was interrupted');
    const since = this.outage.silentSince?.toISOString() ?? 'now';
    return new Blocked('target', `the target stopped answering at ${since}: ${this.lastFailure?.message}`);
  }

  private async sleep(ms: number): Promise<void> {
    try {
      await pause(ms, undefined, { signal: this.options.stop });
    } catch {
      throw new Interrupted('the run was interrupted');
    }
  }
}

/** That production is not deployed is no passing state. */
function isTransient(answer: Answer): boolean {
  const undeployed = memberOf(answer, 'code') === 'GW_ENVIRONMENT_UNAVAILABLE' && asksProduction(answer.ask);
  return TRANSIENT.has(answer.status) && !undeployed;
}

function asksProduction({ credentials, headers = [] }: Ask): boolean {
  return [...credentials, ...headers].some(([, value]) => value === 'PRODUCTION' || value.startsWith('svc_prod_'));
}

/** Whether the server may have done what was asked, although no answer came. */
function mayHaveArrived({ kind }: WireFailure): boolean {
  return kind === 'timeout' || kind === 'closed' || kind === 'protocol';
}

function purposeOf({ operation }: Pick<Ask, 'operation'>, check: string | null): Purpose {
  if (check === null) return 'tidying';
  return operation === 'create' ? 'creating' : 'ordinary';
}

function leftNothing(result: WireAnswer | WireFailure): boolean {
  return isFailure(result) ? !mayHaveArrived(result) : result.status >= 400 && result.status < 500;
}

/** The contract gives no time within which an answer comes: one that is late cannot be judged, one that was cut off is none. */
function noAnswer(exchange: string, request: string, { kind, message }: WireFailure): NoAnswer | Blocked {
  const because = `no answer to ${request}: ${message}`;
  if (kind !== 'timeout') return new NoAnswer(exchange, request, because);
  return new Blocked('limits.requestTimeoutMs of the target file', `${because}; allow more time if it needs more`);
}
