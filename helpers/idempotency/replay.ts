import { isDeepStrictEqual } from 'node:util';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { foundRecordIn } from '../../engine/records/invoice-records.ts';
import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import { postInvoice } from '../api/operations.ts';
import { isSuccess, skipIfInsufficientFunds } from '../api/responses.ts';
import { breach, expectThat } from '../assert/expect.ts';
import { fieldIs, ifRead } from '../assert/expectations.ts';
import { blockedByRejection, notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { observationTimeFor, skipIfChangesSpontaneously } from '../controls/spontaneous-change.ts';
import { skipIfReadsStale } from '../controls/stale-reads.ts';
import { skipIfVariantChanges } from '../controls/variant-spontaneous-change.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { performAction } from '../invoices/acting-party.ts';
import { hasReached, waitForArrival, waitForInvoice } from '../invoices/find-invoice.ts';
import {
  type Invoice,
  isInvoiceState,
  offeredCheckId,
  recordInvoiceState,
  resolveCreatedInvoice,
  stateOffering,
} from '../invoices/invoices.ts';
import { repeatIfRequired } from '../invoices/repeated-action.ts';

export interface OriginalCreation {
  body: InvoiceBody & { requestId: string };
  response: ApiResponse;
  invoice: Invoice;
}

/** Creates an invoice with a requestId for later replays. Throws Blocked when the server rejects it. */
export async function createOriginal(ctx: CheckContext, requestId = ctx.createRequestId()): Promise<OriginalCreation> {
  const body = { ...validBody(ctx), requestId };
  const response = await postInvoice(ctx, body);
  if (!isSuccess(response))
    throw blockedByRejection(ctx, response, 'CREATE-13.request-id', 'the server rejects a creation with a requestId');
  return { body, response, invoice: await resolveCreatedInvoice(ctx, body, response) };
}

/** The contract leaves the retention open; almost every server keeps a requestId this long, in milliseconds. */
const MIN_RETENTION_MS = 240_000;

/** Whether the server must still know the original request. */
export function isRemembered({ sentAt }: ApiResponse): boolean {
  return performance.now() - sentAt < MIN_RETENTION_MS;
}

/** Throws NotApplicable if the original is so old that the server may have forgotten it. */
export function skipUnlessRemembered(original: ApiResponse): void {
  if (isRemembered(original)) return;
  notApplicable(
    'the original request is older than four minutes, and the contract does not define how long a requestId is kept',
  );
}

/** Throws a Breach unless the replay returns the original status and the same invoice, field by field. */
export function expectOriginalResponse(ctx: CheckContext, first: ApiResponse, replayed: ApiResponse): void {
  if (replayed.status !== first.status) {
    throw breach(
      ctx,
      replayed,
      `the original status ${first.status}`,
      `the replay returned ${replayed.status}`,
      [first],
      { sameAs: first.exchange },
    );
  }
  const [then, now] = [first, replayed].map((each) => foundRecordIn(each)?.record ?? stripEnvelope(each.json));
  if (!isDeepStrictEqual(then, now)) {
    throw breach(ctx, replayed, `the original ${JSON.stringify(then)}`, 'the response to the replay differs', [first], {
      sameAs: first.exchange,
    });
  }
  const absent = presentMembers(first).find((name) => !presentMembers(replayed).includes(name));
  if (absent === undefined) return;
  throw breach(
    ctx,
    replayed,
    `the original response ${first.text}`,
    `the response to the replay has no ${absent}`,
    [first],
    {
      body: `.[${JSON.stringify(absent)}] != null`,
      fields: [{ path: [absent] }],
    },
  );
}

/**
 * Performs the actions between a request and its replay and returns the status, null when the invoice is deleted. Throws
 * NotApplicable if the server rejects one.
 */
export async function advanceInvoice(
  ctx: CheckContext,
  { id, state }: Invoice,
  actionPath: readonly InvoiceAction[],
): Promise<string | null> {
  let status: string | null = state;
  for (const action of actionPath) {
    const to = lifecycle.leadsTo[action];
    if (hasReached(status, to)) continue;
    const response = await performAction(ctx, action, id);
    skipIfInsufficientFunds(response);
    if (!isSuccess(response))
      notApplicable(`the server rejects the ${action} action`, {
        judgedBy: offeredCheckId(stateOffering(action), action),
      });
    if (isInvoiceState(status)) await repeatIfRequired(ctx, { action, id, from: status });
    const { record, isMet } = await waitForArrival(ctx, id, to);
    status = record && String(record.status);
    // A late effect of the action would look like an effect of the replay.
    if (!isMet && !hasReached(status, to))
      notApplicable(`after an accepted ${action} action the invoice is ${status ?? 'gone'}, not ${to}`);
    if (isInvoiceState(status)) recordInvoiceState(ctx, { id, state: status });
  }
  return status;
}

export interface ReplayAfterMove {
  first: ApiResponse;
  replay: () => Promise<ApiResponse>;
  id: string;
  /** The status of the invoice at the time of the replay; null when it is deleted. */
  status: string | null;
  /** Whether the status is known only from a read, which may be stale. */
  isLearned?: boolean;
  /** The invoice, if the server may treat it by its history. */
  invoice?: Invoice;
}

/**
 * Throws a Breach unless the replay returns the original response and leaves the invoice unchanged. Throws NotApplicable if
 * the status is known only from a read and reads are stale.
 */
export async function expectReplayWithoutEffect(
  ctx: CheckContext,
  { first, replay, id, status, isLearned = false, invoice }: ReplayAfterMove,
): Promise<void> {
  const since = performance.now();
  expectOriginalResponse(ctx, first, await replay());
  const { record, isMet, response } = await waitForInvoice(
    ctx,
    id,
    (found) => (found?.status ?? null) === status,
    'keeps its state',
  );
  if (!isMet && isLearned) await skipIfReadsStale(ctx);
  if (!isMet && isInvoiceState(status)) {
    await skipIfChangesSpontaneously(ctx, [status], observationTimeFor(performance.now() - since));
    if (invoice) await skipIfVariantChanges(ctx, { ...invoice, state: status });
  }
  const because = `the invoice is ${String(record?.status ?? 'gone')}`;
  expectThat(
    ctx,
    isMet,
    response,
    `status ${status ?? 'gone'}, as before the replay`,
    because,
    status === null ? ifRead(response, { status: 'rejection' }) : fieldIs(response, 'status', status),
  );
}

/** The top-level fields of a body that are not null. */
function presentMembers({ json }: ApiResponse): string[] {
  const body = stripEnvelope(json);
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => (value === null ? [] : [name]));
}

/** Fields that gateways add to every body; they describe the exchange and may differ in a replay. */
const ENVELOPE_FIELD =
  /^(meta|_meta|timestamp|served_?at|responded_?at|(trace|correlation|span|x?[-_]?request)[-_]?id)$/i;

function stripEnvelope(json: unknown): unknown {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return json;
  return Object.fromEntries(Object.entries(json).filter(([name]) => !ENVELOPE_FIELD.test(name)));
}

/** Created at the beginning of the run, so that its replays at the end are late. */
export const earlyCreation = sharedResult((ctx) => createOriginal(ctx));
