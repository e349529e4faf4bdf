import { setTimeout as pause } from 'node:timers/promises';
import { leftoverReason, PRODUCTION_PREFIX } from '../../engine/ledger/leftovers.ts';
import type { Credentials } from '../../engine/model/credentials.ts';
import type { ApiRequest, ApiResponse } from '../../engine/model/messages.ts';
import { foundRecordIn, listItems } from '../../engine/records/invoice-records.ts';
import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { CheckContext } from '../context/check.ts';
import { createdAmountOf, recordAction, recordDeletion, recordSentCreation } from '../context/invoice-history.ts';
import {
  type ActionOptions,
  buildBoundRequest,
  buildRequest,
  type RequestOptions,
  requireBinding,
  sendBoundRequest,
} from './requests.ts';
import { isInvoiceNumberTaken, isSuccess } from './responses.ts';

export const INVOICES_PATH = '/api/v1/invoices';
const WEBHOOKS_PATH = '/api/v1/settings/webhooks';
const RESET_PATH = '/api/v1/settings/api-keys/sandbox/reset';

export interface ListOptions extends RequestOptions {
  /** Called when the request leaves. */
  onSent?: () => void;
}

export interface ListQuery {
  page?: number | string;
  limit?: number | string;
  sortBy?: string;
  sortOrder?: string;
}

/** The newest invoices, with the largest page size. */
export const NEWEST_FIRST = { page: 0, limit: 100, sortBy: 'createdAt', sortOrder: 'desc' } as const;

/** Queries of the list, which a server may serve from different sources. */
export const LIST_QUERY_VARIANTS = [
  { page: 0, limit: 1 },
  { page: 1, limit: 1 },
  NEWEST_FIRST,
  { sortBy: 'amount' },
] as const;

/** `GET /api/v1/invoices`; a string is sent unchanged. */
export async function listInvoices(
  ctx: CheckContext,
  query: ListQuery | string = {},
  extra: ListOptions = {},
): Promise<ApiResponse> {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const text = typeof query === 'string' ? query : new URLSearchParams(pairs).toString();
  const request = buildRequest(ctx, 'list', 'GET', text === '' ? INVOICES_PATH : `${INVOICES_PATH}?${text}`, extra);
  return await ctx.send(request, extra.onSent);
}

/** Lists at a path other than the contract's, or with credentials, headers or a query that a server may not read. */
export async function listInvoicesAt(ctx: CheckContext, path: string, extra: RequestOptions): Promise<ApiResponse> {
  return await ctx.send({ ...buildRequest(ctx, 'list', 'GET', path, extra), skipExchangeRules: true });
}

/** Lists by another method or path than the contract's. A firewall may drop such a request. */
export async function listInvoicesBy(
  ctx: CheckContext,
  { path, method = 'GET', ...extra }: RequestOptions & { path: string; method?: string },
): Promise<ApiResponse> {
  const request = buildRequest(ctx, 'list', method, path, { ...extra, mayEndWithoutResponse: true });
  return await ctx.send({ ...request, skipExchangeRules: true });
}

/** Creates an invoice at a path or by a method other than the contract's, or with a body that a server may not read. */
export async function postInvoiceAt(
  ctx: CheckContext,
  path: string,
  body: unknown,
  { method = 'POST', ...extra }: RequestOptions & { method?: string },
): Promise<ApiResponse> {
  const options = { ...extra, mayEndWithoutResponse: true as const };
  const request: ApiRequest = { ...buildRequest(ctx, 'create', method, path, options, body), skipExchangeRules: true };
  const [response] = await recordingCreations(ctx, [body], async () => [
    await ctx.run.invoiceLock.shared(ctx.lockOwner, () => ctx.send(request)),
  ]);
  return response;
}

/**
 * Records creations while they are sent. One whose earlier attempt may have been carried out counts twice, as does one without a
 * response, because the server may still carry out several attempts.
 */
async function recordingCreations<T extends readonly ApiResponse[]>(
  ctx: CheckContext,
  bodies: readonly unknown[],
  send: () => Promise<T>,
): Promise<T> {
  for (const body of bodies) recordSentCreation(ctx, body);
  try {
    const responses = await send();
    bodies.forEach((body, at) => {
      if (responses[at]?.mayHaveDuplicatedMutation) recordSentCreation(ctx, body);
    });
    return responses;
  } catch (error) {
    for (const body of bodies) recordSentCreation(ctx, body);
    throw error;
  }
}

