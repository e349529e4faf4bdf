import { setTimeout as pause } from 'node:timers/promises';
import type { Credentials } from '../../engine/model/credentials.ts';
import type { ApiRequest, ApiResponse, Operation } from '../../engine/model/messages.ts';
import { foundIn, type JsonObject, listItems } from '../../engine/records/find-invoice-record.ts';
import { insistOnNeeds } from '../../engine/target/capabilities.ts';
import { type InvoiceAction, lifecycle } from '../../specs/lifecycle.ts';
import type { ActorName, OperationName, OperationTemplate } from '../../specs/target.ts';
import { noteAction } from '../context/action-history.ts';
import type { Lab } from '../context/check-context.ts';
import { sumOf } from '../context/created-amounts.ts';
import { IN_PRODUCTION, remainsBecause } from '../context/leftover-reason.ts';
import { noteSent } from '../context/sent-creations.ts';
import { isWithdrawn, withinLimit } from '../data/withdrawn-amounts.ts';
import { isNumberTaken } from './error-codes.ts';
import { fill, pathBeside } from './request-template.ts';
import { isSuccess } from './responses.ts';

export const INVOICES = '/api/v1/invoices';
const WEBHOOKS = '/api/v1/settings/webhooks';
const RESET = '/api/v1/settings/api-keys/sandbox/reset';

/** What an adjustment or a fee is where an action's template asks for an amount. A payment is of the invoice's. */
const LITTLE = '1.00';

type Headers = readonly (readonly [string, string])[];

export interface Extra {
  /** The seller by default. */
  as?: Credentials;
  headers?: Headers;
  /** Without the Content-Type that a body has otherwise. */
  untyped?: true;
}

export interface ListExtra extends Extra {
  /** Told when the request leaves. */
  onDeparture?: () => void;
}

export interface ListQuery {
  page?: number | string;
  limit?: number | string;
  sortBy?: string;
  sortOrder?: string;
}

/** The newest invoices, as many as a page may hold. */
export const NEWEST_FIRST = { page: 0, limit: 100, sortBy: 'createdAt', sortOrder: 'desc' } as const;

/** Ways to ask for a list, each of which may be answered from elsewhere. */
export const WAYS_TO_LIST = [{ page: 0, limit: 1 }, { page: 1, limit: 1 }, NEWEST_FIRST, { sortBy: 'amount' }] as const;

/** `GET /api/v1/invoices`; a string is sent as it is. */
export async function list(lab: Lab, query: ListQuery | string = {}, extra: ListExtra = {}): Promise<ApiResponse> {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  const text = typeof query === 'string' ? query : new URLSearchParams(pairs).toString();
  const ask = wording(lab, 'list', 'GET', text === '' ? INVOICES : `${INVOICES}?${text}`, extra);
  return await lab.send(ask, extra.onDeparture);
}

/** A list asked for by another path than the contract's, or by credentials that may be no header. */
export async function listAt(lab: Lab, path: string, extra: Extra): Promise<ApiResponse> {
  return await lab.send({ ...wording(lab, 'list', 'GET', path, extra), undeclared: true });
}

/** A creation by another path than the contract's. */
export async function createAt(lab: Lab, path: string, body: object, extra: Extra): Promise<ApiResponse> {
  noteSent(lab, body);
  const ask: ApiRequest = { ...wording(lab, 'create', 'POST', path, extra, body), undeclared: true };
  return await lab.run.invoices.shared(lab.asking.id, () => lab.send(ask));
}

/** Lists so many times at once, and takes a 429 for an answer. */
export async function listTogether(lab: Lab, times: number): Promise<ApiResponse[]> {
  const ask: ApiRequest = { ...wording(lab, 'list', 'GET', `${INVOICES}?page=0&limit=1`, {}), provoking: true };
  return await Promise.all(Array.from({ length: times }, () => lab.send(ask)));
}

