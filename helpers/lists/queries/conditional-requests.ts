import { setTimeout as pause } from 'node:timers/promises';
import { decodedText } from '../../../engine/records/decoded-text.ts';
import { listInvoices, readInvoice } from '../../api/operations.ts';
import { type ApiResponse, headerValue, is2xx } from '../../api/responses.ts';
import { breach } from '../../assert/expect.ts';
import { notApplicable } from '../../assert/not-judged.ts';
import { pollUntil } from '../../assert/poll.ts';
import type { CheckContext } from '../../context/check.ts';
import { performAction } from '../../invoices/acting-party.ts';
import { exclusively, withLateEffects } from '../../invoices/exclusive-section.ts';
import { waitForArrival } from '../../invoices/find-invoice.ts';
import { type Invoice, recordInvoiceState } from '../../invoices/invoices.ts';
import { NEWEST_SORT } from '../order-checks.ts';

/** No other check sends this query. */
const UNSHARED_QUERY = { ...NEWEST_SORT, page: 0, limit: 86 };

/** A weak ETag may be the time of the last change in seconds. */
const TAG_RESOLUTION_MS = 1100;

type ConditionalRequest = (headers: [string, string][]) => Promise<ApiResponse>;

function skipUnlessTagged(count: number): void {
  if (count === 0) notApplicable('no response with the draft has an ETag header');
}

/** Throws NotApplicable if the submission does not lead to SUBMITTED. */
async function submitDraft(ctx: CheckContext, id: string): Promise<void> {
  await performAction(ctx, 'submit', id);
  const { isMet } = await waitForArrival(ctx, id, 'SUBMITTED');
  if (!isMet) notApplicable('the submission did not lead to SUBMITTED', { judgedBy: 'LIFE-04.submit' });
  recordInvoiceState(ctx, { id, state: 'SUBMITTED' });
}

/**
 * Submits a draft and repeats earlier requests with the ETag of their responses. Expects the new state and not 304, which says that
 * nothing has changed. Throws NotApplicable if no response has an ETag.
 */
export async function expectTagsRenewed(ctx: CheckContext, invoice: Invoice): Promise<void> {
  const first = await pollUntil(ctx, () => listInvoices(ctx, UNSHARED_QUERY), is2xx, 'reads a new invoice');
  const isListTagged = headerValue(first, 'etag') !== undefined;
  // Another creation changes the ETag of a list, and would hide that the submission does not.
  await (isListTagged
    ? exclusively(ctx, (ctx) => withLateEffects(ctx, () => expectRenewedBySubmission(ctx, invoice)))
    : expectRenewedBySubmission(ctx, invoice));
}

async function expectRenewedBySubmission(ctx: CheckContext, { id }: Invoice): Promise<void> {
  const requests: ConditionalRequest[] = [
    (headers) => listInvoices(ctx, UNSHARED_QUERY, { headers }),
    ...(ctx.target.operations.read ? [(headers: [string, string][]) => readInvoice(ctx, id, { headers })] : []),
  ];
  const tagged = await Promise.all(
    requests.map(async (request) => ({
      request,
      first: await pollUntil(ctx, () => request([]), is2xx, 'reads a new invoice'),
    })),
  );
  const views = tagged.flatMap(({ request, first }) => {
    const tag = headerValue(first, 'etag');
    return tag === undefined || !decodedText(first.text).includes(id) ? [] : [{ request, first, tag }];
  });
  skipUnlessTagged(views.length);
  await pause(TAG_RESOLUTION_MS);
  await submitDraft(ctx, id);
  for (const { request, first, tag } of views) {
    const repeat = () => request([['If-None-Match', tag]]);
    const response = await pollUntil(ctx, repeat, ({ status }) => status !== 304, ctx.target.limits.settleWithinMs);
    const because = `the server confirms the ETag ${tag} of the response that shows invoice ${id} as DRAFT`;
    if (response.status === 304) throw breach(ctx, response, `invoice ${id} in SUBMITTED`, because, [first]);
  }
}
