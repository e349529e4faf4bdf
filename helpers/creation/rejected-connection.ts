import type { ApiResponse } from '../../engine/model/messages.ts';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import { utcEpochMs } from '../../engine/records/iso-8601.ts';
import { maximalRequest } from '../adaptation/maximal-request.ts';
import { sandboxHeader } from '../api/environment-header.ts';
import { NEWEST_FIRST, postInvoice } from '../api/operations.ts';
import type { RequestOptions } from '../api/requests.ts';
import { isSuccess } from '../api/responses.ts';
import { breach, expectRejected } from '../assert/expect.ts';
import type { CheckContext } from '../context/check.ts';
import { runCreationControl } from '../controls/positive-controls.ts';
import { LARGE_AMOUNT, LOW_AMOUNT } from '../data/amounts.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { optionalFields } from '../fixtures/created-invoice.ts';
import { newestInvoices } from '../invoices/find-invoice.ts';
import { expectNoInvoiceCreated } from './rejected-creation.ts';

interface CreationAttempt {
  body: InvoiceBody;
  response: ApiResponse;
}

/** The same organization id in upper case; null if it has no letters. The contract leaves open whether that is a valid id. */
async function tryUppercaseBuyerId(
  ctx: CheckContext,
  buyerId: string,
  status: number,
  code: string,
): Promise<CreationAttempt | null> {
  const body = { ...validBody(ctx), buyerId: buyerId.toUpperCase() };
  if (body.buyerId === buyerId) return null;
  const response = await postInvoice(ctx, body);
  expectRejected(ctx, response, [status, 400, 404], response.status === status ? code : undefined);
  return { body, response };
}

/** Amounts below and above common limits. */
const UNUSUAL_AMOUNTS = ['0.40', LOW_AMOUNT, '25000.00', LARGE_AMOUNT];

/** Any rejection is allowed here, because the contract leaves the amount limits open. */
async function tryAmount(ctx: CheckContext, buyerId: string, amount: string): Promise<CreationAttempt> {
  const body = { ...validBody(ctx), amount, buyerId };
  const response = await postInvoice(ctx, body);
  expectRejected(ctx, response, [400, 403, 404, 409, 412]);
  return { body, response };
}

/** A replay of a rejected requestId. Its status is left open, but it must not create an invoice. */
async function tryRepeatedRequestId(ctx: CheckContext, buyerId: string, status: number): Promise<CreationAttempt[]> {
  const body = { ...validBody(ctx), buyerId, requestId: ctx.createRequestId() };
  const responses = [await postInvoice(ctx, body), await postInvoice(ctx, body)];
  for (const response of responses.filter(isSuccess)) expectRejected(ctx, response, [status]);
  return responses.map((response) => ({ body, response }));
}

/** Throws a Breach if a new invoice exists for an organization that rejects creations; older ones may exist. */
async function expectNoInvoiceForBuyer(
  ctx: CheckContext,
  buyerId: string,
  older: readonly JsonObject[],
  rejection: ApiResponse,
): Promise<void> {
  const { records, response } = await newestInvoices(ctx);
  const oldest = older.length < NEWEST_FIRST.limit ? Number.NEGATIVE_INFINITY : utcEpochMs(older.at(-1)?.createdAt);
  const made = records.find(
    ({ id, buyerOrganizationId, createdAt }) =>
      String(buyerOrganizationId).toLowerCase() === buyerId.toLowerCase() &&
      !older.some((each) => each.id === id) &&
      // An invoice that moved onto the page because newer ones were deleted is older than the last record.
      utcEpochMs(createdAt) > oldest,
  );
  if (!made) return;
  const because = `the server rejected the creation with ${rejection.status}, but there is a new invoice for that buyer: ${JSON.stringify(made)}`;
  throw breach(ctx, rejection, 'no invoice after a rejected creation', because, [response]);
}

/**
 * A creation that is valid except for its buyer is rejected because of the connection and creates no invoice. Throws a Breach
 * otherwise.
 */
export async function expectBuyerRejected(
  ctx: CheckContext,
  buyerId: string,
  status: number,
  code: string,
): Promise<void> {
  await runCreationControl(ctx);
  const { records: older } = await newestInvoices(ctx);
  const { body: whole, headers } = await maximalRequest(ctx);
  // A replay and a creation with all optional fields must be rejected as well.
  const ways: { more?: object; extra?: RequestOptions }[] = [
    {},
    {},
    { more: { description: undefined } },
    { more: await optionalFields(ctx) },
    { extra: { headers: sandboxHeader } },
    { more: whole, extra: { headers } },
  ];
  const attempts: CreationAttempt[] = [];
  for (const { more, extra } of ways) {
    const body = { ...validBody(ctx), ...more, buyerId };
    const response = await postInvoice(ctx, body, extra);
    expectRejected(ctx, response, [status], code);
    attempts.push({ body, response });
  }
  const spelt = await tryUppercaseBuyerId(ctx, buyerId, status, code);
  if (spelt) attempts.push(spelt);
  attempts.push(...(await tryRepeatedRequestId(ctx, buyerId, status)));
  for (const amount of UNUSUAL_AMOUNTS) attempts.push(await tryAmount(ctx, buyerId, amount));
  await expectNoInvoiceCreated(
    ctx,
    attempts.map(({ response }) => response),
    attempts.map(({ body }) => body),
  );
  await expectNoInvoiceForBuyer(ctx, buyerId, older, attempts[0]?.response as ApiResponse);
}
