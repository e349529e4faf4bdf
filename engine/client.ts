import { setTimeout as pause } from 'node:timers/promises';
import type { ExchangeRecord } from '../specs/journal.ts';
import type { Target } from '../specs/target.ts';
import { type Answer, type Ask, headerOf, memberOf } from './answer.ts';
import { guard, READING } from './guard.ts';
import type { Journal } from './journal.ts';
import { Outage } from './outage.ts';
import { Blocked, Interrupted, NoAnswer } from './outcome.ts';
import { Pace } from './pace.ts';
import { rateLimitWait } from './rate-limit-reset.ts';
import type { Redactor } from './redaction.ts';
import { isFailure, Transport, type WireAnswer, type WireFailure, type WireRequest } from './transport.ts';

/** The contract's recommendation for transient answers. */
const RETRIES = 3;
/** A rate limiter may say no more often than that before its window has room for everybody. */
const RATE_LIMIT_RETRIES = 12;
const TRANSPORT_RETRIES = 2;
const EVIDENCE_BODY_LIMIT = 64 * 1024;
const TRANSIENT = new Set([502, 503, 504]);

type OnExchange = (id: string) => void;

interface Sending {
  ask: Ask;
  wire: WireRequest;
}

interface Attempt {
  id: string;
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
  /** How long a silent target may take to answer again before the run gives up on it, in milliseconds. */
  patienceMs: number;
}

/** Sends what checks ask, keeps the evidence, and repeats only what the contract calls transient. */
export class Client {
  private readonly options: ClientOptions;
  private readonly transport: Transport;
  private readonly pace: Pace;
  private readonly outage: Outage;
  private readonly base: string;
  private count = 0;
  /** Why the latest request that got no answer got none. */
  lastFailure = '';

  constructor(options: ClientOptions) {
    const { limits, baseUrl } = options.target;
    this.options = options;
    this.base = baseUrl.replace(/\/+$/, '');
    this.pace = new Pace(limits);
    this.transport = new Transport({ connections: limits.concurrency, timeoutMs: limits.requestTimeoutMs });
    this.outage = new Outage(() => this.answersAtAll(), options.patienceMs);
  }

  /**
   * One request and its final answer. `check` is the id of the asking check, or null; `onExchange` is told the id of
   * every attempt. Throws Blocked when the target is silent altogether, NoAnswer when only this request gets no answer.
   */
  async send(ask: Ask, check: string | null, onExchange: OnExchange = () => {}): Promise<Answer> {
    return await this.conclude(this.guarded(ask), check, onExchange);
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
    const wire = this.wire(ask);
    guard(wire, this.options.target, this.options.mutations);
    return { ask, wire };
  }

  /** Repeats what may be repeated until there is a final answer; the first attempt may have been made already. */
  private async conclude(
    { ask, wire }: Sending,
    check: string | null,
    onExchange: OnExchange,
    first?: Attempt,
  ): Promise<Answer> {
    let transportTries = 0;
    let rateLimited = 0;
    let repeated = false;
    for (let attempt = 1; ; attempt += 1) {
      const made = attempt === 1 ? first : undefined;
      const { id, result } = made ?? (await this.attempt({ ask, wire }, check, attempt));
      onExchange(id);
      if (isFailure(result)) {
        transportTries += 1;
        this.lastFailure = result.message;
        if (!(await this.outage.answers())) throw this.silence();
        if (transportTries > TRANSPORT_RETRIES || (result.kind === 'timeout' && transportTries > 1)) {
          throw new NoAnswer(id, requestLine(ask), `no answer to ${requestLine(ask)}: ${result.message}`);
        }
        repeated ||= mayHaveArrived(result);
        continue;
      }
      const answer: Answer = { ...toAnswer(id, ask, wire, result), repeated: repeated && !READING.has(ask.method) };
      this.options.onAnswer(answer);
      if (answer.status === 429 && ask.provoking) return answer;
      if (answer.status === 429 && rateLimited < RATE_LIMIT_RETRIES) {
        const asked = rateLimitWait(headerOf(answer, 'x-ratelimit-reset'), Date.now());
        this.pace.slowDown(asked ?? backoffMs(Math.min(rateLimited, RETRIES - 1)));
        rateLimited += 1;
        continue;
      }
      if (isTransient(answer) && attempt - rateLimited <= RETRIES) {
        repeated = true;
        await this.sleep(backoffMs(attempt - rateLimited - 1));
        continue;
      }
      if (answer.status === 429 || (isTransient(answer) && (await this.busyAltogether()))) {
        throw new Blocked('target', `the target answers ${answer.status} to everything, however long one waits`);
      }
      this.pace.wentWell();
      return answer;
    }
  }

