import { expect, test } from 'vitest';
import { sharedResult, sharedResultBy } from '../../../helpers/context/shared-result.ts';
import { labOf } from '../support/contexts.ts';

test('a shared result is made once in a run, even if it fails', async () => {
  const ctx = labOf();
  let count = 0;
  const result = sharedResult(async () => {
    count += 1;
    throw new Error(`try ${count}`);
  });
  const all = await Promise.allSettled([result(ctx), result(ctx)]);
  expect(all.map((each) => (each.status === 'rejected' ? String(each.reason) : ''))).toEqual([
    'Error: try 1',
    'Error: try 1',
  ]);
});

test('two runs share no result', async () => {
  let count = 0;
  const result = sharedResult(async () => {
    count += 1;
    return count;
  });
  expect(await Promise.all([result(labOf()), result(labOf())])).toEqual([1, 2]);
});

test('each key has a result of its own, made with the arguments of its first caller', async () => {
  const ctx = labOf();
  const result = sharedResultBy(async (_, key: 'one' | 'two', amount: number) => `${key} ${amount}`);
  expect(await Promise.all([result(ctx, 'one', 1), result(ctx, 'one', 2), result(ctx, 'two', 3)])).toEqual([
    'one 1',
    'one 1',
    'two 3',
  ]);
});
