import { describe, expect, test } from 'vitest';
import { judge, ruling } from '../../../engine/judges/exchange-rule.ts';
import { allJudges, Bench } from '../../../engine/judges/rule-runner.ts';
import { Blocked, Breach, NotApplicable } from '../../../engine/model/outcomes.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { received } from '../support/responses.ts';
import { knowledge } from './support/rule-cases.ts';

const finding = { reason: 'it is not 200', expected: '200', actual: 'something else' };
const onlyReads = (unmet: 'blocked' | 'not-applicable') =>
  judge(
    'REC-01.id',
    (answer) => answer.ask.operation === 'read',
    (answer) => ruling(answer.status === 200, () => finding),
    unmet,
  );

function bench(unmet: 'blocked' | 'not-applicable' = 'blocked'): Bench {
  return new Bench(knowledge(), [onlyReads(unmet)]);
}

function verdictOf(seen: Bench): unknown {
  try {
    return seen.verdict('REC-01.id');
  } catch (error) {
    return error;
  }
}

describe('the bench', () => {
  test('counts the answers that a sentence was held against', () => {
    const seen = bench();
    for (const status of [200, 200]) seen.see(received({ status }));
    seen.see(received({ operation: 'list', status: 500 }));
    expect(verdictOf(seen)).toBe(2);
  });

  test('remembers one breach among many answers', () => {
    const seen = bench();
    const answers = [200, 500, 200].map((status) => received({ status }));
    for (const answer of answers) seen.see(answer);
    const { reason: message, expected, actual } = finding;
    expect(verdictOf(seen)).toBeInstanceOf(Breach);
    expect(verdictOf(seen)).toMatchObject({ message, expected, actual, exchanges: [answers[1]?.exchange] });
  });

  test('counts further breaches and keeps a few as examples', () => {
    const seen = bench();
    for (let at = 0; at < 9; at += 1) seen.see(received({ status: 500 }));
    const breach = verdictOf(seen);
    if (!(breach instanceof Breach)) throw breach;
    expect(breach.message).toBe('it is not 200 (and 8 more of 9 answers)');
    expect(breach.exchanges).toHaveLength(5);
  });

  test('without an answer to hold a sentence against says blocked, or that it does not apply', () => {
    expect(verdictOf(bench('blocked'))).toBeInstanceOf(Blocked);
    expect(verdictOf(bench('not-applicable'))).toBeInstanceOf(NotApplicable);
  });

  test('knows only the checks of its judges', () => {
    expect(() => bench().verdict('REC-99.none' as CheckId)).toThrow('no judge owns REC-99.none');
  });

  test('seats every judge of the kit', () => {
    const seen = new Bench(knowledge());
    for (const { id } of allJudges) expect(() => seen.verdict(id)).toThrow(/no answer of th(e|is) run/);
  });
});
