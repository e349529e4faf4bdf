import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { pollUntil } from '../../../helpers/assert/poll.ts';
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
