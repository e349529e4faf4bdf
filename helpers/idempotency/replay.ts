import { isDeepStrictEqual } from 'node:util';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { NotApplicable } from '../../engine/model/outcomes.ts';
import { foundRecordIn } from '../../engine/records/invoice-records.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { lifecycle } from '../../specs/lifecycle.ts';
import { skipIfInsufficientFunds } from '../api/error-codes.ts';
import { postInvoice } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { breach, expectThat } from '../assert/expect.ts';
import { blockedByRejection, notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { observationTimeFor, skipIfChangesSpontaneously } from '../controls/spontaneous-change.ts';
import { readsAreStale } from '../controls/stale-reads.ts';
import { skipIfVariantChanges } from '../controls/variant-spontaneous-change.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { validBody } from '../data/invoice-body.ts';
import { performAction } from '../invoices/acting-party.ts';
import { waitForInvoice } from '../invoices/find-invoice.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { isInvoiceState, recordInvoiceState, resolveCreatedInvoice } from '../invoices/invoices.ts';

export interface OriginalCreation {
  body: InvoiceBody & { requestId: string };
  response: ApiResponse;
  invoice: Invoice;
}

/** A creation with a createRequestId, to be repeated. Throws Blocked when it is refused. */
export async function createOriginal(ctx: CheckContext, requestId = ctx.createRequestId()): Promise<OriginalCreation> {
  const body = { ...validBody(ctx), requestId };
  const response = await postInvoice(ctx, body);
  if (!isSuccess(response))
    throw blockedByRejection(ctx, response, 'CREATE-13.request-id', 'a creation with a requestId is refused');
  return { body, response: response, invoice: await resolveCreatedInvoice(ctx, body, response) };
}

/** How long a server remembers is not shown; hardly one forgets sooner, in milliseconds. */
const MIN_RETENTION_MS = 240_000;

/** Whether a replay comes early enough for the original not to have been forgotten. */
export function isRemembered({ sentAt }: ApiResponse): boolean {
  return performance.now() - sentAt < MIN_RETENTION_MS;
}

/** Throws NotApplicable where a slow run has come so late that an answer may have been forgotten. */
export function skipUnlessRemembered(original: ApiResponse): void {
  if (isRemembered(original)) return;
  throw new NotApplicable('the original is older than four minutes: how long it is remembered is not shown');
}

/** The replayed answer has the status of the original one and carries the same invoice, field for field. */
export function expectOriginalResponse(ctx: CheckContext, first: ApiResponse, replayed: ApiResponse): void {
  if (replayed.status !== first.status) {
    throw breach(ctx, replayed, `the original status ${first.status}`, `answered with ${replayed.status}`, [first]);
  }
  const [then, now] = [first, replayed].map((each) => foundRecordIn(each)?.record ?? stripEnvelope(each.json));
  if (!isDeepStrictEqual(then, now)) {
    throw breach(ctx, replayed, `the original ${JSON.stringify(then)}`, 'the replayed answer differs', [first]);
  }
  const absent = presentMembers(first).find((name) => !presentMembers(replayed).includes(name));
  if (absent === undefined) return;
  throw breach(ctx, replayed, `the original response ${first.text}`, `the replayed one has no ${absent}`, [first]);
}

/** Moves an invoice on between a request and its replay. Throws NotApplicable where an action of the way is refused. */
export async function advanceInvoice(
  ctx: CheckContext,
  { id, state }: Invoice,
  way: readonly InvoiceAction[],
): Promise<string | null> {
  let status: string | null = state;
  for (const action of way) {
    const response = await performAction(ctx, action, id);
    skipIfInsufficientFunds(response);
    if (!isSuccess(response)) throw new NotApplicable(`${action} is refused; LIFE-01 judges that`);
    const to = lifecycle.leadsTo[action];
    const { record, held } = await waitForInvoice(ctx, id, (found) => found?.status === to);
    status = record && String(record.status);
    // What is still to land would look like the replay's work.
    if (!held) throw new NotApplicable(`an accepted ${action} leaves the invoice ${status ?? 'gone'} here, not ${to}`);
    if (isInvoiceState(status)) recordInvoiceState(ctx, { id, state: status });
  }
  return status;
}

export interface ReplayAfterMove {
  first: ApiResponse;
  replay: () => Promise<ApiResponse>;
  id: string;
  /** Where the invoice is when the request is repeated; null when it is gone. */
  status: string | null;
  /** Whether nothing but a read told that status: a copy of the data that is behind may have answered it. */
  isLearned?: boolean;
  /** The invoice itself, where a rule may treat it by its history. */
  invoice?: Invoice;
}

/**
 * A replay gets the original answer, and the invoice, which has moved on since, stays where it is. Throws NotApplicable when its status
 * was learned from a read and reads go back.
 */
export async function expectReplayWithoutEffect(
  ctx: CheckContext,
  { first, replay, id, status, isLearned = false, invoice }: ReplayAfterMove,
): Promise<void> {
  const since = performance.now();
  expectOriginalResponse(ctx, first, await replay());
  const { record, held, response } = await waitForInvoice(ctx, id, (found) => (found?.status ?? null) === status);
  if (!held && isLearned && (await readsAreStale(ctx))) notApplicable('reads of an invoice go back to earlier states');
  if (!held && isInvoiceState(status)) {
    await skipIfChangesSpontaneously(ctx, [status], observationTimeFor(performance.now() - since));
    if (invoice) await skipIfVariantChanges(ctx, { ...invoice, state: status });
  }
  const because = `it is ${String(record?.status ?? 'gone')}`;
  expectThat(ctx, held, response, `status ${status ?? 'none any more'}, as before the replay`, because);
}

/** The names at the top of a body that say something. */
function presentMembers({ json }: ApiResponse): string[] {
  const body = stripEnvelope(json);
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => (value === null ? [] : [name]));
}

/** Of the exchange, not of what was done in it: names that gateways give to what they add to every body. */
const ENVELOPE_FIELD =
  /^(meta|_meta|timestamp|served_?at|responded_?at|(trace|correlation|span|x?[-_]?request)[-_]?id)$/i;

function stripEnvelope(json: unknown): unknown {
  if (json === null || typeof json !== 'object' || Array.isArray(json)) return json;
  return Object.fromEntries(Object.entries(json).filter(([name]) => !ENVELOPE_FIELD.test(name)));
}

/** Made at the beginning of the run, so that its replays at the end come late. */
export const earlyCreation = (ctx: CheckContext) => ctx.run.memoize('early creation', () => createOriginal(ctx));
