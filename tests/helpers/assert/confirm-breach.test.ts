import { expect, test } from 'vitest';
import { Blocked } from '../../../engine/model/outcomes.ts';
import { type Confirmation, confirmBreach, type ExperimentAttempt } from '../../../helpers/assert/confirm-breach.ts';
import { breach } from '../../../helpers/assert/expect.ts';
import type { CheckContext } from '../../../helpers/context/check.ts';
import { answerOf, labOf } from '../support/contexts.ts';

const THREE_ROUNDS: Confirmation = { rounds: 3, because: 'another client may disturb it' };

/** An experiment that shows a breach in these attempts, and the attempts that were made. */
function experiment(ctx: CheckContext, broken: (attempt: ExperimentAttempt) => boolean) {
  const attempts: number[] = [];
  const run = () =>
    confirmBreach(ctx, THREE_ROUNDS, async (attempt) => {
      attempts.push(attempt.number);
      if (broken(attempt)) throw breach(ctx, answerOf(200), '2', 'it is 3');
      return 'as expected';
    });
  return { attempts, run };
}

test('a breach that one attempt does not show is none', async () => {
  const { attempts, run } = experiment(labOf(), ({ number }) => number < 3);
  await expect(run()).resolves.toBe('as expected');
  expect(attempts).toEqual([1, 2, 3]);
});

test('a breach that every attempt shows names their number and the reason for them', async () => {
  const { attempts, run } = experiment(labOf(), () => true);
  await expect(run()).rejects.toThrow(
    /^it is 3 \(.*\); confirmed in 3 attempts, because another client may disturb it$/,
  );
  expect(attempts).toEqual([1, 2, 3]);
});

test('an attempt that needs no other ends the experiment', async () => {
  const { attempts, run } = experiment(labOf(), (attempt) => {
    attempt.isLast = true;
    return true;
  });
  await expect(run()).rejects.toThrow(/^it is 3 \([^;]*\)$/);
  expect(attempts).toEqual([1]);
});

test('after one confirmed breach, the run makes only a first and a last attempt', async () => {
  const ctx = labOf();
  await experiment(ctx, () => true)
    .run()
    .catch(() => {});
  const { attempts, run } = experiment(ctx, () => true);
  await expect(run()).rejects.toThrow('confirmed in 2 attempts');
  expect(attempts).toEqual([1, 3]);
});

test('another outcome than a breach is not repeated', async () => {
  const ctx = labOf();
  let attempts = 0;
  const run = confirmBreach(ctx, THREE_ROUNDS, async () => {
    attempts += 1;
    throw new Blocked('target', 'no response');
  });
  await expect(run).rejects.toThrow('no response');
  expect(attempts).toBe(1);
});
