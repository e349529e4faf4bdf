import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { NotSeenYet, nextWaitMs, pollUntil } from '../../../helpers/assert/poll.ts';
import { labOf } from '../support/contexts.ts';

const WITHIN_MS = 30;

test('a response that was under way when the time passed is not the last one', async () => {
  const asked: boolean[] = [];
  const ask = async (last: boolean) => {
    asked.push(last);
    // The effect of a rate limiter on a read of several pages.
    if (asked.length === 1) await pause(2 * WITHIN_MS);
    return asked.length;
  };
  expect(await pollUntil(labOf(), ask, (count) => count === 2, WITHIN_MS)).toBe(2);
  expect(asked).toEqual([false, true]);
});

test('without a time limit, there is one read, and it is marked as the last', async () => {
  const asked: boolean[] = [];
  const ask = async (last: boolean) => asked.push(last);
  expect(await pollUntil(labOf(), ask, () => false, 0)).toBe(1);
  expect(asked).toEqual([true]);
});

test('a lookup that finds nothing is repeated, and its reason is thrown at the end', async () => {
  const missing = () => new NotSeenYet('operations.read of the target file', 'not among the newest 1000');
  let lookups = 0;
  const late = async () => {
    lookups += 1;
    if (lookups < 3) throw missing();
    return lookups;
  };
  expect(await pollUntil(labOf(), late, () => true, 5000)).toBe(3);
  const never = async (): Promise<number> => {
    throw missing();
  };
  await expect(pollUntil(labOf(), never, () => true, WITHIN_MS)).rejects.toThrow('not among the newest 1000');
});

test('another error ends the polling at once', async () => {
  const failing = async (): Promise<number> => {
    throw new Error('no response');
  };
  await expect(pollUntil(labOf(), failing, () => true, 60_000)).rejects.toThrow('no response');
});

test('an effect that stays away for long is looked for less and less often, up to once a second', () => {
  const askedAt = [0];
  for (let wait = 20, at = 0; at < 30_000; wait = nextWaitMs(wait, at)) {
    at += wait;
    askedAt.push(at);
  }
  const askedWithin = (from: number, to: number) => askedAt.filter((at) => at >= from && at < to).length;
  expect(askedWithin(0, 1000)).toBe(7);
  expect(askedWithin(1000, 2000)).toBe(4);
  expect(askedWithin(10_000, 20_000)).toBe(10);
});
