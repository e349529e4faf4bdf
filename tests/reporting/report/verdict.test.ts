import { describe, expect, it } from 'vitest';
import type { RunFacts } from '../../../reporting/report/run-facts.ts';
import { judgeRequirement, judgeRun, worstVerdict } from '../../../reporting/report/verdict.ts';
import { CHECK_VERDICTS, type CheckVerdict, type Level, REQUEST_LIMITS } from '../../../specs/verdicts.ts';

type Fact = RunFacts['checks'][number];

const LEVELS = ['required', 'implied'] as const satisfies readonly Level[];
const UNEXECUTED = 'unexecuted';
const STATES = [...CHECK_VERDICTS, UNEXECUTED] as const;

function fact(level: Level, state: (typeof STATES)[number]): Fact {
  const executed = state !== UNEXECUTED;
  const verdict = executed ? (state as CheckVerdict) : 'blocked';
  return { id: `A-01.${level}-${state}`, level, executed, verdict, blockedBy: null };
}

/** A complete run of the profile full, with the given changes. */
function run(checks: readonly Fact[], changes: Partial<RunFacts> = {}): RunFacts {
  return { profile: 'full', filtered: [], exceptions: [], notes: [], interrupted: null, checks, ...changes };
}

/** Every kind of check in a run, and every run of up to three of them. */
const kinds = LEVELS.flatMap((level) => STATES.map((state) => fact(level, state)));
const runs: readonly (readonly Fact[])[] = [
  [],
  ...kinds.map((a) => [a]),
  ...kinds.flatMap((a) => kinds.map((b) => [a, b])),
  ...kinds.flatMap((a) => kinds.flatMap((b) => kinds.map((c) => [a, b, c]))),
];
const situations = runs.flatMap((checks) => [null, 'SIGINT'].map((interrupted) => run(checks, { interrupted })));

function only(holds: (facts: RunFacts) => boolean): RunFacts[] {
  const chosen = situations.filter(holds);
  expect(chosen.length).toBeGreaterThan(0);
  return chosen;
}

const fails = ({ checks }: RunFacts) => checks.some((check) => check.verdict === 'fail');
const errs = ({ checks }: RunFacts) => checks.some((check) => check.verdict === 'error');
const requiredOpen = ({ checks }: RunFacts) =>
  checks.some(
    (check) => check.level === 'required' && (!check.executed || ['blocked', 'error'].includes(check.verdict)),
  );
const judged = ({ checks }: RunFacts) => checks.some((check) => ['pass', 'warn', 'fail'].includes(check.verdict));

