import { describe, expect, test } from 'vitest';
import { causesTitle, causeText, explanationText } from '../../../reporting/causes/cause-text.ts';
import { findCauses, type JudgedRun, MAX_CAUSES } from '../../../reporting/causes/find-causes.ts';
import type { Signature } from '../../../specs/fault-signatures.ts';

/** The checks that a known defect turns red, each with status 200. */
function causing(...ids: string[]): Signature['red'] {
  return Object.fromEntries(ids.map((id) => [id, 200]));
}

const signatures: Signature[] = [
  {
    fault: 'no-replay',
    requirement: 'IDEM-01',
    defect: 'A replay creates a second invoice.',
    red: causing('IDEM-01.a', 'IDEM-01.b', 'LIST-02.x'),
  },
  {
    fault: 'no-replay-of-large',
    requirement: 'IDEM-01',
    defect: 'A large body is not stored.',
    red: causing('IDEM-01.b'),
  },
  {
    fault: 'no-secret',
    requirement: 'AUTH-07',
    defect: 'The secret is ignored.',
    red: causing('AUTH-07.a', 'AUTH-07.b', 'AUTH-07.c', 'AUTH-07.d'),
  },
  {
    fault: 'total',
    requirement: 'LIST-02',
    defect: 'The total counts drafts twice.',
    red: causing('LIST-02.x', 'LIST-02.y'),
  },
];
const all = [
  'IDEM-01.a',
  'IDEM-01.b',
  'IDEM-01.c',
  'AUTH-07.a',
  'AUTH-07.b',
  'AUTH-07.c',
  'AUTH-07.d',
  'LIST-02.x',
  'LIST-02.y',
  'REC-01.z',
];

function runWith(failed: readonly string[], unjudged: readonly string[] = []): JudgedRun {
  return {
    checks: all.map((id, at) => ({
      id,
      requirement: id.split('.')[0] ?? '',
      reproduction: null,
      actual: '200 {}',
      reason: '',
      blockedBy: null,
      verdict: failed.includes(id) ? 'fail' : unjudged.includes(id) ? 'blocked' : 'pass',
      exchanges: Array.from({ length: id === 'IDEM-01.b' ? 1 : at + 2 }, () => ({})) as never,
    })),
    requirements: ['IDEM-01', 'AUTH-07', 'LIST-02', 'REC-01'].map((id) => ({
      id,
      area: `area of ${id}`,
      statement: `${id} holds.`,
      derived: [],
    })),
  };
}

