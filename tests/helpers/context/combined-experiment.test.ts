import { expect, test } from 'vitest';
import { NotApplicable } from '../../../engine/model/outcomes.ts';
import { readInvoice } from '../../../helpers/api/operations.ts';
import { type CombinedExperiment, combinedExperiment } from '../../../helpers/context/shared-result.ts';
import { scripted } from '../support/contexts.ts';

type Step = 'first' | 'second';

/** An experiment of two steps. The second one throws the given error. Counts how often the experiment runs. */
function twoSteps(thrown: Error | null): { experiment: CombinedExperiment<Step, string>; made: () => number } {
  let times = 0;
  const experiment: CombinedExperiment<Step, string> = async (ctx, seen) => {
    times += 1;
    ctx.addEvidence([await readInvoice(ctx, 'inv-1')]);
    seen('first', 'inv-1');
    if (thrown) throw thrown;
    seen('second', 'inv-1');
  };
  return { experiment, made: () => times };
}

const anyInvoice = () => ({ status: 200, json: { id: 'inv-1', status: 'DRAFT' } });

test('a shared snapshot is created once, and each check has its exchanges', async () => {
  const { ctx } = scripted(anyInvoice);
  const { experiment, made } = twoSteps(null);
  const ask = combinedExperiment(experiment);
  expect(await ask(ctx, 'only', 'first')).toBe('inv-1');
  expect(ctx.execution.exchanges).toHaveLength(1);
  expect(await ask(ctx, 'only', 'second')).toBe('inv-1');
  expect([ctx.execution.exchanges.length, made()]).toEqual([2, 1]);
});

test('an inconsistency is left to the check that requests it, and does not change earlier data', async () => {
  const { ctx } = scripted(anyInvoice);
  const { experiment } = twoSteps(new NotApplicable('it is refused'));
  const ask = combinedExperiment(experiment);
  expect(await ask(ctx, 'only', 'second')).toBeNull();
  expect(ctx.execution.exchanges).toEqual([]);
  expect(await ask(ctx, 'only', 'first')).toBe('inv-1');
});

test('an internal error stays an internal error', async () => {
  const { ctx } = scripted(anyInvoice);
  const { experiment } = twoSteps(new TypeError('no such thing'));
  const ask = combinedExperiment(experiment);
  await expect(ask(ctx, 'only', 'first')).rejects.toThrow('no such thing');
});
