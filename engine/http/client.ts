import type { ApiRequest, ApiResponse, Operation } from '../model/messages.ts';
import { Blocked, Interrupted, NoResponse, NotApplicable, UnusableTarget } from '../model/outcomes.ts';
import { isFailure, type WireResult } from '../transport/transport.ts';
import { mayHaveArrived, type WireFailure } from '../transport/transport-failure.ts';
import { AvailabilityProbe } from './availability-probe.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { type Exchange, ExchangeSender, type ExchangeSenderOptions, type PreparedRequest } from './exchange-sender.ts';
import { type AddedHeaders, requestLine, toApiResponse, toWireRequest, withAddedHeaders } from './message-mapping.ts';
import { GuardError, ProductionGuard } from './production-guard.ts';
import { RetryHistory } from './retry-history.ts';
import { type Attempt, isTransient, isTransientStatus, type RetryRule, retryRules } from './retry-rules.ts';
import { waitForStart } from './service-start-up.ts';

/** A server at its connection limit closes further connections, so the kit reduces its concurrency. */
const CLOSED_CONNECTION_WAIT_MS = 50;
/** After this number of persistent 500s without a recovery, the kit no longer retries a 500. */
const MAX_PERSISTENT_500 = 20;
/** After this number of failures of retries without other requests and no success, the kit stops trying. */
const MAX_FAILED_EXCLUSIVE_RETRIES = 10;
/** After this number of requests that lost a connection and succeeded later, a closed connection says little about one request. */
const MIN_RECONNECTED = 20;
const BOUND_READS: ReadonlySet<Operation> = new Set(['read', 'treasuryBalance']);

type OnExchange = (id: string) => void;

export interface ClientOptions extends Omit<ExchangeSenderOptions, 'assertSendable'> {
  /** Called for every response, including retried ones. */
  onResponse: (response: ApiResponse) => void;
  /** Sent with every request; absent for none. */
  userAgent?: string | undefined;
  /** If false, only reading requests may be sent. */
  mayMutate: boolean;
  /** How long an unresponsive target may take to respond again before the run gives up, in milliseconds. */
  outageTimeoutMs: number;
  /** Set if the preflight got only 429, 502, 503 or 504: then nothing is sent. */
  unavailable?: { status: number; reason: string } | undefined;
}

/** Sends the requests of checks, records the evidence, and retries only transient errors of the contract. */
export class Client {
  private readonly options: ClientOptions;
  private readonly sender: ExchangeSender;
  private readonly guard: ProductionGuard;
  private readonly availability: AvailabilityProbe;
  private readonly circuitBreaker: CircuitBreaker;
  private recoveryProbe: AvailabilityProbe | undefined;
  private readonly baseUrl: string;
  private readonly addedHeaders: AddedHeaders;
  private readonly mask: ApiResponse['mask'];
  private readonly internalErrors = { failed: 0, succeeded: 0 };
  private readonly exclusiveRetries = { failed: 0, succeeded: 0 };
  /** Requests that got a response after a closed connection. */
  private reconnected = 0;
  /** The failure of the latest request without a response. */
  lastFailure: WireFailure | null = null;

  constructor(options: ClientOptions) {
    this.options = options;
    this.mask = (text) => options.redactor.mask(text);
    this.baseUrl = options.target.baseUrl.replace(/\/+$/, '');
    const { target, userAgent } = options;
    this.guard = new ProductionGuard(target);
    this.addedHeaders = [
      ...Object.entries(target.headers),
      ...(userAgent === undefined ? [] : [['User-Agent', userAgent] as const]),
    ];
    this.sender = new ExchangeSender({ ...options, assertSendable: (ask) => this.assertSendable(ask) });
    this.circuitBreaker = new CircuitBreaker(this.sender.limiter);
    const { unavailable } = options;
    if (unavailable)
      this.circuitBreaker.onUnavailableFromStart(new UnusableTarget(unavailable.status, unavailable.reason));
    this.availability = new AvailabilityProbe(async () => !isFailure(await this.probe([])), options.outageTimeoutMs);
  }

  /** Whether this client sends no more requests, because the target does not respond. */
  get hasGivenUp(): boolean {
    return this.availability.unavailableSince !== null || this.circuitBreaker.isOpen;
  }

  /**
   * Sends one request and returns its final response. `check` is the id of the check, or null; `onExchange` receives the id of
   * every attempt, and `onDeparture` is called when the first attempt is sent. Throws Blocked if the target does not respond
   * at all, NoResponse if only this request gets no response.
   */
  send(
    ask: ApiRequest,
    check: string | null,
    onExchange: OnExchange = () => {},
    onDeparture?: () => void,
  ): Promise<ApiResponse> {
    return this.sendWithRetries(() => this.prepare(ask, onDeparture), check, onExchange);
  }

