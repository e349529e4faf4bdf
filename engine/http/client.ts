import { type ApiRequest, type ApiResponse, bodyMember, type Operation } from '../model/messages.ts';
import { Blocked, Interrupted, NoResponse, NotApplicable } from '../model/outcomes.ts';
import { isFailure, type WireResult } from '../transport/transport.ts';
import { mayHaveArrived, type WireFailure } from '../transport/transport-failure.ts';
import { AvailabilityProbe } from './availability-probe.ts';
import { backoffMs } from './backoff.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { type Exchange, ExchangeSender, type ExchangeSenderOptions, type PreparedRequest } from './exchange-sender.ts';
import { type AddedHeaders, requestLine, toApiResponse, toWireRequest, withAddedHeaders } from './message-mapping.ts';
import { assertMayBeSent, GuardError, READ_METHODS } from './production-guard.ts';
import { waitForStart } from './service-start-up.ts';

/** The contract's recommendation for transient errors. */
const MAX_TRANSIENT_RETRIES = 3;
const MAX_TRANSPORT_RETRIES = 2;
/** A server at its connection limit closes further connections, so the kit reduces its concurrency. */
const CLOSED_CONNECTION_WAIT_MS = 50;
/** Failures without a connection are outages, which may occur more often. */
const MAX_RETRIES_BY_FAILURE: Partial<Record<WireFailure['kind'], number>> = { timeout: 1, closed: 4, refused: 8 };
/** Sent when a server closes an idle connection. The server never read the request (RFC 9110, 15.5.9). */
const REQUEST_TIMEOUT = 408;
/** The contract also calls a 500 transient. A persistent 500 is the final response, so these waits are short. */
const WAITS_AFTER_500_MS = [250, 1000];
/** After this number of persistent 500s without a recovery, the kit no longer retries a 500. */
const MAX_PERSISTENT_500 = 20;
/** A server may process a request alone that it rejects under load. After this number of failures without a success, the kit stops trying. */
const MAX_FAILED_EXCLUSIVE_RETRIES = 10;
/** How often a request may wait for the end of an outage behind the gateway. */
const MAX_RECOVERIES = 2;
const BOUND_READS: ReadonlySet<Operation> = new Set(['read', 'treasuryBalance']);
const TRANSIENT_STATUSES = new Set([502, 503, 504]);

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
}

/** Sends the requests of checks, records the evidence, and retries only transient errors of the contract. */
export class Client {
  private readonly options: ClientOptions;
  private readonly sender: ExchangeSender;
  private readonly availability: AvailabilityProbe;
  private readonly circuitBreaker: CircuitBreaker;
  private recoveryProbe: AvailabilityProbe | undefined;
  private readonly baseUrl: string;
  private readonly addedHeaders: AddedHeaders;
  private readonly mask: ApiResponse['mask'];
  private readonly internalErrors = { stayed: 0, passed: 0 };
  private readonly exclusiveRetries = { inVain: 0, served: 0 };
  /** The failure of the latest request without a response. */
  lastFailure: WireFailure | null = null;

