import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from '../../specs/target-file/target.ts';
import { toExchangeRecord } from '../evidence/exchange-record.ts';
import type { Journal } from '../evidence/journal.ts';
import type { Redactor } from '../evidence/redactor.ts';
import { type ApiRequest, is2xx } from '../model/messages.ts';
import { Interrupted } from '../model/outcomes.ts';
import { RequestBudget, type RequestPurpose } from '../scheduling/request-budget.ts';
import { RequestLimiter } from '../scheduling/request-limiter.ts';
import { isFailure, type Transport, type WireRequest, type WireResult } from '../transport/transport.ts';
import { mayHaveArrived } from '../transport/transport-failure.ts';
import { targetTransport } from './target-transport.ts';

/** Pause before an exclusive request, so that the target can recover from load. */
const SETTLE_BEFORE_EXCLUSIVE_MS = 500;

export interface PreparedRequest {
  request: ApiRequest;
  wire: WireRequest;
  onDispatch: (() => void) | undefined;
}

/** How to send a request. */
export interface SendOptions {
  /** The number of the attempt, from 1. */
  attempt: number;
  /** Whether to use a new connection. */
  newConnection: boolean;
  /** Whether no other request may be in flight. */
  exclusive: boolean;
}

export interface Exchange {
  id: string;
  /** When the request was sent, by `performance.now()`. */
  sentAt: number;
  result: WireResult;
}

export interface ExchangeSenderOptions {
  target: Target;
  journal: Pick<Journal, 'write' | 'maxBodyLength'>;
  redactor: Redactor;
  signal: AbortSignal;
  /** Distinguishes the exchanges of the preflight from those of the checks. */
  idPrefix: string;
  /** Shared by all clients of a run. */
  limiter?: RequestLimiter;
  budget?: RequestBudget;
  /** Throws if no request may be sent to the target. */
  assertSendable: (ask: ApiRequest) => void;
}

/** Sends single attempts of requests: each waits for the limiter, is counted in the budget, is sent once and is recorded as evidence. */
export class ExchangeSender {
  readonly limiter: RequestLimiter;
  private readonly options: ExchangeSenderOptions;
  private readonly transport: Transport;
  private readonly budget: RequestBudget;
  private readonly closeController = new AbortController();
  private exchangeCount = 0;

  constructor(options: ExchangeSenderOptions) {
    const { limits } = options.target;
    // A finished check may leave requests in flight, which are not evidence after the run is closed.
    const stop = AbortSignal.any([options.signal, this.closeController.signal]);
    // Every request in flight listens to it, so many listeners are not a leak.
    setMaxListeners(0, stop);
    this.options = { ...options, signal: stop };
    this.limiter = options.limiter ?? new RequestLimiter(limits);
    this.budget = options.budget ?? new RequestBudget(limits.maxRequests);
    this.transport = targetTransport(options.target, stop);
  }

  async send(
    sending: PreparedRequest,
    check: string | null,
    { attempt, newConnection, exclusive }: SendOptions,
  ): Promise<Exchange> {
    const { assertSendable, signal } = this.options;
    assertSendable(sending.request);
    let places = 0;
    try {
      places = await this.limiter.acquire(check, 1, { signal, urgent: sending.request.isUrgent, exclusive });
      if (exclusive) await this.sleep(SETTLE_BEFORE_EXCLUSIVE_MS);
      signal.throwIfAborted();
      assertSendable(sending.request);
      this.budget.spend([this.purposeOf(sending.request)]);
      if (attempt === 1) sending.onDispatch?.();
      const { id, sentAt, ended } = this.beginExchange(sending, check, attempt);
      const { transport } = this;
      const sent = newConnection ? transport.exchangeOnNewConnection(sending.wire) : transport.exchange(sending.wire);
      return { id, sentAt, result: ended(await sent) };
    } catch (error) {
      throw this.asInterrupted(error);
    } finally {
      this.release(places, check);
    }
  }

