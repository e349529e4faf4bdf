import { describe, expect, test } from 'vitest';
import type { ApiResponse } from '../../../engine/model/messages.ts';
import { NoResponse } from '../../../engine/model/outcomes.ts';
import {
  answeredOf,
  expectJsonResponse,
  sendLongHeaders,
  sendLongQueries,
} from '../../../helpers/creation/large-requests.ts';
import { answerOf, labOf, scripted } from '../support/contexts.ts';

const page = (status: number, text: string, server?: string): ApiResponse => ({
  ...answerOf(status),
  text,
  headers: [['content-type', 'text/html'], ...(server === undefined ? [] : [['server', server] as const])],
});
const judge = (response: ApiResponse) => () => expectJsonResponse(labOf(), { what: 'a body of 1 MiB', response });

describe('the response to a large request', () => {
  test.each([
    ['is accepted', answerOf(201, { id: 'inv-1' })],
    ['is an error in JSON', answerOf(413, { error: 'too large', code: 'REQ413' })],
    ['is a 401 with its own members', answerOf(401, { error: 'Unauthorized', message: 'Invalid key' })],
    ['has no body', answerOf(431)],
    ['is the page of a gateway without a service', page(502, '<h1>Bad Gateway</h1>')],
  ])('passes if it %s', (_, response) => {
    expect(judge(response)).not.toThrow();
  });

  test('may not be a page, and the message names the server', () => {
    expect(judge(page(413, '<h1>413</h1>', 'nginx/1.25.3'))).toThrow(
      'the response to a body of 1 MiB is 413 <h1>413</h1> (Content-Type: text/html, Server: nginx/1.25.3): not JSON, but a page of the layer in front of the service',
    );
    expect(judge(page(200, '<h1>Hello</h1>'))).toThrow('not JSON');
  });

  test.each([
    [413, { statusCode: 413, message: 'too large' }, 'has no error and no code'],
    [413, { error: 'too large' }, 'has no code'],
    [400, { error: 'too large', code: '' }, 'has no code'],
    [401, { error: 'Unauthorized', code: 'X' }, 'has no message'],
  ])('is an error with the members of the contract: %i %j', (status, json, reason) => {
    expect(judge(answerOf(status, json))).toThrow(reason);
  });
});

test('a closed connection is not judged', async () => {
  const { ctx, asks } = scripted(({ path, headers }) => {
    if (path.length + JSON.stringify(headers ?? []).length > 10_000) throw new NoResponse('x1', path, 'closed');
    return { status: 200, json: {} };
  });
  expect(answeredOf(ctx, await sendLongHeaders(ctx)).map(({ what }) => what)).toEqual(['a header of 8 kB']);
  expect(answeredOf(ctx, await sendLongQueries(ctx)).map(({ what }) => what)).toEqual(['a query of 8 kB']);
  expect(asks.every(({ mayEndWithoutResponse, skipExchangeRules }) => mayEndWithoutResponse && skipExchangeRules)).toBe(
    true,
  );
  expect(() => answeredOf(ctx, [{ what: 'a body', response: null }])).toThrow('closed the connection');
});
