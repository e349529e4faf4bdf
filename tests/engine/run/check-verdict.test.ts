import { describe, expect, test } from 'vitest';
import { GuardError } from '../../../engine/http/production-guard.ts';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { Blocked, Breach, DisturbedByOthers, NoResponse, NotApplicable } from '../../../engine/model/outcomes.ts';
import { passVerdict, verdictOf } from '../../../engine/run/check-verdict.ts';

const breach = new Breach({
  reason: 'it is 200',
  expected: '401',
  actual: '200 {}',
  exchanges: ['x1', 'x2'],
  expectation: { status: [401] },
});
const noAnswer = new NoResponse('x3', 'GET /a', 'no response to GET /a: no connection');

test('a body that ends is a pass', () => {
  expect(passVerdict).toEqual({
    verdict: 'pass',
    reason: '',
    expected: '',
    actual: '',
    blockedBy: null,
    decisive: [],
    expectation: null,
  });
});

describe('a breach', () => {
  test('of a required statement is a failure with all its evidence', () => {
    expect(verdictOf(breach, 'required', false)).toEqual({
      verdict: 'fail',
      reason: 'it is 200',
      expected: '401',
      actual: '200 {}',
      blockedBy: null,
      decisive: ['x1', 'x2'],
      expectation: { status: [401] },
    });
  });

  test('of an implied statement is a warning, and a failure in a strict run', () => {
    expect(verdictOf(breach, 'implied', false).verdict).toBe('warn');
    expect(verdictOf(breach, 'implied', true).verdict).toBe('fail');
  });
});

test('a request without a response breaks the requirement of the check', () => {
  expect(verdictOf(noAnswer, 'required', false)).toMatchObject({
    verdict: 'fail',
    expected: 'a response to GET /a',
    decisive: ['x3'],
  });
  expect(verdictOf(noAnswer, 'implied', false).verdict).toBe('warn');
});

test('a check that other users of the sandbox disturbed is not applicable, and says so', () => {
  const verdict = verdictOf(new DisturbedByOthers('the total is not stable'), 'required', false);
  expect(verdict).toMatchObject({ verdict: 'not-applicable', disturbed: true });
  expect(verdictOf(new NotApplicable('no list'), 'required', false).disturbed).toBeUndefined();
});

test('a check that cannot be performed is blocked, with its cause', () => {
  const blocked = new Blocked('LIFE-01.draft-submit', 'submit is refused');
  expect(verdictOf(blocked, 'required', true)).toMatchObject({
    verdict: 'blocked',
    reason: 'submit is refused',
    blockedBy: 'LIFE-01.draft-submit',
  });
});

test('a situation that never occurs is not applicable', () => {
  expect(verdictOf(new NotApplicable('no 429 was met'), 'required', true)).toMatchObject({
    verdict: 'not-applicable',
    reason: 'no 429 was met',
  });
});

test('the reason names the check that judges the situation instead', () => {
  const thrown = new NotApplicable('the server rejects the submit action', { judgedBy: 'LIFE-01.draft-submit' });
  expect(verdictOf(thrown, 'required', true).reason).toBe(
    'the server rejects the submit action; judged by LIFE-01.draft-submit',
  );
});

test.each([
  ['an ordinary error', new TypeError('x is undefined')],
  ['a request that the production guard rejects', new GuardError('a POST with a production credential')],
  ['a configuration error', new ConfigurationError('webhooks.listen: taken')],
  ['a thrown value that is not an Error', 'just a text'],
])('%s is an error of the kit, never of the server', (_, thrown) => {
  const { verdict, reason } = verdictOf(thrown, 'required', false);
  expect(verdict).toBe('error');
  expect(reason).toMatch(/^internal error of the kit: /);
});