/** Sends this many list requests at once. A 429 is returned and not retried. */
export async function listConcurrently(ctx: CheckContext, times: number): Promise<ApiResponse[]> {
  const request: ApiRequest = {
    ...buildRequest(ctx, 'list', 'GET', `${INVOICES_PATH}?page=0&limit=1`, {}),
    expects429: true,
  };
  return await Promise.all(Array.from({ length: times }, () => ctx.send(request)));
}

/**
 * `POST /api/v1/invoices`; a string is sent unchanged. Repeats the creation if the server had used its invoice
 * number already, because then no invoice was created.
 */
export async function postInvoice(ctx: CheckContext, body: unknown, extra: RequestOptions = {}): Promise<ApiResponse> {
  const request = buildRequest(ctx, 'create', 'POST', INVOICES_PATH, extra, body);
  for (let tries = 1; ; tries += 1) {
    const exclusive = tries > MAX_SHARED_ATTEMPTS;
    const [response] = await recordingCreations(ctx, [body], async () => [
      await (hasInvalidCredentials(extra) ? ctx.send(request) : sendWithInvoiceLock(ctx, request, { exclusive })),
    ]);
    if (!isInvoiceNumberTaken(response) || tries === MAX_NUMBER_ATTEMPTS) return response;
    // A random wait spreads the concurrent retries.
    await pause(Math.random() * 2 ** tries * NUMBER_RETRY_BASE_MS);
  }
}

/** An exclusive request is the only creation in flight, unless the check holds the lock already and may send others. */
async function sendWithInvoiceLock(
  ctx: CheckContext,
  request: ApiRequest,
  { exclusive }: { exclusive: boolean },
): Promise<ApiResponse> {
  const { invoiceLock } = ctx.run;
  if (!exclusive || invoiceLock.isHeldBy(ctx.lockOwner))
    return await invoiceLock.shared(ctx.lockOwner, () => ctx.send(request));
  return await invoiceLock.exclusive(ctx.lockOwner.part(), () => ctx.send({ ...request, isOnlyCreation: true }));
}

const MAX_NUMBER_ATTEMPTS = 7;
/** The further attempts show whether the number is taken although no other creation is in flight. */
const MAX_SHARED_ATTEMPTS = 3;
const NUMBER_RETRY_BASE_MS = 15;

export async function postWebhook(ctx: CheckContext, body: unknown, extra: RequestOptions = {}): Promise<ApiResponse> {
  return await ctx.send(buildRequest(ctx, 'webhookCreate', 'POST', WEBHOOKS_PATH, extra, body));
}

/** The webhook subscriptions of an actor. Throws Blocked when the target file does not bind the operation. */
export async function listWebhooks(ctx: CheckContext, as: Credentials): Promise<ApiResponse> {
  return await sendBoundRequest(ctx, 'webhookList', { as }, {});
}

/** Removes one webhook subscription. Throws Blocked when the target file does not bind the operation. */
export async function deleteWebhook(ctx: CheckContext, id: string, as: Credentials): Promise<ApiResponse> {
  return await sendBoundRequest(ctx, 'webhookDelete', { as }, { id });
}

export async function postReset(ctx: CheckContext, extra: RequestOptions = {}, body?: object): Promise<ApiResponse> {
  return await ctx.send(buildRequest(ctx, 'reset', 'POST', RESET_PATH, extra, body));
}

/** Reads one invoice. Throws Blocked when the target file does not bind `read`. */
export async function readInvoice(ctx: CheckContext, id: string, extra: RequestOptions = {}): Promise<ApiResponse> {
  const template = requireBinding(ctx, 'read');
  return await sendBoundRequest(ctx, 'read', { as: ctx.credentials(template.actor ?? 'seller'), ...extra }, { id });
}

