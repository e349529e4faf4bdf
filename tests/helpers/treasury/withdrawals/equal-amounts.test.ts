import { describe, expect, test } from 'vitest';
import type { Check } from '../../../../helpers/context/check.ts';
import { expectNoWithdrawal } from '../../../../helpers/treasury/withdrawals/rejected-withdrawal.ts';
import { allChecks } from '../../../../suites/all.ts';
import { scripted } from '../../support/contexts.ts';

const operations = {
  treasuryBalance: { method: 'GET', path: '/balance' },
  treasuryWithdraw: { method: 'POST', path: '/withdrawals', body: { amount: '{amount}' } },
};

/** A treasury with replays. Another user pays the same amount at the first `times` replays. */
function treasuryWhere({ times, refuses = false }: { times: number; refuses?: boolean }) {
  let cents = 1_000_000;
  let left = times;
  const seen = new Set<string>();
  const lowered = (sum: number) => {
    cents -= sum;
  };
  const { ctx } = scripted(
    ({ operation, body }) => {
      if (operation === 'treasuryBalance') return { status: 200, json: { available: (cents / 100).toFixed(2) } };
      const { amount, requestId } = body as { amount: string; requestId?: string };
      const sum = Math.round(Number(amount) * 100);
      const again = requestId !== undefined && seen.has(requestId);
      if (requestId) seen.add(requestId);
      if ((again || refuses) && left > 0) {
        left -= 1;
        lowered(sum);
      }
      if (refuses) return { status: 401 };
      if (!again) lowered(sum);
      return { status: 201, json: { amount } };
    },
    { operations },
  );
  return ctx;
}

const rule = async (id: string, ctx: ReturnType<typeof treasuryWhere>) => {
  const found = allChecks.find((each) => each.id === id) as Check;
  await found.body(ctx);
};

describe.each(['IDEM-04.one-effect', 'IDEM-04.other-amount', 'IDEM-04.simultaneous'])('%s', (id) => {
  test('a balance that others lower by the same amount once is no breach', async () => {
    await expect(rule(id, treasuryWhere({ times: 1 }))).resolves.toBeUndefined();
  });

  test('a balance that falls again with every replay is a breach', async () => {
    await expect(rule(id, treasuryWhere({ times: Infinity }))).rejects.toThrow(/fell by|lowered/);
  });
});

describe('rejected withdrawals', () => {
  const nothingPaid = (times: number) =>
    expectNoWithdrawal(treasuryWhere({ times, refuses: true }), 'unauthorized', [{}], () => undefined);

  test('may coincide with a foreign one of the same amount', async () => {
    await expect(nothingPaid(1)).resolves.toBeUndefined();
  });

  test('do not lower the balance, and the message names the rejected withdrawal', async () => {
    await expect(nothingPaid(Infinity)).rejects.toThrow(
      /the server rejected the withdrawal of \S+ with \d+, but \/available fell by .+ \(.+ sent GET /,
    );
  });
});