  async close(): Promise<void> {
    await this.transport.close();
  }

  private async attempt(sending: Sending, check: string | null, attempt: number): Promise<Attempt> {
    if (this.outage.silentSince) throw this.silence();
    await this.pace.enter();
    try {
      this.options.stop.throwIfAborted();
      const { id, ended } = this.begin(sending, check, attempt);
      return { id, result: ended(await this.transport.exchange(sending.wire, this.options.stop)) };
    } catch (error) {
      throw this.orInterrupted(error);
    } finally {
      this.pace.leave();
    }
  }

  /** The first attempts of those requests that there were places for. */
  private async attemptTogether(sendings: readonly Sending[], check: string | null): Promise<Attempt[]> {
    if (this.outage.silentSince) throw this.silence();
    const places = await this.pace.enterTogether(sendings.length);
    try {
      this.options.stop.throwIfAborted();
      const going = sendings.slice(0, places);
      const begun = going.map((sending) => this.begin(sending, check, 1));
      const wires = going.map(({ wire }) => wire);
      const results = await this.transport.volley(wires, this.options.stop);
      return begun.map(({ id, ended }, at) => ({ id, result: ended(results[at] as WireAnswer | WireFailure) }));
    } catch (error) {
      throw this.orInterrupted(error);
    } finally {
      for (let place = 0; place < places; place += 1) this.pace.leave();
    }
  }

  /** Numbers an exchange; `ended` keeps it as evidence. */
  private begin(
    { ask, wire }: Sending,
    check: string | null,
    attempt: number,
  ): { id: string; ended: (result: WireAnswer | WireFailure) => WireAnswer | WireFailure } {
    const id = `${this.options.idPrefix}${++this.count}`;
    const at = new Date();
    const started = performance.now();
    const ended = (result: WireAnswer | WireFailure) => {
      this.options.stop.throwIfAborted();
      this.keep({ id, ask, wire, check, attempt, at, durationMs: performance.now() - started, result });
      return result;
    };
    return { id, ended };
  }

  private orInterrupted(error: unknown): unknown {
    return this.options.stop.aborted ? new Interrupted('the run was interrupted') : error;
  }

  private wire(ask: Ask): WireRequest {
    const headers: [string, string][] = [['accept', 'application/json']];
    const body = ask.body === undefined ? null : typeof ask.body === 'string' ? ask.body : JSON.stringify(ask.body);
    const given = [...ask.credentials, ...(ask.headers ?? [])].map(([name, value]): [string, string] => [name, value]);
    const ownType = given.some(([name]) => name.toLowerCase() === 'content-type');
    if (body !== null && !ownType && !ask.untyped) headers.push(['content-type', 'application/json']);
    return { method: ask.method, url: `${this.base}${ask.path}`, headers: [...headers, ...given], body };
  }