/** `POST /api/v1/invoices`; a string is sent as it is. Where its number was taken, nothing came of it, and it is made again. */
export async function postInvoice(lab: Lab, body: unknown, extra: Extra = {}): Promise<ApiResponse> {
  const send = () => lab.send(wording(lab, 'create', 'POST', INVOICES, extra, body));
  for (let tries = 1; ; tries += 1) {
    noteSent(lab, body);
    const answer = await (movesNothing(extra) ? send() : creating(lab, send, tries === NUMBER_TRIES));
    // An attempt before it may have made one, too.
    if (answer.repeated) noteSent(lab, body);
    if (!isNumberTaken(answer) || tries === NUMBER_TRIES) return answer;
    // Not all together once more.
    await pause(Math.random() * 2 ** tries * NUMBER_WAIT_MS);
  }
}

/** Beside others; at last with no other creation of the kit's, where it is not in a stretch that is quiet already. */
async function creating(lab: Lab, send: () => Promise<ApiResponse>, alone: boolean): Promise<ApiResponse> {
  const { id } = lab.asking;
  return await (alone ? lab.run.invoices.quiet(id, send) : lab.run.invoices.shared(id, send));
}

const NUMBER_TRIES = 7;
const NUMBER_WAIT_MS = 15;

export async function postWebhook(lab: Lab, body: unknown, extra: Extra = {}): Promise<ApiResponse> {
  return await lab.send(wording(lab, 'webhookCreate', 'POST', WEBHOOKS, extra, body));
}

/** The webhook subscriptions of whoever asks. Throws Blocked when the target file binds no such operation. */
export async function listWebhooks(lab: Lab, as: Credentials): Promise<ApiResponse> {
  return await bound(lab, 'webhookList', { as }, {});
}

/** Removes one webhook subscription. Throws Blocked when the target file binds no such operation. */
export async function deleteWebhook(lab: Lab, id: string, as: Credentials): Promise<ApiResponse> {
  return await bound(lab, 'webhookDelete', { as }, { id });
}

export async function postReset(lab: Lab, extra: Extra = {}, body?: object): Promise<ApiResponse> {
  return await lab.send(wording(lab, 'reset', 'POST', RESET, extra, body));
}

/** Reads one invoice. Throws Blocked when the target file binds no read operation. */
export async function readInvoice(lab: Lab, id: string, extra: Extra = {}): Promise<ApiResponse> {
  const template = binding(lab, 'read');
  return await bound(lab, 'read', { as: lab.who(template.actor ?? 'seller'), ...extra }, { id });
}

export interface ActExtra extends Extra {
  requestId?: string;
  /** Members that the body has beside those of the target file. */
  more?: JsonObject;
  /** Sent as it is, in place of a body. */
  text?: string;
  /** Of a withdrawal: of a sum that no treasury covers, to be refused. */
  beyondFunds?: true;
}

/** Performs a lifecycle action once, as the given credentials. */
export async function act(
  lab: Lab,
  action: InvoiceAction,
  id: string,
  extra: ActExtra & { as: Credentials },
): Promise<ApiResponse> {
  const values = { id, ...(await sumToPay(lab, action, id)) };
  const send = () => bound(lab, action, extra, values);
  const answer = movesNothing(extra) ? await send() : await moving(lab, send);
  // At once: the check may be cut off before it looks, and what state an invoice is in decides how it can be removed.
  const to = isSuccess(answer) ? lifecycle.leadsTo[action] : undefined;
  noteAction(lab.run, id, isSuccess(answer) || answer.repeated);
  const place = extra.as.actor === 'production' ? IN_PRODUCTION : '';
  if (to) lab.run.became(`${place}${id}`, `${place}invoice ${to}`, remainsBecause(to));
  return answer;
}

/** Of what sum an invoice is now, where its payment has to say so: a resolution may have adjusted it. */
async function sumToPay(lab: Lab, action: InvoiceAction, id: string): Promise<{ amount?: string }> {
  if (action !== 'settle' || !JSON.stringify(binding(lab, action)).includes('{amount}')) return {};
  const read = lab.target.operations.read && (await readInvoice(lab, id));
  let amount = read && foundIn(read)?.record.amount;
  // What an answer to reading looks like is not shown; what a list shows of an invoice is.
  for (let page = 0; typeof amount !== 'string' && page < LISTED_PAGES; page += 1) {
    const records = listItems(await list(lab, { ...NEWEST_FIRST, page }));
    amount = records.find((each) => String(each.id) === id)?.amount;
  }
  const sum = amount ?? sumOf(lab, id);
  return typeof sum === 'string' ? { amount: sum } : {};
}

