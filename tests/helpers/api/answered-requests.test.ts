import { expect, test } from 'vitest';
import { Blocked, NoResponse } from '../../../engine/model/outcomes.ts';
import { responsesOf } from '../../../helpers/api/responses.ts';
import { answerOf } from '../support/contexts.ts';

const failing = (error: Error) => () => Promise.reject(error);

test('a closed connection and a late response leave no response', async () => {
  const late = new Blocked('limits.requestTimeoutMs of the target file', 'no complete response within 10000 ms');
  const response = answerOf(404);
  const sends = [
    failing(late),
    () => Promise.resolve(response),
    failing(new NoResponse('x1', 'GET /', 'the server closed the connection')),
  ];
  expect(await responsesOf(sends)).toEqual([response]);
});

test('any other reason for a missing response is not hidden', async () => {
  await expect(
    responsesOf([failing(new Blocked('limits.maxRequests of the target file', 'no request is left'))]),
  ).rejects.toThrow();
  await expect(responsesOf([failing(new TypeError('wrong'))])).rejects.toThrow('wrong');
});