describe('the verdict of a run, for every combination of level and verdict of up to three checks,', () => {
  it('is non-conformant with exit code 1 if a failure was recorded, interrupted or not', () => {
    for (const facts of only(fails)) expect(judgeRun(facts)).toMatchObject({ verdict: 'non-conformant', exitCode: 1 });
  });

  it('is inconclusive if nothing failed and a required check was not judged', () => {
    for (const facts of only((run) => !fails(run) && requiredOpen(run)))
      expect(judgeRun(facts).verdict).toBe('inconclusive');
  });

  it('is never conformant if the run was interrupted', () => {
    for (const facts of only((run) => run.interrupted !== null)) {
      expect(judgeRun(facts).verdict).not.toBe('conformant');
      expect(judgeRun(facts).exitCode).not.toBe(0);
      expect(judgeRun(facts).reason).toContain('SIGINT');
    }
  });

  it('is never conformant if no check was judged', () => {
    for (const facts of only((run) => !judged(run))) expect(judgeRun(facts).verdict).toBe('inconclusive');
  });

  it('is conformant in all other cases, also with warnings and with implied checks that could not be judged', () => {
    const good = only((run) => !fails(run) && !requiredOpen(run) && run.interrupted === null && judged(run));
    for (const facts of good) expect(judgeRun(facts).verdict).toBe('conformant');
  });

  it('exits with 4 after an internal error without a failure, with 2 if nothing was executed, else with 3 or 0', () => {
    for (const facts of only((run) => !fails(run) && errs(run))) expect(judgeRun(facts).exitCode).toBe(4);
    for (const facts of only((run) => !fails(run) && !errs(run))) {
      const { verdict, exitCode } = judgeRun(facts);
      const executed = facts.checks.some((check) => check.executed);
      const nothing = facts.interrupted === null && !executed;
      expect(exitCode).toBe(nothing ? 2 : verdict === 'conformant' ? 0 : 3);
    }
  });

  it('is passed with a budget, even if the requests did not suffice for a required check', () => {
    const overBudget: Fact = { ...fact('required', 'blocked'), blockedBy: REQUEST_LIMITS[2] };
    const passes = fact('required', 'pass');
    expect(judgeRun(run([passes, overBudget], { budget: 500 }))).toMatchObject({ verdict: 'passed', exitCode: 0 });
    expect(judgeRun(run([passes, overBudget]))).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
    const blocked = judgeRun(run([passes, fact('required', 'blocked')], { budget: 500 }));
    expect(blocked).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
  });

  it('is passed instead of conformant if a filter was set', () => {
    for (const facts of situations) {
      const [whole, part] = [judgeRun(facts), judgeRun({ ...facts, filtered: ['AUTH-01'] })];
      expect(part.verdict).toBe(whole.verdict === 'conformant' ? 'passed' : whole.verdict);
      expect(part.exitCode).toBe(whole.exitCode);
    }
  });

  it('is passed instead of conformant for a shard', () => {
    const shard = { index: 1, of: 2 };
    const judgement = judgeRun(run([fact('required', 'pass')], { shard }));
    expect(judgement).toMatchObject({ verdict: 'passed', exitCode: 0 });
    expect(judgement.headline).toContain('only shard 1 of 2 of profile');
    expect(judgeRun(run([fact('required', 'fail')], { shard })).headline).toContain(
      'non-conformant for shard 1 of 2 of',
    );
  });

  it('is passed if the request budget did not suffice for implied checks, inconclusive for required ones', () => {
    const over = (level: Level): Fact => ({ ...fact('implied', 'blocked'), level, blockedBy: REQUEST_LIMITS[2] });
    const passes = fact('required', 'pass');
    expect(judgeRun(run([passes, over('implied')]))).toMatchObject({ verdict: 'passed', exitCode: 0 });
    expect(judgeRun(run([passes, over('required')]))).toMatchObject({ verdict: 'inconclusive', exitCode: 3 });
    expect(judgeRun(run([fact('required', 'fail'), over('implied')])).exitCode).toBe(1);
  });

  it('gives its reason in one sentence', () => {
    for (const facts of situations) expect(judgeRun(facts).reason).toMatch(/^[A-Z0-9].*[^.]\.$/);
  });
});

