import { type ApiResponse, bodyMember, describeResponse, shorten } from '../../engine/model/messages.ts';
import { Breach } from '../../engine/model/outcomes.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { configurationDoubt } from './configuration-doubt.ts';

/** What was sent, for a reader who has nothing but the message. */
export function describeRequest(answer: ApiResponse): string {
  const headers = (answer.request.headers ?? []).map(([name, value]) => ` with ${name}: ${value}`).join('');
  const body = answer.sentBody === null ? '' : ` with body ${shorten(answer.mask(answer.sentBody), 300)}`;
  return `${answer.request.actorLabel} sent ${answer.requestLine}${headers}${body}`;
}

/** The server is wrong: `because` says what about the answer is. `others` are further evidence. */
export function breach(
  lab: CheckContext,
  answer: ApiResponse,
  expected: string,
  because: string,
  others: readonly ApiResponse[] = [],
): Breach {
  if (lab.execution.id === null) throw new Error('nothing is judged outside a check');
  return new Breach({
    reason: `${describeRequest(answer)}: ${because}${configurationDoubt(lab, answer)}`,
    expected,
    actual: describeResponse(answer),
    exchanges: [answer, ...others].map(({ exchange }) => exchange),
  });
}

export function expectAccepted(lab: CheckContext, answer: ApiResponse, what: string): void {
  if (!isSuccess(answer))
    throw breach(lab, answer, `${what}: a status of 200 to 299`, `answered with ${answer.status}`);
}

/** A refusal by one of the statuses and, where the contract gives one, by its code. */
export function expectRejected(
  lab: CheckContext,
  answer: ApiResponse,
  statuses: readonly number[],
  code?: string,
): void {
  const wanted = `${statuses.join(' or ')}${code ? ` with code ${code}` : ''}`;
  if (!statuses.includes(answer.status)) {
    throw breach(
      lab,
      answer,
      wanted,
      isSuccess(answer) ? `accepted with ${answer.status}` : `answered with ${answer.status}`,
    );
  }
  const actual = bodyMember(answer, 'code');
  if (code !== undefined && actual !== code)
    throw breach(lab, answer, wanted, `the code is ${JSON.stringify(actual) ?? 'absent'}`);
}

/** Whether something about an answer holds that the contract asks for. */
export function expectThat(
  lab: CheckContext,
  holds: boolean,
  answer: ApiResponse,
  expected: string,
  because: string,
): void {
  if (!holds) throw breach(lab, answer, expected, because);
}