describe('the causes of the failures', () => {
  test('are the known defect that explains most, with the simplest experiment first', () => {
    const { causes, unexplained } = findCauses(runWith(['IDEM-01.a', 'IDEM-01.b', 'LIST-02.x']), signatures);
    expect(causes).toEqual([
      {
        example: 'A replay creates a second invoice.',
        proven: true,
        targetFile: null,
        requirement: 'IDEM-01',
        rule: 'IDEM-01 holds.',
        area: 'area of IDEM-01',
        startWith: 'IDEM-01.b',
        explains: ['IDEM-01.b', 'IDEM-01.a', 'LIST-02.x'],
        contradictedBy: [],
        blocks: 0,
        fault: 'no-replay',
      },
    ]);
    expect(unexplained).toEqual([]);
  });

  test('cite the derived rule that all failures of the requirement judge, and otherwise the statement', () => {
    const rule = {
      rule: 'A replay makes nothing.',
      because: 'so',
      necessary: true,
      checks: ['IDEM-01.a', 'IDEM-01.b'],
    };
    const citedBy = (failed: string[]) => {
      const run = runWith(failed);
      const requirements = run.requirements.map((each) =>
        each.id === 'IDEM-01' ? { ...each, derived: [rule] } : each,
      );
      return findCauses({ ...run, requirements }, signatures).causes[0]?.rule;
    };
    expect(citedBy(['IDEM-01.a', 'IDEM-01.b', 'LIST-02.x'])).toBe('A replay makes nothing.');
    expect(citedBy(['IDEM-01.a', 'IDEM-01.b', 'IDEM-01.c'])).toBe('IDEM-01 holds.');
  });

  test('of several defects are found one after another', () => {
    const failed = ['IDEM-01.b', 'AUTH-07.a', 'AUTH-07.b', 'AUTH-07.c', 'AUTH-07.d', 'LIST-02.x', 'LIST-02.y'];
    const { causes } = findCauses(runWith(failed), signatures);
    expect(causes.map(({ fault }) => fault)).toEqual(['no-secret', 'total', 'no-replay-of-large']);
  });

  test('include the other failures of the same requirement, because they probably have the same cause', () => {
    const { causes } = findCauses(runWith(['IDEM-01.b', 'IDEM-01.c']), signatures);
    expect(causes.map(({ fault, explains }) => [fault, explains])).toEqual([
      ['no-replay-of-large', ['IDEM-01.b', 'IDEM-01.c']],
    ]);
  });

  test('name the checks that passed although the known defect breaks them', () => {
    const failed = ['AUTH-07.a', 'AUTH-07.b', 'AUTH-07.c'];
    expect(findCauses(runWith(failed), signatures).causes[0]?.contradictedBy).toEqual(['AUTH-07.d']);
    expect(findCauses(runWith(failed, ['AUTH-07.d']), signatures).causes[0]?.contradictedBy).toEqual([]);
  });

  test('name only the requirement if more checks contradict the known defect than it explains', () => {
    expect(findCauses(runWith(['AUTH-07.a']), signatures).causes).toMatchObject([
      {
        fault: null,
        requirement: 'AUTH-07',
        rule: 'AUTH-07 holds.',
        example: null,
        contradictedBy: [],
      },
    ]);
  });

  test('name only the requirement of failures that no known defect causes', () => {
    const { causes, unexplained } = findCauses(runWith(['REC-01.z']), signatures);
    expect(causes).toMatchObject([{ fault: null, requirement: 'REC-01', explains: ['REC-01.z'] }]);
    expect(unexplained).toEqual([]);
  });

  test('name the known defect with exactly these failures first', () => {
    const broad = {
      fault: 'broad',
      requirement: 'AUTH-07',
      defect: 'Broad.',
      red: causing('AUTH-07.a', 'AUTH-07.b', 'REC-01.z'),
    };
    const exact = {
      fault: 'exact',
      requirement: 'REC-01',
      defect: 'Exact.',
      red: causing('AUTH-07.a', 'AUTH-07.b', 'LIST-02.x'),
    };
    const { causes } = findCauses(runWith(['AUTH-07.a', 'AUTH-07.b', 'LIST-02.x']), [broad, exact]);
    expect(causes.map(({ fault, explains }) => [fault, explains.length])).toEqual([['exact', 3]]);
  });

  describe('name no known defect as an example', () => {
    const known = { fault: 'known', requirement: 'AUTH-07', defect: 'It is open.', red: causing('AUTH-07.a') };
    const exampleOf = (run: JudgedRun, ...others: Signature[]) =>
      findCauses(run, [known, ...others]).causes[0]?.example;
    const run = runWith(['AUTH-07.a']);

    test('but one that alone has exactly these failures', () => {
      expect(exampleOf(run)).toBe('It is open.');
      expect(exampleOf(run, { ...known, red: causing('AUTH-07.a', 'AUTH-07.b') })).toBe('It is open.');
    });

    test('if several have the same failures, also of another requirement', () => {
      expect(exampleOf(run, { ...known, fault: 'twin' })).toBeNull();
      expect(exampleOf(run, { ...known, fault: 'twin', requirement: 'AUTH-01' })).toBeNull();
    });

    test('if the checks that would tell several apart are not judged', () => {
      const unjudged = runWith(['AUTH-07.a'], ['AUTH-07.b']);
      expect(exampleOf(unjudged, { ...known, fault: 'wider', red: causing('AUTH-07.a', 'AUTH-07.b') })).toBeNull();
    });

    test('if it does not cause one of the failures', () => {
      expect(exampleOf(runWith(['AUTH-07.a', 'AUTH-07.b']))).toBeNull();
    });

    test('if one of the failures has another status', () => {
      const both = runWith(['AUTH-07.a', 'AUTH-07.b']);
      const checks = both.checks.map((check) => (check.id === 'AUTH-07.b' ? { ...check, actual: '500 {}' } : check));
      const wider = { ...known, red: causing('AUTH-07.a', 'AUTH-07.b') };
      expect(findCauses(both, [wider]).causes[0]?.example).toBe('It is open.');
      expect(findCauses({ ...both, checks }, [wider]).causes[0]?.example).toBeNull();
    });

    test('if more than one check for three failures contradicts it', () => {
      const wider = { ...known, red: causing('AUTH-07.a', 'AUTH-07.b', 'AUTH-07.c', 'AUTH-07.d') };
      const exampleWith = (failed: string[]) => findCauses(runWith(failed), [wider]).causes[0]?.example;
      expect(exampleWith(['AUTH-07.a', 'AUTH-07.b', 'AUTH-07.c'])).toBe('It is open.');
      expect(exampleWith(['AUTH-07.a', 'AUTH-07.b'])).toBeNull();
    });

    describe('if more checks are blocked than failed', () => {
      const exampleWith = (blocked: string[], by: string) => {
        const { checks, requirements } = runWith(['AUTH-07.a', 'REC-01.z'], blocked);
        const withCause = checks.map((check) => (blocked.includes(check.id) ? { ...check, blockedBy: by } : check));
        const { causes } = findCauses({ requirements, checks: withCause }, [known]);
        return causes.find(({ requirement }) => requirement === 'AUTH-07')?.example;
      };

      test('by these failures', () => {
        expect(exampleWith(['LIST-02.x'], 'AUTH-07.a')).toBe('It is open.');
        expect(exampleWith(['LIST-02.x', 'LIST-02.y'], 'AUTH-07.a')).toBeNull();
      });

      test('of the requirement, by any failure', () => {
        expect(exampleWith(['LIST-02.x', 'LIST-02.y'], 'REC-01.z')).toBe('It is open.');
        expect(exampleWith(['AUTH-07.b', 'AUTH-07.c'], 'REC-01.z')).toBeNull();
      });
    });
  });

  test('of a run without failures are none', () => {
    expect(findCauses(runWith([]), signatures)).toEqual({ causes: [], unexplained: [] });
  });

  test('of several known defects name the one with the same status', () => {
    const other = { fault: 'secret-crash', requirement: 'AUTH-07', defect: 'It crashes.', red: { 'AUTH-07.a': 500 } };
    const run = runWith(['AUTH-07.a']);
    const crashed = { ...run, checks: run.checks.map((check) => ({ ...check, actual: '500 {}' })) };
    const known = [{ ...other, fault: 'secret', defect: 'Open.', red: causing('AUTH-07.a') }, other];
    expect(findCauses(run, known).causes[0]?.fault).toBe('secret');
    expect(findCauses(crashed, known).causes[0]?.fault).toBe('secret-crash');
  });

  test('name only the requirement if the known defect causes other statuses', () => {
    const run = runWith(['AUTH-07.a', 'AUTH-07.b', 'AUTH-07.c', 'AUTH-07.d']);
    const crashed = { ...run, checks: run.checks.map((check) => ({ ...check, actual: '500 {}' })) };
    expect(findCauses(crashed, signatures).causes).toMatchObject([{ fault: null, requirement: 'AUTH-07' }]);
  });

  test('prefer the defect that causes all failures of the requirement over one that causes a part, even if a check passed', () => {
    const red = causing('AUTH-07.a', 'AUTH-07.b', 'AUTH-07.c', 'AUTH-07.d');
    const whole = { fault: 'whole', requirement: 'AUTH-07', defect: 'The secret is ignored.', red };
    const part = { fault: 'part', requirement: 'AUTH-07', defect: 'Reads ignore it.', red: causing('AUTH-07.a') };
    expect(findCauses(runWith(['AUTH-07.a', 'AUTH-07.b', 'AUTH-07.c']), [part, whole]).causes[0]?.fault).toBe('whole');
  });

  describe('of two known defects of one requirement of which all checks failed', () => {
    const reads = { fault: 'reads', requirement: 'AUTH-07', defect: 'Reads.', red: causing('AUTH-07.a', 'AUTH-07.b') };
    const writes = { ...reads, fault: 'writes', defect: 'Writes.', red: causing('AUTH-07.d') };
    const run = runWith(['AUTH-07.a', 'AUTH-07.b', 'AUTH-07.d']);
    const causesIn = (derived: JudgedRun['requirements'][number]['derived']) => {
      const requirements = run.requirements.map((each) => (each.id === 'AUTH-07' ? { ...each, derived } : each));
      const { causes } = findCauses({ ...run, requirements }, [reads, writes]);
      return causes.map(({ rule, explains }) => [rule, explains.length]);
    };
    const rule = { because: 'so', necessary: true };

    test('are two causes if they break different sentences', () => {
      expect(causesIn([{ ...rule, rule: 'Writes need a secret.', checks: ['AUTH-07.d'] }])).toEqual([
        ['AUTH-07 holds.', 2],
        ['Writes need a secret.', 1],
      ]);
    });

    test('are one cause if they break the same sentence', () => {
      expect(causesIn([])).toEqual([['AUTH-07 holds.', 3]]);
      expect(
        causesIn([{ ...rule, rule: 'All need one.', checks: Object.keys({ ...reads.red, ...writes.red }) }]),
      ).toEqual([['All need one.', 3]]);
    });
  });

  test('begin with the one that keeps most from being judged', () => {
    const red = (id: string) => ({ fault: id, requirement: id.slice(0, 7), defect: `${id}.`, red: causing(id) });
    const run = runWith(['IDEM-01.a', 'LIST-02.x'], ['AUTH-07.a', 'AUTH-07.b']);
    const checks = run.checks.map((check) =>
      check.verdict === 'blocked' ? { ...check, blockedBy: 'LIST-02.x' } : check,
    );
    const { causes } = findCauses({ ...run, checks }, [red('IDEM-01.a'), red('LIST-02.x')]);
    expect(causes.map(({ fault, blocks }) => [fault, blocks])).toEqual([
      ['LIST-02.x', 2],
      ['IDEM-01.a', 0],
    ]);
  });

  test('are at most five', () => {
    const ids = Array.from({ length: 8 }, (_, at) => `REQ-0${at}.a`);
    const known = ids.map((id) => ({ fault: id, requirement: id.slice(0, 6), defect: `${id}.`, red: causing(id) }));
    const checks = ids.map((id) => ({
      id,
      requirement: id.slice(0, 6),
      verdict: 'fail' as const,
      actual: '200 {}',
      reason: '',
      blockedBy: null,
      exchanges: [],
      reproduction: null,
    }));
    const { causes, unexplained } = findCauses({ checks, requirements: [] }, known);
    expect([causes.length, unexplained.length]).toEqual([MAX_CAUSES, 3]);
  });
});

