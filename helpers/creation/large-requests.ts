import {
  type ApiResponse,
  bodyMember,
  describeResponse,
  headerValue,
  isSuccess,
  shorten,
} from '../../engine/model/messages.ts';
import { INVOICES_PATH, listInvoicesBy, postInvoiceAt } from '../api/operations.ts';
import { responseOrNull } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { runCreationControl } from '../controls/positive-controls.ts';
import { type InvoiceBody, validBody } from '../data/invoice-body.ts';
import { resolveCreatedInvoice } from '../invoices/invoices.ts';

const KB = 1000;
const MIB = 1024 * 1024;

/** A large request and its response; null if the server closed the connection or did not respond in time. */
export interface LargeRequest {
  what: string;
  response: ApiResponse | null;
}

/** A large creation. `invalid`: the body has an undeclared field, so that the server must not accept it. */
export interface LargeCreation extends LargeRequest {
  body: InvoiceBody;
  invalid: boolean;
}

const longText = (length: number) => ''.padEnd(length, 'long-text-');
const undeclared = (length: number) => (valid: InvoiceBody) => ({ ...valid, conformanceProbe: longText(length) });

const LARGE_BODIES: readonly [what: string, invalid: boolean, of: (valid: InvoiceBody) => unknown][] = [
  ['an undeclared field of 100 kB', true, undeclared(100 * KB)],
  ['an undeclared field of 1 MiB', true, undeclared(MIB)],
  [
    'a description of 1 MiB and an undeclared field',
    true,
    (valid) => ({ conformanceProbe: 1, ...valid, description: valid.description.padEnd(MIB, ' text') }),
  ],
  // White space between the members is no part of the content.
  ['1 MiB of white space', false, (valid) => JSON.stringify(valid).replace('{', `{${' '.repeat(MIB)}`)],
];

/** The large creations of the run, sent once for all checks. A server may reject them for their size. */
export const sendLargeCreations = sharedResult(async (ctx): Promise<LargeCreation[]> => {
  await runCreationControl(ctx);
  const sent: LargeCreation[] = [];
  for (const [what, invalid, of] of LARGE_BODIES) {
    const body = validBody(ctx);
    const response = await responseOrNull(() => sendCreation(ctx, of(body)));
    if (response && isSuccess(response) && !invalid) await resolveCreatedInvoice(ctx, body, response);
    sent.push({ what, invalid, body, response });
  }
  return sent;
});

/** One creation with an undeclared field of 8 MiB. */
export async function sendVeryLargeCreation(ctx: CheckContext): Promise<LargeRequest> {
  await runCreationControl(ctx);
  const body = undeclared(8 * MIB)(validBody(ctx));
  return { what: 'an undeclared field of 8 MiB', response: await responseOrNull(() => sendCreation(ctx, body)) };
}

/** A creation with a body that a server may reject for its size. Throws NotApplicable without a response. */
export async function sendLongCreation(ctx: CheckContext, what: string, body: InvoiceBody): Promise<ApiResponse> {
  const [{ response }] = answeredOf(ctx, [{ what, response: await responseOrNull(() => sendCreation(ctx, body)) }]);
  return response;
}

async function sendCreation(ctx: CheckContext, body: unknown): Promise<ApiResponse> {
  return await postInvoiceAt(ctx, INVOICES_PATH, body, {});
}

const LIST_PATH = `${INVOICES_PATH}?page=0&limit=1`;

/** Lists with a header of each length, sent once for all checks. */
export const sendLongHeaders = sharedResult((ctx) =>
  sendLists(ctx, 'a header', [8 * KB, 16 * KB, 64 * KB], (text) => [LIST_PATH, [['X-Conformance-Probe', text]]]),
);

/** Lists with an undeclared parameter of each length, sent once for all checks. */
export const sendLongQueries = sharedResult((ctx) =>
  sendLists(ctx, 'a query', [8 * KB, 64 * KB], (text) => [`${LIST_PATH}&conformanceProbe=${text}`, []]),
);

async function sendLists(
  ctx: CheckContext,
  part: string,
  lengths: readonly number[],
  requestOf: (text: string) => [path: string, headers: readonly (readonly [string, string])[]],
): Promise<LargeRequest[]> {
  const sent = lengths.map(async (length): Promise<LargeRequest> => {
    const [path, headers] = requestOf(longText(length));
    const request = () => listInvoicesBy(ctx, { path, headers });
    return { what: `${part} of ${length / KB} kB`, response: await responseOrNull(request) };
  });
  return await Promise.all(sent);
}

/** The requests that got a response. Throws NotApplicable if there is none. */
export function answeredOf<T extends LargeRequest>(
  ctx: CheckContext,
  sent: readonly T[],
): [Answered<T>, ...Answered<T>[]] {
  const [first, ...others] = sent.flatMap((each) =>
    each.response === null ? [] : [{ ...each, response: each.response }],
  );
  if (!first) return notApplicable('the server closed the connection or did not respond in time');
  ctx.addEvidence([first, ...others].map(({ response }) => response));
  return [first, ...others];
}

type Answered<T extends LargeRequest> = T & { response: ApiResponse };

/** Statuses that a gateway in front of the service sends when the service does not respond. */
const GATEWAY_STATUSES = [502, 503, 504];

/**
 * "Errors return JSON with `error` and `code`." Throws a Breach for another body. A response without a body is not judged, and exchange
 * rules judge the values.
 */
export function expectJsonResponse(ctx: CheckContext, { what, response }: Answered<LargeRequest>): void {
  const { status, text, json } = response;
  if (text === '' || GATEWAY_STATUSES.includes(status)) return;
  const members = status === 401 ? ['error', 'message'] : ['error', 'code'];
  const expected = `JSON${status < 400 ? '' : ` with ${members.join(' and ')}`}, an empty body or a closed connection (Errors, Body: errors return JSON with error and code)`;
  if (json === undefined) throw breach(ctx, response, expected, `the response to ${what} is ${describePage(response)}`);
  const missing = status < 400 ? [] : members.filter((name) => isMissing(bodyMember(response, name)));
  if (missing.length === 0) return;
  throw breach(ctx, response, expected, `the ${status} response to ${what} has no ${missing.join(' and no ')}`);
}

const isMissing = (value: unknown): boolean => value === undefined || value === '';

/** A gateway or the web server rejects a large request before the service reads it, with a page of its own. */
function describePage(response: ApiResponse): string {
  const [type, server] = ['content-type', 'server'].map((name) => headerValue(response, name));
  const origin = [`Content-Type: ${type ?? 'absent'}`, ...(server === undefined ? [] : [`Server: ${server}`])].join(
    ', ',
  );
  return `${shorten(describeResponse(response), 60)} (${origin}): not JSON, but a page of the layer in front of the service, such as a gateway or web server`;
}