/** As far back as an invoice may be that is to be paid. */
const LISTED_PAGES = 3;

/** Who has no valid credentials moves nothing, or is failed for just that. */
function movesNothing({ as }: Extra): boolean {
  return as?.actor === null;
}

/** What changes an invoice may move money, too. */
async function moving<T>(lab: Lab, send: () => Promise<T>): Promise<T> {
  return await lab.run.funds.shared(lab.asking.id, () => lab.run.invoices.shared(lab.asking.id, send));
}

/** One of several actions that are performed at the same moment. */
export interface SimultaneousAction {
  action: InvoiceAction;
  id: string;
  as: Credentials;
}

/** Performs lifecycle actions that reach the server at the same moment; the answers in the same order. */
export async function actTogether(lab: Lab, actions: readonly SimultaneousAction[]): Promise<ApiResponse[]> {
  const asks = await Promise.all(
    actions.map(async ({ action, id, as }) =>
      boundAsk(lab, action, { as }, { id, ...(await sumToPay(lab, action, id)) }),
    ),
  );
  const answers = await moving(lab, () => lab.volley(asks));
  answers.forEach((answer, at) => {
    const id = actions[at]?.id;
    if (id !== undefined) noteAction(lab.run, id, isSuccess(answer) || answer.repeated);
  });
  return answers;
}

/** Creates invoices by requests that reach the server at the same moment. */
export async function postInvoicesTogether(lab: Lab, bodies: readonly unknown[]): Promise<ApiResponse[]> {
  for (const body of bodies) noteSent(lab, body);
  const asks = bodies.map((body) => wording(lab, 'create', 'POST', INVOICES, {}, body));
  return await lab.run.invoices.shared(lab.asking.id, () => lab.volley(asks));
}

/** The same withdrawal asked for several times at the same moment. */
export async function withdrawTogether(
  lab: Lab,
  requestId: string,
  amount: string,
  times: number,
): Promise<ApiResponse[]> {
  const as = lab.who(treasurer(lab, 'treasuryWithdraw'));
  const ask = boundAsk(lab, 'treasuryWithdraw', { as, requestId }, { amount });
  const volley = () => lab.volley(Array.from({ length: times }, () => ask));
  const answers = await withinLimit(
    lab,
    { amount, requestId: `${as.as}: ${requestId}`, beyondFunds: false },
    () => lab.run.funds.shared(lab.asking.id, volley),
    (all) => all.some(isSuccess),
  );
  if (answers.some(isSuccess)) noteWithdrawal(lab, amount, requestId);
  return answers;
}

/** A treasury operation, as the actor that the target file binds (the seller by default). */
export async function treasury(
  lab: Lab,
  name: 'treasuryBalance' | 'treasuryWithdraw',
  extra: ActExtra = {},
  amount = '1.00',
): Promise<ApiResponse> {
  binding(lab, name);
  const send = () => bound(lab, name, { as: lab.who(treasurer(lab, name)), ...extra }, { amount });
  if (name === 'treasuryBalance') return await send();
  const { requestId, beyondFunds = false } = extra;
  // Of another organization it is no repetition.
  const who = extra.as?.as ?? treasurer(lab, name);
  const named = requestId && `${who}: ${requestId}`;
  const isReplay = isWithdrawn(lab.run, named);
  const answer = await withinLimit(
    lab,
    { amount, requestId: named, beyondFunds },
    () => lab.run.funds.shared(lab.asking.id, send),
    isSuccess,
  );
  // Whatever sum a replay names, it is no second withdrawal.
  if (isSuccess(answer) && !isReplay)
    noteWithdrawal(lab, amount, requestId ?? `without requestId, ${lab.run.serial()}`, extra);
  return answer;
}

