import { expect, test } from 'vitest';
import { expectFunds } from '../../helpers/funds-needed.ts';
import { answerOf } from './labs.ts';

test('only 412 TREAS007 says that the treasury lacks the funds', () => {
  expect(() => expectFunds(answerOf(412, { code: 'TREAS007' }))).toThrow('lacks the funds');
  expect(() => expectFunds(answerOf(412, { code: 'INV004' }))).not.toThrow();
  expect(() => expectFunds(answerOf(409, { code: 'TREAS007' }))).not.toThrow();
});
