import { configurationDoubt } from '../../engine/diagnosis/configuration-doubt.ts';
import { type ApiResponse, bodyMember, describeResponse, shorten } from '../../engine/model/messages.ts';
import { Breach } from '../../engine/model/outcomes.ts';
import type { Expectation } from '../../specs/formats/expectation.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';

/** The request in one line, for a message that stands alone. */
export function describeRequest(response: ApiResponse): string {
  const { requestLine, mask } = response;
  const headers = (response.request.headers ?? [])
    .map(([name, value]) => ` with ${name}: ${shorten(mask(value), MAX_HEADER_CHARACTERS)}`)
    .join('');
  const body = response.sentBody === null ? '' : ` with body ${shorten(response.mask(response.sentBody), 300)}`;
  return `${response.request.actorLabel} sent ${shorten(mask(requestLine), MAX_LINE_CHARACTERS)}${headers}${body}`;
}

const MAX_HEADER_CHARACTERS = 200;
const MAX_LINE_CHARACTERS = 600;

/**
 * A breach with `because` as the observation about the response. `others` are further evidence. A script that reproduces the breach
 * tests the `expectation`.
 */
export function breach(
  ctx: CheckContext,
  response: ApiResponse,
  expected: string,
  because: string,
  others: readonly ApiResponse[] = [],
  expectation?: Expectation,
): Breach {
  if (ctx.execution.id === null) throw new Error('nothing is judged outside a check');
  return new Breach({
    reason: `${configurationDoubt(ctx.run, response)}${because} (${describeRequest(response)})`,
    expected,
    actual: describeResponse(response),
    exchanges: [response, ...others].map(({ exchange }) => exchange),
    ...(expectation && { expectation }),
  });
}

export function expectAccepted(ctx: CheckContext, response: ApiResponse, what: string): void {
  if (isSuccess(response)) return;
  const because = `the server returned ${response.status}`;
  throw breach(ctx, response, `a status of 200 to 299 (${what})`, because, [], { status: 'success' });
}

/** Expects a rejection with one of the statuses and, if given, with this code. Throws a Breach otherwise. */
export function expectRejected(
  ctx: CheckContext,
  response: ApiResponse,
  statuses: readonly number[],
  code?: string,
): void {
  const expectation = { status: [...statuses], ...(code !== undefined && { code }) };
  const rejection = `${statuses.join(' or ')}${code ? ` with code ${code}` : ''}`;
  if (!statuses.includes(response.status)) {
    throw breach(
      ctx,
      response,
      rejection,
      isSuccess(response)
        ? `the server accepted the request with ${response.status}`
        : `the server returned ${response.status}`,
      [],
      expectation,
    );
  }
  const actual = bodyMember(response, 'code');
  if (code !== undefined && actual !== code)
    throw breach(ctx, response, rejection, `the code is ${JSON.stringify(actual) ?? 'absent'}`, [], expectation);
}

/** Throws a Breach unless a statement about a response holds. */
export function expectThat(
  ctx: CheckContext,
  holds: boolean,
  response: ApiResponse,
  expected: string,
  because: string,
  expectation?: Expectation,
): void {
  if (!holds) throw breach(ctx, response, expected, because, [], expectation);
}
