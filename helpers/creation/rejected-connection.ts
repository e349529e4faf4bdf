import type { ApiResponse } from '../../engine/model/messages.ts';
import type { JsonObject } from '../../engine/records/find-invoice-record.ts';
import { utcMilliseconds } from '../../engine/records/iso-8601.ts';
import { dressed } from '../adaptation/maximal-request.ts';
import { ownEnvironment } from '../api/environment-header.ts';
import { type Extra, NEWEST_FIRST, postInvoice } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { breach, expectRefused } from '../assert/expect.ts';
import type { Lab } from '../context/check-context.ts';
import { creationWorks } from '../controls/controls.ts';
import { LARGE_SUM, LITTLE_SUM } from '../data/amounts.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { optionalFields } from '../fixtures/created-invoice.ts';
import { newest } from '../invoices/find-invoice.ts';
import { expectNoneCreated } from './rejected-creation.ts';

interface Attempt {
  body: InvoiceBody;
  answer: ApiResponse;
}

/** The same organization in other letters: whether that is an id at all is left open. Null where it has none. */
async function inCapitals(lab: Lab, buyerId: string, status: number, code: string): Promise<Attempt | null> {
  const body = { ...validBody(lab), buyerId: buyerId.toUpperCase() };
  if (body.buyerId === buyerId) return null;
  const answer = await postInvoice(lab, body);
  expectRefused(lab, answer, [status, 400, 404], answer.status === status ? code : undefined);
  return { body, answer };
}

/** Below what some look at, and above what others do. */
const OTHER_SUMS = ['0.40', LITTLE_SUM, '25000.00', LARGE_SUM];

/** How little or how much an invoice may be worth is left open: a refusal for its sum is one, too. */
async function ofOtherSum(lab: Lab, buyerId: string, amount: string): Promise<Attempt> {
  const body = { ...validBody(lab), amount, buyerId };
  const answer = await postInvoice(lab, body);
  expectRefused(lab, answer, [400, 403, 404, 409, 412]);
  return { body, answer };
}

/** A requestId that was refused once: what is said of it then is not shown, but that it makes no invoice. */
async function withOneRequestId(lab: Lab, buyerId: string, status: number): Promise<Attempt[]> {
  const body = { ...validBody(lab), buyerId, requestId: lab.requestId() };
  const answers = [await postInvoice(lab, body), await postInvoice(lab, body)];
  for (const answer of answers.filter(isSuccess)) expectRefused(lab, answer, [status]);
  return answers.map((answer) => ({ body, answer }));
}

/** Whatever it holds, an invoice for an organization that none can be made for; older ones may be there. */
async function expectNoneFor(
  lab: Lab,
  buyerId: string,
  older: readonly JsonObject[],
  refusal: ApiResponse,
): Promise<void> {
  const { records, answer } = await newest(lab);
  const oldest =
    older.length < NEWEST_FIRST.limit ? Number.NEGATIVE_INFINITY : utcMilliseconds(older.at(-1)?.createdAt);
  const made = records.find(
    ({ id, buyerOrganizationId, createdAt }) =>
      String(buyerOrganizationId).toLowerCase() === buyerId.toLowerCase() &&
      !older.some((each) => each.id === id) &&
      // One that moved up when newer ones were deleted is older than the last one.
      utcMilliseconds(createdAt) > oldest,
  );
  if (!made) return;
  const because = `refused with ${refusal.status}, and yet there is a new invoice for that buyer: ${JSON.stringify(made)}`;
  throw breach(lab, refusal, 'no invoice after a refused creation', because, [answer]);
}

/** A creation that is valid but for its buyer is refused because of the connection, and creates nothing. */
export async function expectNoConnection(lab: Lab, buyerId: string, status: number, code: string): Promise<void> {
  await creationWorks(lab);
  const { records: older } = await newest(lab);
  const { body: whole, headers } = await dressed(lab);
  // Asked again it is no better, nor with whatever else may go with a creation.
  const ways: { more?: object; extra?: Extra }[] = [
    {},
    {},
    { more: { description: undefined } },
    { more: await optionalFields(lab) },
    { extra: { headers: ownEnvironment } },
    { more: whole, extra: { headers } },
  ];
  const attempts: Attempt[] = [];
  for (const { more, extra } of ways) {
    const body = { ...validBody(lab), ...more, buyerId };
    const answer = await postInvoice(lab, body, extra);
    expectRefused(lab, answer, [status], code);
    attempts.push({ body, answer });
  }
  const spelt = await inCapitals(lab, buyerId, status, code);
  if (spelt) attempts.push(spelt);
  attempts.push(...(await withOneRequestId(lab, buyerId, status)));
  for (const amount of OTHER_SUMS) attempts.push(await ofOtherSum(lab, buyerId, amount));
  await expectNoneCreated(
    lab,
    attempts.map(({ answer }) => answer),
    attempts.map(({ body }) => body),
  );
  await expectNoneFor(lab, buyerId, older, attempts[0]?.answer as ApiResponse);
}