  /**
   * Sends requests that arrive at the same moment, as many as the limits allow; the others follow. Returns their final
   * responses, in the same order.
   */
  async sendSimultaneously(
    asks: readonly ApiRequest[],
    check: string | null,
    onExchange: OnExchange = () => {},
  ): Promise<ApiResponse[]> {
    const preparedRequests = asks.map((ask) => this.prepare(ask));
    const attempts = await this.sender.sendSimultaneously(preparedRequests, check);
    return await Promise.all(
      preparedRequests.map((sending, at) => this.sendWithRetries(() => sending, check, onExchange, attempts[at])),
    );
  }

  private prepare(ask: ApiRequest, onDeparture?: () => void): PreparedRequest {
    const wire = toWireRequest(this.baseUrl, ask, this.addedHeaders);
    try {
      this.guard.assertMayBeSent(wire, this.options.mayMutate);
    } catch (violation) {
      // Only a target file can turn these reads into mutations, so this is not a defect of the kit.
      if (!(violation instanceof GuardError) || !BOUND_READS.has(ask.operation)) throw violation;
      const field = `operations.${ask.operation} of the target file`;
      // Another target file would not help: the kit never reads in production with a possible mutation.
      throw new NotApplicable(`${field} makes this ${violation.message}, which the kit never sends`);
    }
    return { request: ask, wire, onDispatch: onDeparture };
  }

  /** Retries by the rows of `retryRules` until there is a final response. `first` is the first attempt if it has already been sent. */
  private async sendWithRetries(
    prepare: () => PreparedRequest,
    check: string | null,
    onExchange: OnExchange,
    first?: Exchange,
  ): Promise<ApiResponse> {
    const sending = prepare();
    const history = new RetryHistory();
    for (let number = 1; ; number += 1) {
      const options = {
        attempt: number,
        newConnection: history.needsNewConnection,
        exclusive: history.latest?.isExclusive === true,
      };
      const exchange = (number === 1 ? first : undefined) ?? (await this.sender.send(sending, check, options));
      onExchange(exchange.id);
      const attempt = this.toAttempt(sending, exchange, history);
      if (attempt.failure) await this.assertAvailable(attempt.failure);
      const rows = retryRules.filter((row) => row.matches(attempt) && history.hasRetriesLeft(row));
      const isObserved = rows.every((row) => row.isObserved);
      if (attempt.response && isObserved) this.observe(attempt.response, exchange);
      const rule = await this.findPermittedRule(rows, attempt, history);
      if (rule === undefined) return this.conclude(attempt, exchange, history, isObserved);
      history.record(rule, attempt);
      if (rule.reducesConcurrency) this.sender.limiter.reduceConcurrency(CLOSED_CONNECTION_WAIT_MS);
      const waitMs = rule.waitMs?.(history.timesOf(rule.id));
      if (waitMs !== undefined) await this.sender.sleep(waitMs);
    }
  }

  private toAttempt(sending: PreparedRequest, { id, sentAt, result }: Exchange, history: RetryHistory): Attempt {
    const { request } = sending;
    if (isFailure(result)) return { request, response: null, failure: result };
    const mayHaveDuplicatedMutation = history.mayHaveDuplicated(request.method, result.status);
    const about = { exchange: id, sentAt, mayHaveDuplicatedMutation, mask: this.mask };
    return { request, response: toApiResponse(sending, about, result), failure: null };
  }

  private async assertAvailable(failure: WireFailure): Promise<void> {
    this.lastFailure = failure;
    if (!(await this.availability.isAvailable())) throw this.outageError();
  }

  private observe(response: ApiResponse, { result }: Exchange): void {
    if (!isFailure(result) && result.truncated) throw this.circuitBreaker.onOversizedBody(response);
    this.options.onResponse(response);
  }

  private async findPermittedRule(
    rows: readonly RetryRule[],
    { response }: Attempt,
    history: RetryHistory,
  ): Promise<RetryRule | undefined> {
    for (const row of rows) if (await this.meetsCondition(row, response, history)) return row;
    return undefined;
  }

  /** Whether the condition of a row holds. Throws UnusableTarget if the target is not going to recover. */
  private async meetsCondition(
    { id, condition }: RetryRule,
    response: ApiResponse | null,
    history: RetryHistory,
  ): Promise<boolean> {
    if (condition === 'connections-unreliable') return this.reconnected >= MIN_RECONNECTED;
    if (condition === undefined || response === null) return true;
    if (condition === 'has-helped') return this.hasHelped(id);
    if (condition === 'rate-limit-ends') {
      this.circuitBreaker.onRateLimited(response, history.timesOf(id));
      return true;
    }
    if (!(await this.isServiceBusy(response.request))) return false;
    await this.waitForService(response);
    return true;
  }

