import { expect, test } from 'vitest';
import { isSuccess } from '../../../helpers/api/responses.ts';
import { answerOf } from '../support/contexts.ts';

test.each([
  [199, false],
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [302, false],
  [303, true],
])('%i is a status of success: %s', (status, success) => {
  expect(isSuccess(answerOf(status))).toBe(success);
});
