import { describe, expect, test } from 'vitest';
import type { CheckOutcome } from '../../cli/prove/judge-server.ts';
import { createFaultProof, createVariationProof, findGaps, uncaughtChecks } from '../../cli/prove/proof-result.ts';
import type { Fault } from '../../reference/faults/fault.ts';

const fault: Fault = {
  id: 'a-fault',
  requirement: 'AUTH-01',
  defect: 'Something was forgotten.',
  caughtBy: ['AUTH-01.both-missing', 'AUTH-01.key-missing'],
};

function word(id: CheckOutcome['id'], verdict: CheckOutcome['verdict'], blockedBy: string | null = null): CheckOutcome {
  return { id, verdict, reason: verdict === 'pass' ? '' : 'because', actual: '', blockedBy };
}

const both = (first: CheckOutcome['verdict'], second: CheckOutcome['verdict']) =>
  createFaultProof(fault, [word('AUTH-01.both-missing', first), word('AUTH-01.key-missing', second)]);

describe('the conclusion of the proof for a fault', () => {
  test('is no gap if every named check turned red, also with a warning', () => {
    expect(findGaps([both('fail', 'warn')], [], [], [])).toEqual([]);
  });

  test('is a gap if one of them passed, was blocked or was not run', () => {
    expect(findGaps([both('fail', 'pass')], [], [], [])).toEqual([
      'fault a-fault was missed by AUTH-01.key-missing (pass)',
    ]);
    expect(findGaps([both('blocked', 'pass')], [], [], [])[0]).toMatch(/^fault a-fault was missed by every check: /);
    const unrun = createFaultProof(fault, [word('AUTH-01.both-missing', 'fail')]);
    expect(unrun.missed).toMatchObject([{ check: 'AUTH-01.key-missing', reason: 'the check was not run' }]);
  });

  test('is a gap if only checks of other requirements turned red', () => {
    const proved = createFaultProof({ ...fault, caughtBy: ['AUTH-02.unknown'] }, [word('AUTH-02.unknown', 'fail')]);
    expect(findGaps([proved], [], [], [])).toEqual([
      'fault a-fault is caught by no check of AUTH-01, only by AUTH-02.unknown',
    ]);
  });

  test('is a gap if an internal error occurred', () => {
    const proved = createFaultProof(fault, [
      word('AUTH-01.both-missing', 'fail'),
      word('AUTH-01.key-missing', 'fail'),
      word('AUTH-02.unknown', 'error'),
    ]);
    expect(findGaps([proved], [], [], [])).toEqual([
      'fault a-fault caused an internal error in AUTH-02.unknown: because',
    ]);
  });
});

test('only a fault that names a check proves it', () => {
  const proved = createFaultProof(fault, [
    word('AUTH-01.both-missing', 'fail'),
    word('AUTH-01.key-missing', 'pass'),
    word('AUTH-02.unknown', 'fail'),
  ]);
  expect(uncaughtChecks([proved], ['AUTH-01.both-missing', 'AUTH-01.key-missing', 'AUTH-02.unknown'])).toEqual([
    'AUTH-01.key-missing',
    'AUTH-02.unknown',
  ]);
});

test('a conforming server does not pass if a check neither passes nor is excluded by its target file', () => {
  const { held, beyondTarget, notApplicable, passed } = createVariationProof({ id: 'v', openPoint: null, choice: '' }, [
    word('AUTH-01.both-missing', 'pass'),
    word('AUTH-01.key-missing', 'warn'),
    word('AUTH-02.unknown', 'blocked', 'AUTH-01.key-missing'),
    word('AUTH-04.revoked', 'blocked', 'actors.revoked of the target file'),
    word('RATE-01.reset-header', 'not-applicable'),
  ]);
  expect(held.map(({ check }) => check)).toEqual(['AUTH-01.key-missing', 'AUTH-02.unknown']);
  expect([beyondTarget, notApplicable, passed]).toEqual([['AUTH-04.revoked'], ['RATE-01.reset-header'], 1]);
});
