import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { GuardError } from '../../../engine/http/production-guard.ts';
import { Blocked, Breach, NotApplicable } from '../../../engine/model/outcomes.ts';
import { customVerdictOf } from '../../../engine/run/custom-check.ts';

function thrownBy(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('the verdict of a custom check', () => {
  it.each([
    ['fail', new Breach({ reason: 'wrong', expected: '1', actual: '2', exchanges: [] })],
    ['blocked', new Blocked('target', 'no answer')],
    ['not-applicable', new NotApplicable('never shown')],
  ])('is %s for the outcome of that name', (verdict, thrown) => {
    expect(customVerdictOf(thrown).verdict).toBe(verdict);
  });

  it('is a failure for a failed assertion, with both values', () => {
    const verdict = customVerdictOf(thrownBy(() => assert.equal(404, 200)));
    expect(verdict).toMatchObject({ verdict: 'fail', expected: '200', actual: '404' });
    expect(verdict.reason).toBe('Expected values to be strictly equal');
  });

  it('is a failure for a failed assertion of vitest', () => {
    const verdict = customVerdictOf(thrownBy(() => expect({ total: 1 }).toEqual({ total: 2 })));
    expect(verdict).toMatchObject({ verdict: 'fail', expected: '{"total":2}', actual: '{"total":1}' });
  });

  it('is an error for a mistake in the check, with its place', () => {
    const verdict = customVerdictOf(new TypeError('x is not a function'));
    expect(verdict.verdict).toBe('error');
    expect(verdict.reason).toMatch(
      /^the custom check threw TypeError: x is not a function \(at .*custom-check\.test\.ts/,
    );
    expect(verdict.reason).not.toContain('\n');
  });

  it('is blocked for a request that the kit must not send', () => {
    const verdict = customVerdictOf(new GuardError('a POST in a run that only reads'));
    expect(verdict).toMatchObject({
      verdict: 'blocked',
      reason: 'the kit does not send this request: a POST in a run that only reads',
    });
  });
});