  constructor(options: ClientOptions) {
    this.options = options;
    this.mask = (text) => options.redactor.mask(text);
    this.baseUrl = options.target.baseUrl.replace(/\/+$/, '');
    const { target, userAgent } = options;
    this.addedHeaders = [
      ...Object.entries(target.headers),
      ...(userAgent === undefined ? [] : [['User-Agent', userAgent] as const]),
    ];
    this.sender = new ExchangeSender({ ...options, assertSendable: (ask) => this.assertSendable(ask) });
    this.circuitBreaker = new CircuitBreaker(this.sender.limiter);
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
      assertMayBeSent(wire, this.options.target, this.options.mayMutate);
    } catch (violation) {
      // Only a target file can turn these reads into mutations, so this is not a defect of the kit.
      if (!(violation instanceof GuardError) || !BOUND_READS.has(ask.operation)) throw violation;
      const field = `operations.${ask.operation} of the target file`;
      // Another target file would not help: the kit never reads in production with a possible mutation.
      throw new NotApplicable(`${field} makes this ${violation.message}, which the kit never sends`);
    }
    return { request: ask, wire, onDispatch: onDeparture };
  }

  /** Retries until there is a final response. `first` is the first attempt if it has already been sent. */
  private async sendWithRetries(
    prepare: () => PreparedRequest,
    check: string | null,
    onExchange: OnExchange,
    first?: Exchange,
  ): Promise<ApiResponse> {
    const sending = prepare();
    const { request } = sending;
    const failures: Partial<Record<WireFailure['kind'], number>> = {};
    let transportTries = 0;
    let rateLimited = 0;
    let transient = 0;
    let recoveries = 0;
    let internalErrors = 0;
    let repeated = false;
    let alone = false;
    for (let attempt = 1; ; attempt += 1) {
      const made = attempt === 1 ? first : undefined;
      // A reused connection may close under a request, so every second retry opens a new one. Not every retry does, because a server at
      // its connection limit accepts requests only on existing connections.
      const anew = transportTries % 2 === 1;
      const { id, sentAt, result } =
        made ?? (await this.sender.send(sending, check, { attempt, newConnection: anew, exclusive: alone }));
      onExchange(id);
      if (isFailure(result)) {
        transportTries += 1;
        this.lastFailure = result;
        if (!(await this.availability.isAvailable())) throw this.outageError();
        const alike = (failures[result.kind] ?? 0) + 1;
        failures[result.kind] = alike;
        if (alike > (MAX_RETRIES_BY_FAILURE[result.kind] ?? MAX_TRANSPORT_RETRIES))
          throw noResponse(id, requestLine(request), result);
        if (result.kind === 'closed') this.sender.limiter.reduceConcurrency(CLOSED_CONNECTION_WAIT_MS);
        repeated ||= mayHaveArrived(result);
        continue;
      }
      if (result.status === REQUEST_TIMEOUT && transportTries < MAX_TRANSPORT_RETRIES) {
        transportTries += 1;
        continue;
      }
      const wait = result.status === 500 ? this.delayAfter500Ms(internalErrors) : undefined;
      if (wait !== undefined) {
        internalErrors += 1;
        await this.sender.sleep(wait);
        continue;
      }
      if (result.status === 500) this.internalErrors.stayed += 1;
      else if (internalErrors > 0) this.internalErrors.passed += 1;
      // Only a retry after a 500 with a different result leaves doubt about whether the mutation happened twice.
      const changedItsMind = internalErrors > 0 && result.status !== 500;
      const again = (repeated || changedItsMind) && !READ_METHODS.has(request.method);
      const response = toApiResponse(
        sending,
        { exchange: id, sentAt, mayHaveDuplicatedMutation: again, mask: this.mask },
        result,
      );
      if (result.truncated) throw this.circuitBreaker.onOversizedBody(response);
      this.options.onResponse(response);
      if (response.status === 429 && request.expects429) return response;
      if (response.status === 429) {
        this.circuitBreaker.onRateLimited(response, rateLimited);
        rateLimited += 1;
        continue;
      }
      if (isTransient(response) && transient < MAX_TRANSIENT_RETRIES) {
        repeated = true;
        transient += 1;
        await this.sender.sleep(backoffMs(transient - 1));
        continue;
      }
      if (isTransient(response) && recoveries < MAX_RECOVERIES && (await this.isServiceBusy(request))) {
        await this.waitForService(response);
        repeated = true;
        recoveries += 1;
        transient = 0;
        continue;
      }
      if (isTransient(response) && !alone && this.exclusiveRetryIsWorthwhile()) {
        repeated = true;
        alone = true;
        continue;
      }
      if (alone) this.exclusiveRetries[isTransient(response) ? 'inVain' : 'served'] += 1;
      this.circuitBreaker.onSuccess(request);
      return response;
    }
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

  private delayAfter500Ms(times: number): number | undefined {
    const { stayed, passed } = this.internalErrors;
    return stayed >= MAX_PERSISTENT_500 && passed === 0 ? undefined : WAITS_AFTER_500_MS[times];
  }

  private exclusiveRetryIsWorthwhile(): boolean {
    const { inVain, served } = this.exclusiveRetries;
    return inVain < MAX_FAILED_EXCLUSIVE_RETRIES || served > 0;
  }

  /** Requests the list, ahead of all queued requests. */
  private async probe(credentials: ApiRequest['credentials']): Promise<WireResult> {
    const headers = withAddedHeaders(credentials, this.addedHeaders);
    const wire = { method: 'GET', url: `${this.baseUrl}/api/v1/invoices?limit=1`, headers, body: null };
    assertMayBeSent(wire, this.options.target, false);
    return await this.sender.probe(wire);
  }

  /** Whether other requests get transient errors, too. */
  private async isServiceBusy({ credentials }: Pick<ApiRequest, 'credentials'>): Promise<boolean> {
    const result = await this.probe(credentials);
    return isFailure(result) || result.status === 429 || TRANSIENT_STATUSES.has(result.status);
  }

  /** Waits for a busy service. Throws UnusableTarget after the outage timeout. */
  private async waitForService({ request, status }: ApiResponse): Promise<void> {
    this.recoveryProbe ??= new AvailabilityProbe(
      async () => !(await this.isServiceBusy(request)),
      this.options.outageTimeoutMs,
    );
    if (await this.recoveryProbe.isAvailable()) return;
    throw this.circuitBreaker.onUnavailable(status, this.recoveryProbe.unavailableSince ?? new Date());
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

/** Production that is not deployed is a permanent state. */
function isTransient(response: ApiResponse): boolean {
  const undeployed =
    bodyMember(response, 'code') === 'GW_ENVIRONMENT_UNAVAILABLE' && isProductionRequest(response.request);
  return TRANSIENT_STATUSES.has(response.status) && !undeployed;
}

function isProductionRequest({ credentials, headers = [] }: ApiRequest): boolean {
  return [...credentials, ...headers].some(([, value]) => value === 'PRODUCTION' || value.startsWith('svc_prod_'));
}

/**
 * The contract defines no response time, so a late response cannot be judged, whereas a closed connection is a missing response.
 * Without a connection, the server has not received the request.
 */
function noResponse(exchange: string, request: string, failure: WireFailure): NoResponse | Blocked {
  const { kind, message } = failure;
  const because = `no response to ${request}: ${message}`;
  if (mayHaveArrived(failure) && kind !== 'timeout') return new NoResponse(exchange, request, because);
  if (kind !== 'timeout') return new Blocked('target', because);
  return new Blocked(
    'limits.requestTimeoutMs of the target file',
    `${because}; increase limits.requestTimeoutMs if the target needs more time`,
  );
}
