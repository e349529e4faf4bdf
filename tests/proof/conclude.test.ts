import { describe, expect, test } from 'vitest';
import { aliveChecks, faultProved, gapsOf, variationProved } from '../../cli/proof/conclude.ts';
import type { Judged } from '../../cli/proof/judge-server.ts';
import type { Fault } from '../../reference/faults/fault.ts';

const fault: Fault = {
  id: 'a-fault',
  requirement: 'AUTH-01',
  defect: 'Something was forgotten.',
  caughtBy: ['AUTH-01.both-missing', 'AUTH-01.key-missing'],
};

function word(id: Judged['id'], verdict: Judged['verdict'], blockedBy: string | null = null): Judged {
  return { id, verdict, reason: verdict === 'pass' ? '' : 'because', blockedBy };
}

const both = (first: Judged['verdict'], second: Judged['verdict']) =>
  faultProved(fault, [word('AUTH-01.both-missing', first), word('AUTH-01.key-missing', second)]);

describe('what the proof concludes of a fault', () => {
  test('is no gap when every check it names turned red, be it by a warning', () => {
    expect(gapsOf([both('fail', 'warn')], [], [], [])).toEqual([]);
  });

  test('is a gap when one of them stayed green, blocked or was not run', () => {
    expect(gapsOf([both('fail', 'pass')], [], [], [])).toEqual([
      'fault a-fault was missed by AUTH-01.key-missing (pass)',
    ]);
    expect(gapsOf([both('blocked', 'pass')], [], [], [])[0]).toMatch(/^fault a-fault survived/);
    const unrun = faultProved(fault, [word('AUTH-01.both-missing', 'fail')]);
    expect(unrun.missed).toMatchObject([{ check: 'AUTH-01.key-missing', reason: 'it was not run' }]);
  });

  test('is a gap when only checks of other requirements turned red', () => {
    const proved = faultProved({ ...fault, caughtBy: ['AUTH-02.unknown'] }, [word('AUTH-02.unknown', 'fail')]);
    expect(gapsOf([proved], [], [], [])).toEqual([
      'fault a-fault is caught by no check of AUTH-01, only by AUTH-02.unknown',
    ]);
  });

  test('is a gap when the kit broke', () => {
    const proved = faultProved(fault, [
      word('AUTH-01.both-missing', 'fail'),
      word('AUTH-01.key-missing', 'fail'),
      word('AUTH-02.unknown', 'error'),
    ]);
    expect(gapsOf([proved], [], [], [])).toEqual(['fault a-fault broke AUTH-02.unknown: because']);
  });
});

test('a check is killed only by a fault that names it', () => {
  const proved = faultProved(fault, [
    word('AUTH-01.both-missing', 'fail'),
    word('AUTH-01.key-missing', 'pass'),
    word('AUTH-02.unknown', 'fail'),
  ]);
  expect(aliveChecks([proved], ['AUTH-01.both-missing', 'AUTH-01.key-missing', 'AUTH-02.unknown'])).toEqual([
    'AUTH-01.key-missing',
    'AUTH-02.unknown',
  ]);
});

test('an honest server is held up by whatever is neither passed nor out of its target file’s reach', () => {
  const { held, beyondTarget, notApplicable, passed } = variationProved({ id: 'v', openPoint: null, choice: '' }, [
    word('AUTH-01.both-missing', 'pass'),
    word('AUTH-01.key-missing', 'warn'),
    word('AUTH-02.unknown', 'blocked', 'AUTH-01.key-missing'),
    word('AUTH-04.revoked', 'blocked', 'actors.revoked of the target file'),
    word('RATE-01.reset-header', 'not-applicable'),
  ]);
  expect(held.map(({ check }) => check)).toEqual(['AUTH-01.key-missing', 'AUTH-02.unknown']);
  expect([beyondTarget, notApplicable, passed]).toEqual([['AUTH-04.revoked'], ['RATE-01.reset-header'], 1]);
});
