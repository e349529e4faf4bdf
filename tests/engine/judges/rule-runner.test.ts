import { describe, expect, test } from 'vitest';
import { ruling, statelessRule } from '../../../engine/judges/exchange-rule.ts';
import { RuleRunner } from '../../../engine/judges/rule-runner.ts';
import { Blocked, Breach, NotApplicable } from '../../../engine/model/outcomes.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { allRules } from '../../../suites/every-exchange/all-rules.ts';
import { knowledge } from '../../suites/every-exchange/rule-cases.ts';
import { received } from '../support/responses.ts';

const finding = { reason: 'it is not 200', expected: '200', actual: 'something else' };
const onlyReads = (unmet: 'blocked' | 'not-applicable') =>
  statelessRule(
    'REC-01.id',
    (response) => response.request.operation === 'read',
    (response) => ruling(response.status === 200, () => finding),
    unmet,
  );

function runner(unmet: 'blocked' | 'not-applicable' = 'blocked'): RuleRunner {
  return new RuleRunner(knowledge(), [onlyReads(unmet)]);
}

function verdictOf(seen: RuleRunner): unknown {
  try {
    return seen.verdict('REC-01.id');
  } catch (error) {
    return error;
  }
}

describe('the rule runner', () => {
  test('counts the responses that a rule was applied to', () => {
    const seen = runner();
    for (const status of [200, 200]) seen.observe(received({ status }));
    seen.observe(received({ operation: 'list', status: 500 }));
    expect(verdictOf(seen)).toBe(2);
  });

  test('remembers one breach among many responses', () => {
    const seen = runner();
    const responses = [200, 500, 200].map((status) => received({ status }));
    for (const response of responses) seen.observe(response);
    const { reason: message, expected, actual } = finding;
    expect(verdictOf(seen)).toBeInstanceOf(Breach);
    expect(verdictOf(seen)).toMatchObject({ message, expected, actual, exchanges: [responses[1]?.exchange] });
  });

  test('counts further breaches and keeps a few as examples', () => {
    const seen = runner();
    for (let at = 0; at < 9; at += 1) seen.observe(received({ status: 500 }));
    const breach = verdictOf(seen);
    if (!(breach instanceof Breach)) throw breach;
    expect(breach.message).toBe('it is not 200 (and 8 more of 9 responses)');
    expect(breach.exchanges).toHaveLength(5);
  });

  test('announces a rule at its first breach only', () => {
    const announced: string[] = [];
    const seen = new RuleRunner(knowledge(), [onlyReads('blocked')], (id, reason) => announced.push(`${id} ${reason}`));
    for (const status of [200, 500, 500]) seen.observe(received({ status }));
    expect(announced).toEqual(['REC-01.id it is not 200']);
  });

  test('is blocked or not applicable without a response that the rule applies to', () => {
    expect(verdictOf(runner('blocked'))).toBeInstanceOf(Blocked);
    expect(verdictOf(runner('not-applicable'))).toBeInstanceOf(NotApplicable);
  });

  test('is blocked by what the caller names, if that says why there was no response', () => {
    const why = new Blocked('LIST-01.items', 'LIST-01.items blocks other checks');
    expect(() => runner('blocked').verdict('REC-01.id', () => why)).toThrow(why);
  });

  test('accepts only the ids of its rules', () => {
    expect(() => runner().verdict('REC-99.none' as CheckId)).toThrow('no exchange rule has the id REC-99.none');
  });

  test('runs every rule of the kit', () => {
    const seen = new RuleRunner(knowledge(), allRules);
    for (const { id } of allRules)
      expect(() => seen.verdict(id)).toThrow('the run received no response that this rule applies to');
  });
});