  /** Sends the first attempts of as many requests as the limiter permits. */
  async sendSimultaneously(preparedRequests: readonly PreparedRequest[], check: string | null): Promise<Exchange[]> {
    const { assertSendable, signal } = this.options;
    for (const { request: ask } of preparedRequests) assertSendable(ask);
    let places = 0;
    try {
      places = await this.limiter.acquire(check, preparedRequests.length, {
        signal,
        urgent: preparedRequests.some(({ request: ask }) => ask.isUrgent),
      });
      signal.throwIfAborted();
      const going = preparedRequests.slice(0, places);
      this.budget.spend(going.map(({ request: ask }) => this.purposeOf(ask)));
      const begun = going.map((sending) => this.beginExchange(sending, check, 1));
      const wires = going.map(({ wire }) => wire);
      const results = await this.transport.exchangeSimultaneously(wires);
      return begun.map(({ id, sentAt, ended }, at) => ({
        id,
        sentAt,
        result: ended(results[at] as WireResult),
      }));
    } catch (error) {
      throw this.asInterrupted(error);
    } finally {
      this.release(places, check);
    }
  }

  /** Finds out whether the target responds at all, ahead of all queued requests. Not recorded as evidence. */
  async probe(wire: WireRequest): Promise<WireResult> {
    const kept = await this.probeOnce(() => this.transport.exchange(wire));
    return isFailure(kept) && kept.kind === 'closed'
      ? await this.probeOnce(() => this.transport.exchangeOnNewConnection(wire))
      : kept;
  }

  private async probeOnce(send: () => Promise<WireResult>): Promise<WireResult> {
    let places = 0;
    try {
      places = await this.limiter.acquire(null, 1, { signal: this.options.signal, urgent: true });
      this.budget.spend(['ordinary']);
      return await send();
    } catch (error) {
      throw this.asInterrupted(error);
    } finally {
      this.release(places, null);
    }
  }

  async sleep(ms: number): Promise<void> {
    try {
      await pause(ms, undefined, { signal: this.options.signal });
    } catch {
      throw new Interrupted('the run was interrupted');
    }
  }

  /** Ends all requests in flight or queued as Interrupted. No more requests are sent. */
  async close(): Promise<void> {
    this.closeController.abort();
    await this.transport.close();
  }

  private release(places: number, check: string | null): void {
    for (let place = 0; place < places; place += 1) this.limiter.release(check);
  }

  /** Assigns an id to an exchange; `ended` records it as evidence. */
  private beginExchange(
    { request: ask, wire }: PreparedRequest,
    check: string | null,
    attempt: number,
  ): Omit<Exchange, 'result'> & { ended: (result: WireResult) => WireResult } {
    const id = `${this.options.idPrefix}${++this.exchangeCount}`;
    const at = new Date();
    const sentAt = performance.now();
    const ended = (result: WireResult) => {
      this.options.signal.throwIfAborted();
      this.releaseReservations(ask, result);
      const durationMs = performance.now() - sentAt;
      const { journal, redactor } = this.options;
      journal.write(
        toExchangeRecord(
          { id, request: ask, wire, check, attempt, at, durationMs, result },
          redactor,
          journal.maxBodyLength,
        ),
      );
      return result;
    };
    return { id, sentAt, ended };
  }

  private purposeOf({ operation }: Pick<ApiRequest, 'operation'>): RequestPurpose {
    if (operation === 'create' || operation === 'webhookCreate') return 'creating';
    if (this.budget.isCleaningUp) return 'cleaning up';
    return operation === 'dispute' ? 'disputing' : 'ordinary';
  }

  private releaseReservations(ask: ApiRequest, result: WireResult): void {
    if (hasChangedNothing(result)) this.budget.releaseReservation(this.purposeOf(ask));
    const isResolved = ask.operation === 'resolve' && !isFailure(result) && is2xx(result);
    if (isResolved && !this.budget.isCleaningUp) this.budget.releaseResolved();
  }

  private asInterrupted(error: unknown): unknown {
    return this.options.signal.aborted ? new Interrupted('the run was interrupted') : error;
  }
}

function hasChangedNothing(result: WireResult): boolean {
  return isFailure(result) ? !mayHaveArrived(result) : result.status >= 400 && result.status < 500;
}
