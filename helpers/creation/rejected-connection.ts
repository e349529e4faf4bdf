import type { ApiResponse } from '../../engine/model/messages.ts';
import type { JsonObject } from '../../engine/records/find-invoice-record.ts';
import { utcEpochMs } from '../../engine/records/iso-8601.ts';
import { maximalRequest } from '../adaptation/maximal-request.ts';
import { sandboxHeader } from '../api/environment-header.ts';
import { NEWEST_FIRST, postInvoice, type RequestOptions } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { breach, expectRejected } from '../assert/expect.ts';
import type { CheckContext } from '../context/check-context.ts';
import { runCreationControl } from '../controls/controls.ts';
import { LARGE_AMOUNT, LOW_AMOUNT } from '../data/amounts.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { optionalFields } from '../fixtures/created-invoice.ts';
import { newestInvoices } from '../invoices/find-invoice.ts';
import { expectNoInvoiceCreated } from './rejected-creation.ts';

interface CreationAttempt {
  body: InvoiceBody;
  answer: ApiResponse;
}

/** The same organization in other letters: whether that is an id at all is left open. Null where it has none. */
async function tryUppercaseBuyerId(
  lab: CheckContext,
  buyerId: string,
  status: number,
  code: string,
): Promise<CreationAttempt | null> {
  const body = { ...validBody(lab), buyerId: buyerId.toUpperCase() };
  if (body.buyerId === buyerId) return null;
  const answer = await postInvoice(lab, body);
  expectRejected(lab, answer, [status, 400, 404], answer.status === status ? code : undefined);
  return { body, answer };
}

/** Below what some look at, and above what others do. */
const UNUSUAL_AMOUNTS = ['0.40', LOW_AMOUNT, '25000.00', LARGE_AMOUNT];

/** How little or how much an invoice may be worth is left open: a refusal for its sum is one, too. */
async function tryAmount(lab: CheckContext, buyerId: string, amount: string): Promise<CreationAttempt> {
  const body = { ...validBody(lab), amount, buyerId };
  const answer = await postInvoice(lab, body);
  expectRejected(lab, answer, [400, 403, 404, 409, 412]);
  return { body, answer };
}

/** A createRequestId that was refused once: what is said of it then is not shown, but that it makes no invoice. */
async function tryRepeatedRequestId(lab: CheckContext, buyerId: string, status: number): Promise<CreationAttempt[]> {
  const body = { ...validBody(lab), buyerId, requestId: lab.createRequestId() };
  const answers = [await postInvoice(lab, body), await postInvoice(lab, body)];
  for (const answer of answers.filter(isSuccess)) expectRejected(lab, answer, [status]);
  return answers.map((answer) => ({ body, answer }));
}

/** Whatever it holds, an invoice for an organization that none can be made for; older ones may be there. */
async function expectNoInvoiceForBuyer(
  lab: CheckContext,
  buyerId: string,
  older: readonly JsonObject[],
  refusal: ApiResponse,
): Promise<void> {
  const { records, answer } = await newestInvoices(lab);
  const oldest = older.length < NEWEST_FIRST.limit ? Number.NEGATIVE_INFINITY : utcEpochMs(older.at(-1)?.createdAt);
  const made = records.find(
    ({ id, buyerOrganizationId, createdAt }) =>
      String(buyerOrganizationId).toLowerCase() === buyerId.toLowerCase() &&
      !older.some((each) => each.id === id) &&
      // One that moved up when newer ones were deleted is older than the last one.
      utcEpochMs(createdAt) > oldest,
  );
  if (!made) return;
  const because = `refused with ${refusal.status}, and yet there is a new invoice for that buyer: ${JSON.stringify(made)}`;
  throw breach(lab, refusal, 'no invoice after a refused creation', because, [answer]);
}

/** A creation that is valid but for its buyer is refused because of the connection, and creates nothing. */
export async function expectBuyerRejected(
  lab: CheckContext,
  buyerId: string,
  status: number,
  code: string,
): Promise<void> {
  await runCreationControl(lab);
  const { records: older } = await newestInvoices(lab);
  const { body: whole, headers } = await maximalRequest(lab);
  // Asked again it is no better, nor with whatever else may go with a creation.
  const ways: { more?: object; extra?: RequestOptions }[] = [
    {},
    {},
    { more: { description: undefined } },
    { more: await optionalFields(lab) },
    { extra: { headers: sandboxHeader } },
    { more: whole, extra: { headers } },
  ];
  const attempts: CreationAttempt[] = [];
  for (const { more, extra } of ways) {
    const body = { ...validBody(lab), ...more, buyerId };
    const answer = await postInvoice(lab, body, extra);
    expectRejected(lab, answer, [status], code);
    attempts.push({ body, answer });
  }
  const spelt = await tryUppercaseBuyerId(lab, buyerId, status, code);
  if (spelt) attempts.push(spelt);
  attempts.push(...(await tryRepeatedRequestId(lab, buyerId, status)));
  for (const amount of UNUSUAL_AMOUNTS) attempts.push(await tryAmount(lab, buyerId, amount));
  await expectNoInvoiceCreated(
    lab,
    attempts.map(({ answer }) => answer),
    attempts.map(({ body }) => body),
  );
  await expectNoInvoiceForBuyer(lab, buyerId, older, attempts[0]?.answer as ApiResponse);
}