describe('the reason of a verdict', () => {
  it('names the requirements of the failed checks, three at most', () => {
    const checks = ['A.one', 'A.two', 'B.one', 'C.one', 'D.one'].map(
      (id): Fact => ({ ...fact('required', 'fail'), id }),
    );
    expect(judgeRun(run(checks)).reason).toBe('5 of 5 judged checks failed (A, B, C and 1 more).');
  });

  type Kind = [Level, (typeof STATES)[number]];
  const reason = (kinds: readonly Kind[], interrupted: string | null = null) =>
    judgeRun(
      run(
        kinds.map((kind) => fact(...kind)),
        { interrupted },
      ),
    ).reason;
  const passes: Kind = ['required', 'pass'];
  const warns: Kind = ['implied', 'warn'];

  it.each<[string, Kind[]]>([
    [
      '1 of 2 judged checks failed (A-01.required-fail).',
      [['required', 'fail'], passes, ['required', 'blocked'], ['implied', 'unexecuted']],
    ],
    ['The judged check did not fail.', [passes, ['required', 'not-applicable']]],
    ['None of the 2 judged checks failed; 1 implied check has a warning.', [passes, warns]],
    [
      'The judged check did not fail; 1 implied check could not be judged (A-01.implied-blocked).',
      [passes, ['implied', 'blocked']],
    ],
    [
      'None of the 3 judged checks failed; 2 implied checks have a warning, 1 implied check could not be judged (A-01.implied-unexecuted).',
      [passes, warns, warns, ['implied', 'unexecuted']],
    ],
    ['No check was executed.', [['required', 'unexecuted']]],
    ['No check was executed.', []],
    [
      'Nothing failed, but 1 required check is blocked and 1 implied check could not be judged (A-01.implied-blocked).',
      [passes, ['required', 'blocked'], ['implied', 'blocked']],
    ],
    ['Nothing failed, but 2 required checks are blocked.', [passes, ['required', 'blocked'], ['required', 'blocked']]],
    [
      'Nothing failed, but 1 required check ended in an error of the kit and 1 implied check could not be judged (A-01.implied-error).',
      [passes, ['required', 'error'], ['implied', 'error']],
    ],
    [
      'Nothing failed, but 1 required check was not executed and 1 implied check could not be judged (A-01.implied-unexecuted).',
      [passes, ['required', 'unexecuted'], ['implied', 'unexecuted']],
    ],
    [
      'Nothing failed, but 2 required checks were not executed.',
      [passes, ['required', 'unexecuted'], ['required', 'unexecuted']],
    ],
    [
      'Nothing failed, but no check could be judged, 1 required check is blocked, 1 required check ended in an error of the kit and 1 required check was not executed.',
      [
        ['required', 'blocked'],
        ['required', 'error'],
        ['required', 'unexecuted'],
      ],
    ],
  ])('is exactly: %s', (sentence, kinds) => {
    expect(reason(kinds)).toBe(sentence);
  });

  it('says what interrupted the run', () => {
    expect(reason([passes], 'SIGINT')).toBe('Nothing failed so far; the run was interrupted: SIGINT.');
    expect(reason([passes, ['required', 'blocked']], 'SIGINT')).toBe(
      'Nothing failed, but 1 required check is blocked; the run was interrupted: SIGINT.',
    );
    expect(reason([['required', 'fail']], 'SIGINT')).toBe(
      '1 of 1 judged check failed (A-01.required-fail); the run was interrupted: SIGINT.',
    );
    expect(reason([['required', 'unexecuted']], 'SIGINT')).toBe(
      'No check was executed; the run was interrupted: SIGINT.',
    );
  });
});

describe('the verdict of a requirement', () => {
  const required = { level: 'required' } as const;
  const of = (...verdicts: CheckVerdict[]) =>
    judgeRequirement(
      required,
      verdicts.map((verdict) => ({ verdict, reason: verdict })),
    );

  it('is the worst of its checks, over all pairs', () => {
    for (const a of CHECK_VERDICTS) {
      for (const b of CHECK_VERDICTS) {
        const worse = CHECK_VERDICTS.indexOf(a) < CHECK_VERDICTS.indexOf(b) ? a : b;
        expect(worstVerdict([a, b])).toBe(worse);
        expect(of(a, b).verdict).toBe(worse);
      }
    }
  });

  it('is not-applicable only if all of its checks are', () => {
    expect(of('not-applicable', 'not-applicable').verdict).toBe('not-applicable');
    expect(of('not-applicable', 'pass').verdict).toBe('pass');
  });

  it('gives the reason of the check that prevented it, and none if it was judged', () => {
    expect(of('pass', 'blocked').reason).toBe('blocked');
    for (const judged of ['pass', 'warn', 'fail'] as const) expect(of(judged, 'not-applicable').reason).toBe('');
  });

  it('is not-applicable without a worse verdict', () => {
    expect(worstVerdict([])).toBe('not-applicable');
  });

  it('is not-selected if none of its checks is in the run', () => {
    expect(of()).toEqual({ verdict: 'not-selected', reason: 'none of its checks is part of this run' });
  });

  it('is not-applicable, with the reason of the catalogue, if no black box can judge it', () => {
    const judgement = judgeRequirement({ level: 'required', unjudged: 'It is invisible.' }, []);
    expect(judgement).toEqual({ verdict: 'not-applicable', reason: 'It is invisible.' });
  });

  it('is not-applicable if it is only observed', () => {
    expect(judgeRequirement({ level: 'observed' }, [])).toEqual({
      verdict: 'not-applicable',
      reason: 'recorded, never judged',
    });
  });
});