/** Whose money it is where a check does not say: the balance and what is withdrawn from it are of one party. */
export function treasurer({ target }: Lab, name: 'treasuryBalance' | 'treasuryWithdraw'): ActorName {
  const { treasuryBalance, treasuryWithdraw } = target.operations;
  const [own, other] =
    name === 'treasuryBalance' ? [treasuryBalance, treasuryWithdraw] : [treasuryWithdraw, treasuryBalance];
  return own?.actor ?? other?.actor ?? 'seller';
}

function noteWithdrawal(lab: Lab, amount: string, id: string, extra: Extra = {}): void {
  const what = mayBeInProduction(extra) ? `${IN_PRODUCTION}withdrawal` : 'withdrawal';
  lab.run.leave(`${amount}, ${id}`, what, 'the contract shows no operation that takes one back');
}

/** Whether a request that a server accepted may have had its effect in production: by its key, or by the environment it names. */
export function mayBeInProduction({ as, headers = [] }: Extra): boolean {
  return as?.actor === 'production' || headers.some(([, value]) => value === 'PRODUCTION');
}

/** What the target file binds an operation to. Throws Blocked when it binds nothing, NotApplicable when it is `not-offered`. */
export function binding(lab: Lab, name: OperationName): OperationTemplate {
  const template = lab.target.operations[name];
  if (template) return template;
  insistOnNeeds([name], lab.run);
  throw new Error(`operations.${name} is neither bound nor missing`);
}

async function bound(
  lab: Lab,
  name: OperationName,
  extra: ActExtra & { as: Credentials },
  values: { id?: string; amount?: string },
): Promise<ApiResponse> {
  return await lab.send(boundAsk(lab, name, extra, values));
}

/** What an operation asks for, asked for at a path that no service has; null where its own path tells none. */
export async function askBeside(
  lab: Lab,
  name: OperationName,
  as: Credentials,
  values: { id?: string; amount?: string },
): Promise<ApiResponse | null> {
  const template = binding(lab, name);
  const path = pathBeside(template.path);
  if (path === null) return null;
  return await lab.send({ ...boundAsk(lab, name, { as }, values, { ...template, path }), undeclared: true });
}

function boundAsk(
  lab: Lab,
  name: OperationName,
  extra: ActExtra & { as: Credentials },
  values: { id?: string; amount?: string },
  template: OperationTemplate = binding(lab, name),
): ApiRequest {
  const text = `${name}, conformance run ${lab.run.plan.runId.slice(0, 8)}`;
  const filled = fill(template, {
    amount: LITTLE,
    ...values,
    text,
    ...(extra.requestId !== undefined && { requestId: extra.requestId }),
  });
  const body = extra.more ? { ...(filled.body as JsonObject | undefined), ...extra.more } : filled.body;
  return wording(lab, name, template.method, filled.path, extra, extra.text ?? body);
}

function wording(
  lab: Lab,
  operation: Operation,
  method: string,
  path: string,
  extra: Extra,
  body?: unknown,
): ApiRequest {
  const { as, actor, headers } = extra.as ?? lab.who('seller');
  return {
    operation,
    method,
    path,
    as,
    actor,
    credentials: headers,
    ...(extra.headers && { headers: extra.headers }),
    ...(extra.untyped && { untyped: extra.untyped }),
    ...(body !== undefined && { body }),
  };
}

const TAKING_A_BODY = ['POST', 'PUT', 'PATCH'];

/** What becomes of a body is a matter of what stands between, where the method has none. */
export function takesBody({ method }: OperationTemplate): boolean {
  return TAKING_A_BODY.includes(method);
}

/** A GET takes no body, and so a requestId only where its path has a place for one; what is not bound takes none. */
export function takesRequestId(lab: Lab, operation: OperationName): boolean {
  const bound = lab.target.operations[operation];
  return bound !== undefined && (bound.method !== 'GET' || bound.path.includes('{requestId}'));
}