  /** The final response. Throws NoResponse or Blocked if there is none. */
  private conclude(attempt: Attempt, exchange: Exchange, history: RetryHistory, isObserved: boolean): ApiResponse {
    const { request, response, failure } = attempt;
    if (failure) throw noResponse(exchange.id, requestLine(request), failure);
    if (!response) throw new Error('an attempt has neither a response nor a failure');
    if (!isObserved) this.observe(response, exchange);
    if (history.timesOf('closed') > 0) this.reconnected += 1;
    if (response.status === 500) this.internalErrors.failed += 1;
    else if (history.timesOf('internal-error') > 0) this.internalErrors.succeeded += 1;
    if (history.latest?.isExclusive) this.exclusiveRetries[isTransient(attempt) ? 'failed' : 'succeeded'] += 1;
    if (response.status !== 429) this.circuitBreaker.onSuccess(request);
    return response;
  }

  /** Waits for a starting server to respond, for `limits.startWithinMs` at most. */
  async waitForStart(credentials: ApiRequest['credentials']): Promise<void> {
    const { startWithinMs } = this.options.target.limits;
    if (startWithinMs === 0) return;
    await waitForStart(
      () => this.probe(credentials),
      startWithinMs,
      (ms) => this.sender.sleep(ms),
    );
  }

  async close(): Promise<void> {
    await this.sender.close();
  }

  /** Whether retries of this kind have ever helped in this run, or have not failed often yet. */
  private hasHelped(id: RetryRule['id']): boolean {
    const [{ failed, succeeded }, most] =
      id === 'internal-error'
        ? [this.internalErrors, MAX_PERSISTENT_500]
        : [this.exclusiveRetries, MAX_FAILED_EXCLUSIVE_RETRIES];
    return failed < most || succeeded > 0;
  }

  /** Requests the list, ahead of all queued requests. */
  private async probe(credentials: ApiRequest['credentials']): Promise<WireResult> {
    const headers = withAddedHeaders(credentials, this.addedHeaders);
    const wire = { method: 'GET', url: `${this.baseUrl}/api/v1/invoices?limit=1`, headers, body: null };
    this.guard.assertMayBeSent(wire, false);
    return await this.sender.probe(wire);
  }

  /** Whether other requests get transient errors, too. */
  private async isServiceBusy({ credentials }: Pick<ApiRequest, 'credentials'>): Promise<boolean> {
    const result = await this.probe(credentials);
    return isFailure(result) || result.status === 429 || isTransientStatus(result.status);
  }

  /** Waits for a busy service. Throws UnusableTarget after the outage timeout. */
  private async waitForService(response: ApiResponse): Promise<void> {
    this.recoveryProbe ??= new AvailabilityProbe(
      async () => !(await this.isServiceBusy(response.request)),
      this.options.outageTimeoutMs,
    );
    if (await this.recoveryProbe.isAvailable()) return;
    throw this.circuitBreaker.onUnavailable(response, this.recoveryProbe.unavailableSince ?? new Date());
  }

  private assertSendable(ask: ApiRequest): void {
    if (this.availability.unavailableSince) throw this.outageError();
    this.circuitBreaker.assertClosed(ask);
  }

  private outageError(): Blocked | Interrupted {
    if (this.options.signal.aborted) return new Interrupted('the run was interrupted');
    const since = this.availability.unavailableSince?.toISOString() ?? 'now';
    return new Blocked('target', `the target stopped responding at ${since}: ${this.lastFailure?.message}`);
  }
}

/** What blocks a check whose request got no response in time. */
export const TIMEOUT_CAUSE = 'limits.requestTimeoutMs of the target file';

/**
 * The contract defines no response time, so a late response cannot be judged, whereas a closed connection is a missing response.
 * Without a connection, the server has not received the request.
 */
function noResponse(exchange: string, request: string, failure: WireFailure): NoResponse | Blocked {
  const { kind, message } = failure;
  const because = `no response to ${request}: ${message}`;
  if (mayHaveArrived(failure) && kind !== 'timeout') return new NoResponse(exchange, request, because);
  if (kind !== 'timeout') return new Blocked('target', because);
  return new Blocked(TIMEOUT_CAUSE, `${because}; increase limits.requestTimeoutMs if the target needs more time`);
}