/** Performs a lifecycle action once with the given credentials. */
export async function sendAction(
  ctx: CheckContext,
  action: InvoiceAction,
  id: string,
  extra: ActionOptions & { as: Credentials },
): Promise<ApiResponse> {
  const values = { id, ...(await settlementAmount(ctx, action, id)) };
  const send = () => sendBoundRequest(ctx, action, extra, values);
  const response = hasInvalidCredentials(extra) ? await send() : await withSharedLocks(ctx, send, action === 'settle');
  // Recorded at once, because the check may be cut off before it reads the invoice, and clean-up needs the state.
  const to = isSuccess(response) ? lifecycle.leadsTo[action] : undefined;
  recordAction(ctx.run, id, response);
  if (action === 'delete' && isSuccess(response)) recordDeletion(ctx.run, id, response);
  const place = extra.as.actor === 'production' ? PRODUCTION_PREFIX : '';
  if (to) ctx.run.leftovers.recordTransition(`${place}${id}`, `${place}invoice ${to}`, leftoverReason(to));
  return response;
}

/**
 * The current amount of an invoice, if its payment request must contain it. A resolution may have adjusted the
 * amount.
 */
async function settlementAmount(ctx: CheckContext, action: InvoiceAction, id: string): Promise<{ amount?: string }> {
  if (action !== 'settle' || !JSON.stringify(requireBinding(ctx, action)).includes('{amount}')) return {};
  const read = ctx.target.operations.read && (await readInvoice(ctx, id));
  let amount = read && foundRecordIn(read)?.record.amount;
  // The contract defines the invoice in a list and not the response to a read.
  for (let page = 0; typeof amount !== 'string' && page < MAX_LISTED_PAGES; page += 1) {
    const records = listItems(await listInvoices(ctx, { ...NEWEST_FIRST, page }));
    amount = records.find((each) => String(each.id) === id)?.amount;
  }
  const sum = amount ?? createdAmountOf(ctx, id);
  return typeof sum === 'string' ? { amount: sum } : {};
}

/** The invoice to pay is within these newest pages. */
const MAX_LISTED_PAGES = 3;

/** A request without valid credentials changes nothing, or fails a check for exactly that. */
function hasInvalidCredentials({ as }: RequestOptions): boolean {
  return as?.actor === null;
}

/** A change of an invoice may also change a balance. A payment waits for checks that wait for earlier payments. */
export async function withSharedLocks<T>(ctx: CheckContext, send: () => Promise<T>, isPayment = false): Promise<T> {
  const { balanceLock, invoiceLock } = ctx.run;
  const sendInOrder = () => invoiceLock.shared(ctx.lockOwner, send);
  await invoiceLock.untilShared(ctx.lockOwner);
  return await (isPayment
    ? balanceLock.payment(ctx.lockOwner, sendInOrder)
    : balanceLock.shared(ctx.lockOwner, sendInOrder));
}

/** One of several actions that are performed at the same moment. */
export interface SimultaneousAction {
  action: InvoiceAction;
  id: string;
  as: Credentials;
}

/** Performs lifecycle actions that reach the server at the same moment. Returns the responses in the same order. */
export async function sendActionsSimultaneously(
  ctx: CheckContext,
  actions: readonly SimultaneousAction[],
): Promise<ApiResponse[]> {
  const requests = await Promise.all(
    actions.map(async ({ action, id, as }) =>
      buildBoundRequest(ctx, action, { as }, { id, ...(await settlementAmount(ctx, action, id)) }),
    ),
  );
  const arePayments = actions.some(({ action }) => action === 'settle');
  const responses = await withSharedLocks(ctx, () => ctx.sendSimultaneously(requests), arePayments);
  responses.forEach((response, at) => {
    const id = actions[at]?.id;
    if (id !== undefined) recordAction(ctx.run, id, response);
  });
  return responses;
}

/** Creates invoices by requests that reach the server at the same moment. */
export async function postInvoicesSimultaneously(
  ctx: CheckContext,
  bodies: readonly unknown[],
): Promise<ApiResponse[]> {
  const requests = bodies.map((body) => buildRequest(ctx, 'create', 'POST', INVOICES_PATH, {}, body));
  return await recordingCreations(ctx, bodies, () =>
    ctx.run.invoiceLock.shared(ctx.lockOwner, () => ctx.sendSimultaneously(requests)),
  );
}