const counting = (fail: number, warn = 0) =>
  ({ summary: { checks: { fail, warn } } }) as unknown as Parameters<typeof explanationText>[1];

describe('the explanation', () => {
  const cause = findCauses(runWith(['AUTH-07.a', 'AUTH-07.b', 'AUTH-07.c']), signatures).causes[0];
  if (!cause) throw new Error('there is no cause');

  test('names the known defect as an example, and counts what it explains and what contradicts it', () => {
    expect(causeText(cause)).toBe('The server breaks AUTH-07: AUTH-07 holds.');
    expect(explanationText(cause, counting(4))).toBe(
      'A typical mistake with similar failures: “The secret is ignored.” This explains 3 of 4 failures; 1 check that usually fails with this mistake passed.',
    );
    expect(explanationText({ ...cause, contradictedBy: [] }, counting(3))).toBe(
      'A typical mistake with the same failures: “The secret is ignored.” This explains 3 of 3 failures.',
    );
    expect(explanationText({ ...cause, example: null, blocks: 2 }, counting(3, 1))).toBe(
      'This explains 3 of 4 failures and warnings. It blocks 2 other checks.',
    );
    expect(causesTitle([cause])).toBe('Most likely one defect');
    expect(causesTitle([cause, cause])).toBe('The 2 most likely defects');
    expect(causesTitle([])).toBe('No known defect explains these');
  });

  test('is only probable if no check of the requirement fails', () => {
    const { checks, requirements } = runWith(['LIST-02.x', 'IDEM-01.a']);
    const warned = checks.map((check) => (check.id === 'IDEM-01.a' ? { ...check, verdict: 'warn' as const } : check));
    const [first] = findCauses({ checks: warned, requirements }, signatures).causes;
    expect(first && causeText(first)).toBe('LIST-02 fails, probably because the server breaks IDEM-01: IDEM-01 holds.');
    const alone = checks.map((check) => (check.id === 'LIST-02.x' ? { ...check, verdict: 'pass' as const } : check));
    const warnedAlone = alone.map((check) =>
      check.id === 'IDEM-01.a' ? { ...check, verdict: 'warn' as const } : check,
    );
    const [only] = findCauses({ checks: warnedAlone, requirements }, []).causes;
    expect(only && causeText(only)).toBe('The server probably breaks IDEM-01: IDEM-01 holds.');
  });

  test('names a field of the target file that could explain all of its failures', () => {
    const { checks, requirements } = runWith(['REC-01.z']);
    const explain = (reasons: readonly string[]) => {
      const failed = checks.filter(({ id }) => id === 'REC-01.z');
      const several = reasons.flatMap((reason, at) =>
        failed.map((check) => ({ ...check, id: `REC-01.${at}`, reason })),
      );
      const [only] = findCauses({ checks: several, requirements }, signatures).causes;
      return only && causeText(only);
    };
    const doubt = 'if this key was never revoked, correct actors.revoked; accepted';
    const checkFirst =
      'Check the target file first: if this key was never revoked, correct actors.revoked. Otherwise the server breaks REC-01: REC-01 holds.';
    expect(explain([doubt, `${doubt}; confirmed in 2 attempts`])).toBe(checkFirst);
    expect(explain(['accepted; if this key was never revoked, correct actors.revoked'])).toBe(checkFirst);
    expect(explain([doubt, 'accepted'])).toBe('The server breaks REC-01: REC-01 holds.');
  });

  test('one wrong field of the target file has one cause, whatever known defects have the same failures', () => {
    const known: Signature[] = ['a', 'b'].map((letter) => ({
      fault: letter,
      requirement: 'REC-09',
      defect: 'D.',
      red: { [`REC-09.${letter}`]: 201 },
    }));
    const causesWith = (reason: string) =>
      findCauses(
        {
          checks: ['REC-09.a', 'REC-09.b'].map((id) => ({
            id,
            requirement: 'REC-09',
            verdict: 'fail' as const,
            actual: '201 {}',
            reason,
            blockedBy: null,
            exchanges: [],
            reproduction: null,
          })),
          requirements: [],
        },
        known,
      ).causes.map(({ explains }) => explains);
    expect(causesWith('accepted')).toHaveLength(2);
    expect(causesWith('if this key may change data, correct actors.readOnly; accepted')).toEqual([
      ['REC-09.a', 'REC-09.b'],
    ]);
  });
});