  private keep(seen: {
    id: string;
    ask: Ask;
    wire: WireRequest;
    check: string | null;
    attempt: number;
    at: Date;
    durationMs: number;
    result: WireAnswer | WireFailure;
  }): void {
    const { redactor, journal } = this.options;
    const masked = (headers: readonly (readonly [string, string])[]) =>
      headers.map(([name, value]): [string, string] => [name, redactor.header(name, value)]);
    const answered = isFailure(seen.result) ? null : seen.result;
    const record: ExchangeRecord = {
      kind: 'exchange',
      id: seen.id,
      check: seen.check,
      label: `${seen.ask.as}: ${seen.ask.operation}`,
      actor: seen.ask.as,
      attempt: seen.attempt,
      at: seen.at.toISOString(),
      durationMs: Math.round(seen.durationMs * 10) / 10,
      request: {
        method: seen.wire.method,
        url: seen.wire.url,
        headers: masked(seen.wire.headers),
        body: seen.wire.body === null ? null : cut(redactor.text(seen.wire.body.toString())),
      },
      response: answered && {
        status: answered.status,
        headers: masked(answered.headers),
        // Masked before it is cut: half a secret would not be recognised.
        body: cut(redactor.text(answered.text)),
        bytes: answered.bytes,
        truncated: answered.truncated || answered.text.length > EVIDENCE_BODY_LIMIT,
      },
      failure: isFailure(seen.result) ? { kind: seen.result.kind, message: seen.result.message } : null,
    };
    journal.write(record);
  }

  private async answersAtAll(): Promise<boolean> {
    const wire = { method: 'GET', url: `${this.base}/api/v1/invoices?limit=1`, headers: [], body: null };
    guard(wire, this.options.target, false);
    return !isFailure(await this.transport.exchange(wire, this.options.stop));
  }

  /** Whether not this request alone gets no better answer than a transient one. */
  private async busyAltogether(): Promise<boolean> {
    const wire = { method: 'GET', url: `${this.base}/api/v1/invoices?limit=1`, headers: [], body: null };
    guard(wire, this.options.target, false);
    const result = await this.transport.exchange(wire, this.options.stop);
    return isFailure(result) || result.status === 429 || TRANSIENT.has(result.status);
  }

  private silence(): Blocked | Interrupted {
    if (this.options.stop.aborted) return new Interrupted('the run was interrupted');
    const since = this.outage.silentSince?.toISOString() ?? 'now';
    return new Blocked('target', `the target stopped answering at ${since}: ${this.lastFailure}`);
  }

  private async sleep(ms: number): Promise<void> {
    try {
      await pause(ms, undefined, { signal: this.options.stop });
    } catch {
      throw new Interrupted('the run was interrupted');
    }
  }
}

/** The contract's `min(2^attempt x 1000, 30000)` milliseconds plus 0 to 10 percent. */
export function backoffMs(attempt: number): number {
  const delay = Math.min(2 ** attempt * 1000, 30_000);
  return delay * (1 + Math.random() * 0.1);
}

function isTransient(answer: Answer): boolean {
  return TRANSIENT.has(answer.status) && memberOf(answer, 'code') !== 'GW_ENVIRONMENT_UNAVAILABLE';
}

/** Whether the server may have done what was asked, although no answer came. */
function mayHaveArrived({ kind }: WireFailure): boolean {
  return kind === 'timeout' || kind === 'closed' || kind === 'protocol';
}

function toAnswer(exchange: string, ask: Ask, wire: WireRequest, result: WireAnswer): Omit<Answer, 'repeated'> {
  const { status, headers, text } = result;
  const sent = wire.body === null ? null : wire.body.toString();
  return { exchange, ask, request: requestLine(ask), sent, status, headers, text, json: parsed(text) };
}

export function requestLine(ask: Pick<Ask, 'method' | 'path'>): string {
  return `${ask.method} ${ask.path}`;
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: that is judged by the check that owns the sentence, everywhere else the body counts as absent.
    return undefined;
  }
}

function cut(text: string): string {
  return text.length > EVIDENCE_BODY_LIMIT ? text.slice(0, EVIDENCE_BODY_LIMIT) : text;
}
