import { describe, expect, test } from 'vitest';
import { JointSection, type Participant, runStep } from '../../../engine/scheduling/joint-section.ts';
import { LockOwner } from '../../../engine/scheduling/lock-owner.ts';
import { ReadWriteLock } from '../../../engine/scheduling/read-write-lock.ts';

/** A section that notes who takes part in it, while another owner holds the lock until `release`. */
function occupied(end: (participants: readonly Participant<string>[]) => Promise<void>) {
  const lock = new ReadWriteLock();
  const sections: string[][] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = lock.exclusive(new LockOwner(), () => released);
  const section = new JointSection<string>(lock, async (participants) => {
    const all = participants();
    sections.push(all.map(({ work }) => work));
    await end(all);
  });
  const free = async () => {
    release();
    await held;
  };
  return { lock, section, sections, free };
}

const resolveAll = async (all: readonly Participant<string>[]) => {
  for (const { resolve } of all) resolve();
};

describe('a joint section', () => {
  test('opens once for all checks that wait for it', async () => {
    const { section, sections, free } = occupied(resolveAll);
    const joined = ['one', 'two', 'three'].map((each) => section.join(each, new LockOwner()));
    expect(section.awaits((each) => each === 'two')).toBe(true);
    await free();
    await Promise.all(joined);
    await section.join('four', new LockOwner());
    expect(sections).toEqual([['one', 'two', 'three'], ['four']]);
  });

  test('does not hold a check that has left it', async () => {
    const { lock, section, free } = occupied(async ([first, second]) => {
      first?.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      second?.resolve();
    });
    const [one, two] = [new LockOwner(), new LockOwner()];
    const own = section.join('one', one).then(() => lock.isHeldBy(one));
    const other = section.join('two', two);
    await free();
    expect(await own).toBe(false);
    await other;
  });

  test('ends for every check when it fails, without affecting the next section of one that has left', async () => {
    const { lock, section, free } = occupied(async ([first]) => {
      first?.resolve();
      throw new Error('the disk is full');
    });
    const one = new LockOwner();
    const own = section.join('one', one).then(() => lock.exclusive(one, async () => lock.isHeldBy(one)));
    const other = section.join('two', new LockOwner());
    await free();
    await expect(other).rejects.toThrow('the disk is full');
    expect(await own).toBe(true);
  });

  test('goes on without a check that fails a step', async () => {
    const { section, free } = occupied(async (all) => {
      const ready = await runStep(all, async (work) => {
        if (work === 'one') throw new Error('broken');
      });
      await resolveAll(ready);
    });
    const ends = Promise.allSettled(['one', 'two'].map((each) => section.join(each, new LockOwner())));
    await free();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
