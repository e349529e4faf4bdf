import { describe, expect, test } from 'vitest';
import type { Check } from '../../../../helpers/context/check.ts';
import { repeatedWithdrawal } from '../../../../helpers/treasury/withdrawals/repeated-withdrawal.ts';
import { allChecks } from '../../../../suites/all.ts';
import { scripted } from '../../support/contexts.ts';

const operations = {
  treasuryBalance: { method: 'GET', path: '/balance' },
  treasuryWithdraw: { method: 'POST', path: '/withdrawals', body: { amount: '{amount}' } },
};

interface Manner {
  /** Longer requestIds are rejected. */
  longest?: number;
  /** The part of a requestId that is compared. */
  key?: (requestId: string, amount: string) => string;
}

/** A treasury that compares the whole requestId of a replay. */
function treasuryOf({ longest = 100, key = (requestId) => requestId }: Manner = {}) {
  let cents = 1_000_000;
  const kept = new Map<string, object>();
  return scripted(
    ({ operation, body }) => {
      if (operation === 'treasuryBalance') return { status: 200, json: { available: (cents / 100).toFixed(2) } };
      const { amount, requestId = '' } = body as { amount: string; requestId?: string };
      if (requestId.length > longest) return { status: 400 };
      const json = kept.get(key(requestId, amount)) ?? { amount, id: kept.size };
      if (!kept.has(key(requestId, amount))) cents -= Math.round(Number(amount) * 100);
      kept.set(key(requestId, amount), json);
      return { status: 201, json };
    },
    { operations },
  );
}

type Lab = ReturnType<typeof treasuryOf>['ctx'];

const rule = async (ctx: Lab, id: string) => await (allChecks.find((each) => each.id === id) as Check).body(ctx);

const REPEATS = ['IDEM-04.one-effect', 'IDEM-04.other-amount', 'IDEM-04.simultaneous'];

test('all replays are judged by one withdrawal', async () => {
  const { ctx } = treasuryOf();
  for (const id of REPEATS) await rule(ctx, id);
  expect(ctx.run.leftovers.entries()).toHaveLength(1);
});

test('a replay that pays another amount fails only the check that names it', async () => {
  const { ctx } = treasuryOf({ key: (requestId, amount) => `${requestId} ${amount}` });
  expect(await repeatedWithdrawal(ctx)).toBeNull();
  await rule(ctx, 'IDEM-04.one-effect');
  await rule(ctx, 'IDEM-04.simultaneous');
  await expect(rule(ctx, 'IDEM-04.other-amount')).rejects.toThrow(
    'the amount of the request with a repeated requestId',
  );
});

test.each([
  [100, 60],
  [40, 36],
  [30, 27],
])('with a maximum of %i characters for a requestId, the replayed one has %i', async (longest, length) => {
  const { ctx } = treasuryOf({ longest });
  expect((await repeatedWithdrawal(ctx))?.ids.requestId).toHaveLength(length);
});

describe('similar requestIds', () => {
  const mistakes: [string, number, (requestId: string) => string][] = [
    ['compared without case', 100, (requestId) => requestId.toLowerCase()],
    ['short and compared without case', 30, (requestId) => requestId.toLowerCase()],
    ['compared without dashes', 100, (requestId) => requestId.replaceAll('-', '')],
    ['short and compared without dashes', 30, (requestId) => requestId.replaceAll('-', '')],
    ['cut to 59 characters', 100, (requestId) => requestId.slice(0, 59)],
    ['cut from 40 to 35 characters', 40, (requestId) => requestId.slice(0, 35)],
  ];

  test.each(mistakes)('fail if they are %s', async (_, longest, key) => {
    const { ctx } = treasuryOf({ longest, key });
    await expect(rule(ctx, 'IDEM-06.withdraw-similar')).rejects.toThrow(
      'the server returned the response for requestId',
    );
  });

  test.each([100, 40, 30])('are all withdrawn if they may have %i characters', async (longest) => {
    const { ctx } = treasuryOf({ longest });
    await rule(ctx, 'IDEM-06.withdraw-similar');
    expect(ctx.run.leftovers.entries()).toHaveLength(longest === 30 ? 3 : 4);
  });
});
