import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { BalanceLock } from '../../../engine/scheduling/balance-lock.ts';
import { LockOwner } from '../../../engine/scheduling/lock-owner.ts';

const [A, B, C] = [new LockOwner(), new LockOwner(), new LockOwner()];

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work that notes its name when it begins and when the test ends it. */
function work(name: string, diary: string[]): { run: () => Promise<void>; end: () => void } {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = async () => {
    diary.push(`${name} begins`);
    await ended;
    diary.push(`${name} ends`);
  };
  return { run, end };
}

describe('while a check waits for earlier payments', () => {
  test('payments wait, and changes of invoices do not', async () => {
    const lock = new BalanceLock();
    const diary: string[] = [];
    const note = (word: string) => async () => void diary.push(word);
    const waiting = work('wait', diary);
    const all = [
      lock.withoutOtherPayments(A, waiting.run),
      lock.payment(B, note('payment')),
      lock.exclusive(C, note('comparison')),
      lock.shared(B, note('change')),
    ];
    await settled();
    expect(diary).toEqual(['change', 'wait begins']);
    waiting.end();
    await Promise.all(all);
    expect(diary.slice(2)).toEqual(['wait ends', 'payment', 'comparison']);
  });

  test('it may pay itself and compare balances', async () => {
    const lock = new BalanceLock();
    const diary: string[] = [];
    const note = (word: string) => async () => void diary.push(word);
    await lock.withoutOtherPayments(A, async () => {
      await lock.payment(A, note('before'));
      await lock.exclusive(A, async () => {
        expect(lock.isHeldBy(A)).toBe(true);
        await lock.payment(A, note('inside'));
        await lock.withoutOtherPayments(A, note('again'));
      });
    });
    expect(diary).toEqual(['before', 'inside', 'again']);
  });

  test('the next one that waits goes before the payments', async () => {
    const lock = new BalanceLock();
    const diary: string[] = [];
    const [one, two] = [work('one', diary), work('two', diary)];
    const all = [
      lock.withoutOtherPayments(A, one.run),
      lock.payment(B, async () => void diary.push('payment')),
      lock.withoutOtherPayments(C, two.run),
    ];
    await settled();
    one.end();
    two.end();
    await Promise.all(all);
    expect(diary).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'payment']);
  });

  test('a payment that has waited for several seconds goes before the next one', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => now.mockRestore());
    const lock = new BalanceLock();
    const diary: string[] = [];
    const [one, two] = [work('one', diary), work('two', diary)];
    const all = [
      lock.withoutOtherPayments(A, one.run),
      lock.payment(B, async () => void diary.push('payment')),
      lock.withoutOtherPayments(C, two.run),
    ];
    await settled();
    now.mockReturnValue(5000);
    one.end();
    two.end();
    await Promise.all(all);
    expect(diary).toEqual(['one begins', 'one ends', 'payment', 'two begins', 'two ends']);
  });

  test('a payment inside a section that has begun does not wait, so that neither waits forever', async () => {
    const lock = new BalanceLock();
    const diary: string[] = [];
    const note = (word: string) => async () => void diary.push(word);
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const section = lock.sharedSection(A, async () => {
      await hasBegun;
      await lock.payment(A, note('payment of the section'));
    });
    const other = lock.withoutOtherPayments(B, async () => {
      begun();
      await lock.exclusive(B, note('comparison'));
    });
    await Promise.all([section, other]);
    expect(diary).toEqual(['payment of the section', 'comparison']);
  });
});

test('a failed wait lets payments go on', async () => {
  const lock = new BalanceLock();
  await expect(lock.withoutOtherPayments(A, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await lock.payment(B, async () => 1)).toBe(1);
});
