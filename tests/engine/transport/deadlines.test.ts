import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Deadlines } from '../../../engine/transport/deadlines.ts';

describe('deadlines', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** What was over, in order, when so many milliseconds had passed. */
  function begun(
    deadlines: Deadlines,
    names: readonly string[],
    apartMs: number,
  ): { over: string[]; ends: (() => void)[] } {
    const over: string[] = [];
    const ends = names.map((name) => {
      const end = deadlines.start(() => over.push(name));
      vi.advanceTimersByTime(apartMs);
      return end;
    });
    return { over, ends };
  }

  test('are each over after their time, and not before', () => {
    const { over } = begun(new Deadlines(100), ['one', 'two', 'three'], 20);
    vi.advanceTimersByTime(39);
    expect(over).toEqual([]);
    vi.advanceTimersByTime(2);
    expect(over).toEqual(['one']);
    vi.advanceTimersByTime(40);
    expect(over).toEqual(['one', 'two', 'three']);
  });

  test('that were met are never over, whichever comes first', () => {
    const { over, ends } = begun(new Deadlines(100), ['one', 'two', 'three'], 20);
    ends[0]?.();
    ends[2]?.();
    vi.advanceTimersByTime(1000);
    expect(over).toEqual(['two']);
  });

  test('can begin again when none was left', () => {
    const deadlines = new Deadlines(100);
    begun(deadlines, ['one'], 10).ends[0]?.();
    vi.advanceTimersByTime(1000);
    const { over } = begun(deadlines, ['two'], 0);
    vi.advanceTimersByTime(101);
    expect(over).toEqual(['two']);
  });

  test('are forgotten at the end', () => {
    const deadlines = new Deadlines(100);
    const { over } = begun(deadlines, ['one'], 0);
    deadlines.clear();
    vi.advanceTimersByTime(1000);
    expect(over).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
