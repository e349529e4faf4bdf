import { describe, expect, test } from 'vitest';
import { LockOwner } from '../../../engine/scheduling/lock-owner.ts';
import { PHASES, type Phase, Phases } from '../../../engine/scheduling/phases.ts';
import { ReadWriteLock } from '../../../engine/scheduling/read-write-lock.ts';

/** A promise that the test resolves. */
function promised(): { promise: Promise<void>; keep: () => void } {
  let keep = () => {};
  const promise = new Promise<void>((resolve) => {
    keep = resolve;
  });
  return { promise, keep };
}

/** Work that the test ends. */
function work(name: string, diary: string[]): { run: () => Promise<void>; end: () => void } {
  const { promise, keep } = promised();
  const run = async () => {
    diary.push(`${name} begins`);
    await promise;
    diary.push(`${name} ends`);
  };
  return { run, end: keep };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

const [A, B, nobody] = [new LockOwner(), new LockOwner(), new LockOwner()];

describe('an exclusive section', () => {
  test('waits for shared work under way and delays later work', async () => {
    const diary: string[] = [];
    const quiet = new ReadWriteLock();
    const [one, two, still, three] = [
      work('one', diary),
      work('two', diary),
      work('still', diary),
      work('three', diary),
    ];
    const all = [
      quiet.shared(A, one.run),
      quiet.shared(A, two.run),
      quiet.exclusive(B, still.run),
      quiet.shared(A, three.run),
    ];
    await settled();
    expect(diary).toEqual(['one begins', 'two begins']);
    one.end();
    await settled();
    expect(diary).not.toContain('still begins');
    two.end();
    await settled();
    expect(diary.slice(-1)).toEqual(['still begins']);
    still.end();
    three.end();
    await Promise.all(all);
    expect(diary.slice(-4)).toEqual(['still begins', 'still ends', 'three begins', 'three ends']);
  });

  test('waits for another exclusive section', async () => {
    const diary: string[] = [];
    const quiet = new ReadWriteLock();
    const [one, two] = [work('one', diary), work('two', diary)];
    const all = [quiet.exclusive(A, one.run), quiet.exclusive(A, two.run)];
    two.end();
    one.end();
    await Promise.all(all);
    expect(diary).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });

  test('that fails does not block others, and neither does failed shared work', async () => {
    const diary: string[] = [];
    const quiet = new ReadWriteLock();
    const fails = () => Promise.reject(new Error('broken'));
    const all = Promise.allSettled([
      quiet.exclusive(A, fails),
      quiet.shared(A, fails),
      quiet.exclusive(A, async () => diary.push('here')),
    ]);
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    expect(diary).toEqual(['here']);
  });

  test('allows its own requests', async () => {
    const quiet = new ReadWriteLock();
    const diary: string[] = [];
    const note = (word: string) => async () => void diary.push(word);
    await Promise.all([
      quiet.exclusive(A, async () => {
        await settled();
        await quiet.shared(A, note('its own'));
      }),
      quiet.shared(B, note('another')),
    ]);
    expect(diary).toEqual(['its own', 'another']);
  });

  test('of a check allows all requests of that check and no others', async () => {
    const quiet = new ReadWriteLock();
    const diary: string[] = [];
    const note = (word: string) => async () => void diary.push(word);
    const [early, others] = [work('early', diary), promised()];
    const before = quiet.shared(B, early.run);
    const stretch = quiet.exclusive(A, async () => {
      expect([quiet.isHeldBy(A), quiet.isHeldBy(B), quiet.isHeldBy(nobody)]).toEqual([true, false, false]);
      others.keep();
      await settled();
      await quiet.shared(A, note('its own'));
      await quiet.exclusive(A, note('its own stretch'));
      await quiet.sharedSection(A, note('its own throughout'));
    });
    await settled();
    expect(diary).toEqual(['early begins']);
    early.end();
    await others.promise;
    await Promise.all([
      before,
      stretch,
      quiet.shared(B, note('of another')),
      quiet.shared(nobody, note('of nobody')),
      quiet.exclusive(B, note('its stretch')),
    ]);
    expect(diary).toEqual([
      'early begins',
      'early ends',
      'its own',
      'its own stretch',
      'its own throughout',
      'of another',
      'of nobody',
      'its stretch',
    ]);
    expect(quiet.isHeldBy(A)).toBe(false);
  });

  test('of a part delays other parts of the check, and neither the whole nor its own parts', async () => {
    const quiet = new ReadWriteLock();
    const diary: string[] = [];
    const note = (word: string) => async () => void diary.push(word);
    const [one, two] = [A.part(), A.part()];
    const open = work('section', diary);
    const all = [quiet.exclusive(one, open.run)];
    await settled();
    all.push(quiet.exclusive(two, note('section of another part')), quiet.shared(two, note('another part')));
    all.push(quiet.shared(A, note('the whole')), quiet.shared(one.part(), note('a part of it')));
    await settled();
    expect(diary).toEqual(['section begins', 'the whole', 'a part of it']);
    open.end();
    await Promise.all(all);
    expect(diary.slice(3)).toEqual(['section ends', 'section of another part', 'another part']);
  });

  test('lets an admitted owner leave, who then waits for a section of its own', async () => {
    const quiet = new ReadWriteLock();
    const diary: string[] = [];
    const note = (word: string) => async () => void diary.push(word);
    let next: Promise<void> | undefined;
    await quiet.exclusive(A, async (admit) => {
      const leave = admit(B);
      expect(quiet.isHeldBy(B)).toBe(true);
      leave();
      next = quiet.exclusive(B, note('next section'));
      await settled();
      diary.push('end of the first section');
    });
    await next;
    expect(diary).toEqual(['end of the first section', 'next section']);
  });

  test('admits other owners until it ends', async () => {
    const quiet = new ReadWriteLock();
    const diary: string[] = [];
    const note = (word: string) => async () => void diary.push(word);
    await quiet.exclusive(A, async (admit) => {
      admit(B);
      await quiet.shared(B, note('admitted'));
      expect(quiet.isHeldBy(B)).toBe(true);
    });
    expect(quiet.isHeldBy(B)).toBe(false);
    expect(diary).toEqual(['admitted']);
  });

  test('of a check that fails releases the others', async () => {
    const quiet = new ReadWriteLock();
    await expect(quiet.exclusive(A, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await quiet.shared(B, async () => 2)).toBe(2);
  });

  test('without a check allows only its own requests', async () => {
    const quiet = new ReadWriteLock();
    const diary: string[] = [];
    const note = (word: string) => async () => void diary.push(word);
    await Promise.all([
      quiet.exclusive(nobody, async () => {
        await settled();
        await quiet.shared(nobody, note('its own'));
      }),
      quiet.shared(A, note('another')),
    ]);
    expect(diary).toEqual(['its own', 'another']);
  });

  test('returns the result of its work', async () => {
    const quiet = new ReadWriteLock();
    expect(await quiet.exclusive(A, async () => 1)).toBe(1);
    expect(await quiet.exclusive(A, async () => 1)).toBe(1);
    expect(await quiet.shared(A, async () => 2)).toBe(2);
  });
});

describe('the phases', () => {
  /** The phases that are open, with the given number of checks in each. */
  function phasesOf(checks: Phase[], whenEnded: (phase: Phase) => Promise<void> = async () => {}) {
    const open: Phase[] = [];
    const phases = new Phases(checks, whenEnded);
    for (const phase of PHASES) void phases.waitForPhase(phase).then(() => open.push(phase));
    return { phases, open };
  }

  test('open in order, each when the checks of the previous one have ended', async () => {
    const { phases, open } = phasesOf(['main', 'main', 'late', 'reset', 'closing']);
    await settled();
    expect(open).toEqual([]);
    phases.start();
    await settled();
    expect(open).toEqual(['main']);
    phases.markCheckEnded('main');
    await settled();
    expect(open).toEqual(['main']);
    phases.markCheckEnded('main');
    await settled();
    expect(open).toEqual(['main', 'late']);
    phases.markCheckEnded('late');
    await settled();
    phases.markCheckEnded('reset');
    await settled();
    expect(open).toEqual([...PHASES]);
  });

  test('without checks are passed', async () => {
    const { phases, open } = phasesOf(['closing']);
    phases.start();
    await settled();
    expect(open).toEqual([...PHASES]);
  });

  test('wait for the work at the end of the previous one', async () => {
    const ended: Phase[] = [];
    const cleanUp = promised();
    const { phases, open } = phasesOf(['main', 'late', 'reset'], async (phase) => {
      ended.push(phase);
      if (phase === 'late') await cleanUp.promise;
    });
    phases.start();
    phases.markCheckEnded('main');
    await settled();
    phases.markCheckEnded('late');
    await settled();
    expect([ended, open]).toEqual([
      ['main', 'late'],
      ['main', 'late'],
    ]);
    cleanUp.keep();
    await settled();
    expect(open).toEqual(['main', 'late', 'custom', 'flood', 'reset']);
  });
});
