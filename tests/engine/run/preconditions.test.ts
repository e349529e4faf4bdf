import { describe, expect, test } from 'vitest';
import { Blocked } from '../../../engine/model/outcomes.ts';
import { Preconditions } from '../../../engine/run/preconditions.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import type { CheckVerdict } from '../../../specs/verdicts.ts';

const LIST: CheckId = 'LIST-01.items';
const RESTING: CheckId = 'LIST-02.counts-creations';
const APART: CheckId = 'AUTH-02.unknown';

const word = (verdict: CheckVerdict, blockedBy: string | null = null) => ({ verdict, blockedBy });

const breached = (decisive: readonly string[], reason = '') => ({ reason, decisive });

function preconditions(broken: readonly CheckId[] = []) {
  const made = new Preconditions((id, exchanges) => broken.includes(id) && exchanges.includes('x7'));
  made.select([LIST, RESTING, APART]);
  return made;
}

describe('a check with a precondition', () => {
  test('may start while the precondition is unknown or has passed', () => {
    const made = preconditions();
    made.blockIfPreconditionBroken(RESTING);
    made.recordVerdict(LIST, word('pass'));
    made.blockIfPreconditionBroken(RESTING);
  });

  test('is blocked after the precondition has failed', () => {
    const made = preconditions();
    made.markSuspected(LIST);
    expect(() => made.blockIfPreconditionBroken(RESTING)).toThrow(Blocked);
    expect(() => made.blockIfPreconditionBroken(RESTING)).toThrow(/^LIST-01\.items failed: /);
    made.blockIfPreconditionBroken(APART);
    made.blockIfPreconditionBroken(null);
  });

  test('is blocked by an exchange rule only if its deciding exchange breaks the rule', async () => {
    const made = preconditions([LIST]);
    made.blockIfPreconditionBroken(RESTING);
    made.recordVerdict(LIST, word('fail'));
    expect(await made.findFailedPrecondition(RESTING, breached(['x6']))).toBeNull();
    expect(await made.findFailedPrecondition(RESTING, breached(['x6', 'x7']))).toMatchObject({ blockedBy: LIST });
  });

  test('is not retried if its deciding exchange breaks a rule that it depends on', () => {
    const made = preconditions([LIST]);
    expect(made.restsOnBrokenRule(RESTING, ['x6', 'x7'])).toBe(true);
    expect(made.restsOnBrokenRule(RESTING, ['x6'])).toBe(false);
    expect(made.restsOnBrokenRule(APART, ['x7'])).toBe(false);
    expect(made.restsOnBrokenRule(null, ['x7'])).toBe(false);
  });

  test('waits for the verdict of the precondition before it fails', async () => {
    const made = preconditions();
    made.markSuspected(LIST);
    const waiting = made.findFailedPrecondition(RESTING, breached([]));
    made.recordVerdict(LIST, word('fail'));
    expect(await waiting).toMatchObject({ blockedBy: LIST });
  });

  test.each(['pass', 'blocked', 'not-applicable', null] as const)(
    'fails if the precondition ends as %s',
    async (verdict) => {
      const made = preconditions();
      made.recordVerdict(LIST, verdict && word(verdict));
      expect(await made.findFailedPrecondition(RESTING, breached([]))).toBeNull();
    },
  );

  test('depends on the precondition only if its reason says so', async () => {
    const made = new Preconditions(() => false);
    made.select(['ENV-03.sandbox-list', 'LIFE-03.draft-settle']);
    made.markSuspected('ENV-03.sandbox-list');
    made.recordVerdict('ENV-03.sandbox-list', word('fail'));
    const failure = (reason: string) => made.findFailedPrecondition('LIFE-03.draft-settle', breached([], reason));
    expect(await failure('buyer sent POST /settle: the server accepted the request with 200')).toBeNull();
    expect(await failure('buyer sent POST /settle with X-Environment: SANDBOX: the server returned 403')).toMatchObject(
      {
        blockedBy: 'ENV-03.sandbox-list',
      },
    );
  });

  test('is blocked by the cause that blocks the precondition', async () => {
    const made = preconditions();
    made.markSuspected(APART);
    made.recordVerdict(APART, word('fail'));
    made.recordVerdict(LIST, word('blocked', APART));
    expect(await made.findFailedPrecondition(RESTING, breached([]))).toMatchObject({ blockedBy: APART });
  });

  test('fails if the precondition is not part of the run', async () => {
    const made = new Preconditions(() => true);
    made.select([RESTING]);
    made.blockIfPreconditionBroken(RESTING);
    expect(await made.findFailedPrecondition(RESTING, breached([]))).toBeNull();
  });
});
