import type { Body, Call, IncomingRequest, Service } from './call.ts';
import type {
  ActionInput,
  BalanceInput,
  CreateInput,
  InvoicePage,
  ListQuery,
  ResetResult,
  ServiceEvent,
  SubscriptionInput,
  Withdrawal,
  WithdrawalInput,
} from './inputs.ts';
import type { Action } from './lifecycle.ts';
import type { RejectionError, UnauthorizedReason } from './rejection.ts';
import type {
  ApiKey,
  Connection,
  Environment,
  Invoice,
  InvoiceStatus,
  ServiceResponse,
  Subscription,
} from './store.ts';

/**
 * Everything that the service decides, one rule each. The operations call the rules through this record and never
 * directly, so that a replaced rule is replaced everywhere. A rule rejects a request by throwing a `RejectionError`.
 */
export interface Rules {
  // ---- Admission of a request, in this order
  /** "Every request carries both headers"; throws `UnauthorizedError` for every authentication failure. */
  authenticate(service: Service, request: IncomingRequest): ApiKey;
  /** The whole 401 body: "the same body and no distinguishing code", whatever the reason. */
  unauthorizedBody(reason: UnauthorizedReason): unknown;
  /** "429: rate limited." The reference service never limits. A rejection may have headers. */
  throttle(service: Service, key: ApiKey, request: IncomingRequest): void;
  /** "X-Environment is accepted only when it names that key's own environment." */
  resolveEnvironment(service: Service, key: ApiKey, request: IncomingRequest): Environment;
  /** "A key lacking permission for an endpoint yields 403." */
  authorize(call: Call): void;
  /** "Request and response bodies are JSON." An absent body is an empty object. */
  parseBody(service: Service, request: IncomingRequest): Body;

  // ---- Bodies and queries: undeclared fields and wrong types are 400
  validateQuery(call: Call): ListQuery;
  validateCreate(call: Call): CreateInput;
  validateAction(call: Call, action: Action): ActionInput;
  validateBalance(call: Call): BalanceInput;
  validateWithdrawal(call: Call): WithdrawalInput;
  validateSubscription(call: Call): SubscriptionInput;
  validateReset(call: Call): void;

  // ---- Lists
  /** "The caller sees its own organization's invoices", in the order of their creation. */
  visibleInvoices(call: Call): Invoice[];
  sort(call: Call, invoices: readonly Invoice[], query: ListQuery): Invoice[];
  /** The paged list envelope; `page` is zero-based, `limit` at most 100. */
  page(call: Call, invoices: readonly Invoice[], query: ListQuery): InvoicePage;

  // ---- Creation
  /** "An active connection between the two organizations is required." CONN003 or CONN010 otherwise. */
  findConnection(call: Call, input: CreateInput): Connection;
  /** "`invoiceNumber` is unique per connection." */
  nextInvoiceNumber(call: Call, connection: Connection): string;
  /** Stores the new invoice; its first state is not shown. */
  issueInvoice(call: Call, input: CreateInput, invoiceNumber: string): Invoice;
  newId(): string;
  now(): Date;

  // ---- Actions, in this order
  /** "Ids that do not exist, or belong to another organization, yield INV001 (404)." */
  findInvoice(call: Call, id: string): Invoice;
  /** Which party may perform an action; not given by the contract. */
  checkParty(call: Call, invoice: Invoice, action: Action): void;
  /** "An action not offered in the invoice's current state is rejected." Otherwise the state it leads to. */
  transition(call: Call, invoice: Invoice, action: Action): InvoiceStatus | 'DELETED';
  /** Moves the funds of a payment; "not enough funds to complete the payment" is TREAS007. */
  settle(call: Call, invoice: Invoice): void;
  /** When an accepted action takes effect; the reference does not wait. */
  applyEffect(call: Call, action: Action, effect: () => void): void;
  /** The effect of an accepted action on the invoice. */
  changeInvoice(call: Call, invoice: Invoice, next: InvoiceStatus | 'DELETED', input: ActionInput): void;
  /** The event kinds that an action emits. */
  eventKinds(action: Action): readonly string[];

  // ---- Idempotency
  /**
   * The caller and the request that a `requestId` identifies; `undefined` without one. `subject` is the invoice, if
   * any.
   */
  replayKey(call: Call, requestId: string | undefined, subject?: string): string | undefined;
  /** "The same `requestId` again after the original succeeded returns the original response with no side effects." */
  replay(
    call: Call,
    key: string | undefined,
    perform: () => ServiceResponse | Promise<ServiceResponse>,
  ): Promise<ServiceResponse>;

  // ---- Treasury
  /** The caller's available funds in cents. */
  balance(call: Call): bigint;
  withdraw(call: Call, input: WithdrawalInput): Withdrawal;

  // ---- Webhooks
  subscribe(call: Call, input: SubscriptionInput): Subscription;
  /** The subscriptions that receive an event: of its parties, in its environment, for its kind. */
  subscribers(service: Service, event: ServiceEvent): Subscription[];
  renderEvent(service: Service, event: ServiceEvent): unknown;
  /** The value of the signature header. */
  sign(secret: string, text: string): string;
  /** Starts the delivery and does not wait for it. */
  deliver(service: Service, subscription: Subscription, event: ServiceEvent): void;

  // ---- Reset
  /** "Clears sandbox API keys, sandbox logs, sandbox invoices and sandbox bookings", those of the caller's organization. */
  reset(call: Call): ResetResult;

  // ---- Responses
  /** One invoice record in any response. */
  renderInvoice(invoice: Invoice): Record<string, unknown>;
  renderList(call: Call, page: InvoicePage): ServiceResponse;
  renderRead(call: Call, invoice: Invoice): ServiceResponse;
  /** "The response carries the created invoice, including the platform-assigned `invoiceNumber`." */
  renderCreated(call: Call, invoice: Invoice): ServiceResponse;
  renderChanged(call: Call, invoice: Invoice, action: Action): ServiceResponse;
  renderBalance(call: Call, cents: bigint): ServiceResponse;
  renderWithdrawal(call: Call, withdrawal: Withdrawal): ServiceResponse;
  renderSubscription(call: Call, subscription: Subscription): ServiceResponse;
  renderReset(call: Call, cleared: ResetResult): ServiceResponse;
  /** "Errors return JSON with `error` and `code`", and `message` for 400; everything but 401. */
  renderError(refusal: RejectionError): ServiceResponse;
}
