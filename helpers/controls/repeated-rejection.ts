import { runState } from '../../engine/ledger/run-ledger.ts';
import type { ApiRequest, ApiResponse } from '../../engine/model/messages.ts';
import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import { withSharedLocks } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { pollUntil } from '../assert/poll.ts';
import type { CheckContext } from '../context/check.ts';
import { recordAction, rejectedActionsOn } from '../context/invoice-history.ts';
import { findInvoice, findSettledInvoice } from '../invoices/find-invoice.ts';
import {
  createInvoiceInState,
  type Invoice,
  ifReachable,
  isInvoiceState,
  recordInvoiceState,
} from '../invoices/invoices.ts';

/** Requests on one invoice that the server must reject, and the last response. */
export interface Trial {
  invoice: Invoice;
  requests: readonly ApiRequest[];
  last: ApiResponse;
}

const REPETITIONS = 3;
/** A later change is judged by the group of untouched invoices. */
const MAX_CHANGE_DELAY_MS = 400;

/** The rejected actions on an invoice, and then the request of `response`. Undefined if there are none. */
export function trialOn({ run }: CheckContext, invoice: Invoice, response?: ApiResponse): Trial | undefined {
  const known = rejectedActionsOn(run, invoice.id);
  const all = response && !known.includes(response) ? [...known, response] : known;
  const last = all.at(-1);
  return last && { invoice, requests: all.map(({ request }) => request), last };
}

const resultsByState = runState(() => new Map<InvoiceState, Promise<boolean>>());

/**
 * Whether the requests of the first trial in this state have the same result on each of three more invoices. A server that changes
 * one invoice in four at random does that once in 250 trials.
 */
export async function isRepeatable(ctx: CheckContext, state: InvoiceState, trial?: Trial): Promise<boolean> {
  const results = resultsByState(ctx.run);
  const known = results.get(state);
  if (known || !trial) return (await known) ?? false;
  const result = repeatOnMore(ctx, state, trial);
  results.set(state, result);
  return await result;
}

async function repeatOnMore(ctx: CheckContext, state: InvoiceState, trial: Trial): Promise<boolean> {
  const attempts = Array.from({ length: REPETITIONS }, () => hasSameResult(ctx, state, trial));
  const [results] = await ifReachable(() => Promise.all(attempts));
  return results?.every(Boolean) ?? false;
}

async function hasSameResult(
  ctx: CheckContext,
  state: InvoiceState,
  { invoice, requests, last }: Trial,
): Promise<boolean> {
  const { amount, currency } = invoice.body;
  const other = await createInvoiceInState(ctx, state, { amount, ...(currency !== undefined && { currency }) });
  if (!(await findSettledInvoice(ctx, other)).isMet) return false;
  let response: ApiResponse | undefined;
  for (const request of requests) {
    response = await withSharedLocks(ctx, () => ctx.send(forInvoice(ctx, request, invoice.id, other.id)));
    recordAction(ctx.run, other.id, response);
  }
  if (!response || isSuccess(response) !== isSuccess(last)) return false;
  const { record } = await pollUntil(
    ctx,
    () => findInvoice(ctx, other.id),
    (found) => found.record?.status !== state,
    MAX_CHANGE_DELAY_MS,
  );
  if (isInvoiceState(record?.status)) recordInvoiceState(ctx, { id: other.id, state: record.status });
  return isSuccess(last) || record?.status !== state;
}

/** The same request for another invoice. A `requestId` belongs to one request, so it gets a new one. */
function forInvoice(ctx: CheckContext, request: ApiRequest, from: string, to: string): ApiRequest {
  const withId = (text: string) => text.replaceAll(from, to);
  const { body } = request;
  if (body === undefined) return { ...request, path: withId(request.path) };
  const text = withId(typeof body === 'string' ? body : JSON.stringify(body));
  const requestId = JSON.stringify(ctx.createRequestId());
  const fresh = text.replace(/("requestId"\s*:\s*)"[^"]*"/, (_, name: string) => name + requestId);
  return { ...request, path: withId(request.path), body: typeof body === 'string' ? fresh : JSON.parse(fresh) };
}
