import { describe, expect, test, vi } from 'vitest';
import { Breach, NotApplicable } from '../../../../engine/model/outcomes.ts';
import { LockOwner } from '../../../../engine/scheduling/lock-owner.ts';
import { type BookingProblem, hasWithdrawals } from '../../../../helpers/treasury/concurrency/booked-payments.ts';
import { expectBooked } from '../../../../helpers/treasury/concurrency/booking-problems.ts';
import { scripted } from '../../support/contexts.ts';

const operations = {
  treasuryBalance: { method: 'GET', path: '/balance' },
  treasuryWithdraw: { method: 'POST', path: '/withdrawals', body: { amount: '{amount}' } },
};
const seller = { key: 'svc_sand_seller', secret: 'secret-of-the-seller' };

const operationsOf = (simulated: boolean) => ({
  ...operations,
  treasuryWithdraw: { ...operations.treasuryWithdraw, ...(simulated && { simulated }) },
});

interface Bank {
  cents: number;
  /** Accepted and not booked, in cents. */
  pending: number[];
  /** New withdrawals that the funds cover. */
  asked: number;
}

interface Treasury {
  /** Whether the target file says that withdrawals are simulated. */
  isSimulated?: boolean;
  /** Whether a new withdrawal is booked at once. */
  isBooked: (bank: Bank) => boolean;
  /** Whether a new withdrawal is rejected. */
  isRejected?: (bank: Bank) => boolean;
  /** The status of an accepted withdrawal; 201 unless it is given. */
  status?: number;
  /** Whether a replay withdraws again. */
  repeats?: boolean;
  /** Called before each balance is shown. */
  beforeLook?: (bank: Bank) => void;
}

/** A treasury that books the accepted withdrawals as a test says. */
function treasuryOf({
  isSimulated = false,
  isBooked,
  isRejected = () => false,
  beforeLook = () => undefined,
  status = 201,
  repeats = false,
}: Treasury) {
  const bank: Bank = { cents: 1_000_000, pending: [], asked: 0 };
  const kept = new Map<string, object>();
  return scripted(
    ({ operation, body }) => {
      if (operation === 'treasuryBalance') {
        beforeLook(bank);
        return { status: 200, json: { available: (bank.cents / 100).toFixed(2) } };
      }
      const { amount, requestId = '' } = body as { amount: string; requestId?: string };
      const known = kept.get(requestId);
      const cents = Math.round(Number(amount) * 100);
      if (known && repeats) bank.cents -= cents;
      if (known) return { status, json: known };
      if (cents > bank.cents) return { status: 412, json: { error: 'funds', code: 'TREAS007' } };
      bank.asked += 1;
      if (isRejected(bank)) return { status: 409, json: { error: 'another one is pending', code: 'TREAS009' } };
      const json = { id: String(kept.size), amount };
      kept.set(requestId, json);
      if (isBooked(bank)) bank.cents -= cents;
      else bank.pending.push(cents);
      return { status, json };
    },
    { operations: operationsOf(isSimulated), actors: { seller } },
  );
}

const judge = async ({ ctx }: ReturnType<typeof treasuryOf>, problem: BookingProblem = 'withdrawal lost') =>
  await expectBooked(ctx, {
    problems: [problem],
    expected: 'every withdrawn amount deducted from the balance',
    payments: ({ withdrawals }) => withdrawals,
    isShown: hasWithdrawals,
  });

/** Three withdrawals of a window and one that confirms its problem. */
const isFirstOfWindow = ({ asked }: Bank) => asked % 4 === 1;
/** Longer than the time after which a window looks first. */
const BOOKED_LATE_MS = 1500;

const isConfirming = ({ asked }: Bank) => asked % 4 === 0;

describe.concurrent('a window without payments says what to change:', () => {
  const judged = async (treasury: Treasury, problem: BookingProblem) =>
    await expectBooked(treasuryOf(treasury).ctx, {
      problems: [problem],
      expected: '',
      payments: () => [],
      isShown: hasWithdrawals,
    });
  const isBooked = () => true;

  test.each<[string, Treasury, BookingProblem, RegExp]>([
    [
      'funds or the binding, if no withdrawal is accepted',
      { isBooked, isRejected: () => true },
      'withdrawal lost',
      /accepted none of several withdrawals at once; add funds to the sandbox, or correct operations\.treasuryWithdraw/,
    ],
    [
      'simulated, if the target file says so',
      { isBooked, isSimulated: true },
      'withdrawal repeated',
      /operations\.treasuryWithdraw of the target file says simulated: true/,
    ],
    [
      'operations.settle, if nothing is settled',
      { isBooked },
      'settlement lost',
      /settled too few of several APPROVED invoices at once; .* correct operations\.settle/,
    ],
    [
      'the funds, if no withdrawal is rejected',
      { isBooked },
      'rejected withdrawal paid',
      /rejected no withdrawal of more than the funds with 412, which TREAS-01 judges; add funds/,
    ],
  ])('%s', async (_, treasury, problem, reason) => {
    const found = judged(treasury, problem);
    await expect(found).rejects.toBeInstanceOf(NotApplicable);
    await expect(found).rejects.toThrow(reason);
  });
});

describe.concurrent('concurrent withdrawals of which the balance shows only one', () => {
  test('are lost if a later one is booked, with the balances as evidence', async () => {
    const lab = treasuryOf({ isBooked: (bank) => isFirstOfWindow(bank) || isConfirming(bank) });
    const failure = await judge(lab).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Breach);
    const { message, actual, exchanges } = failure as Breach;
    expect(message).toContain('confirmed in 3 attempts');
    expect(actual).toContain('available');
    const shown = exchanges.map((exchange) => lab.asks[Number(exchange.slice(1)) - 1]?.operation);
    expect(shown[0]).toBe('treasuryBalance');
    expect(shown).toContain('treasuryWithdraw');
  });

  test('are not lost if the server rejects another one until they are booked', async () => {
    const lab = treasuryOf({ isBooked: isFirstOfWindow, isRejected: isConfirming });
    await expect(judge(lab)).rejects.toBeInstanceOf(NotApplicable);
  });

  test('are not lost if they are booked later', async () => {
    let looks = 0;
    const lab = treasuryOf({
      isBooked: (bank) => isFirstOfWindow(bank) || isConfirming(bank),
      beforeLook: (bank) => {
        looks = isConfirming(bank) && bank.pending.length > 0 ? looks + 1 : 0;
        // The first look confirms the booking of the last withdrawal.
        if (looks > 1) bank.cents -= bank.pending.splice(0).reduce((sum, each) => sum + each, 0);
      },
    });
    await expect(judge(lab)).rejects.toBeInstanceOf(NotApplicable);
  });

  test('are judged if they are all booked a moment later', async () => {
    let acceptedAt = 0;
    const lab = treasuryOf({
      isBooked: () => {
        acceptedAt = performance.now();
        return false;
      },
      beforeLook: (bank) => {
        if (performance.now() - acceptedAt > BOOKED_LATE_MS)
          bank.cents -= bank.pending.splice(0).reduce((sum, each) => sum + each, 0);
      },
    });
    await expect(judge(lab)).resolves.toBeUndefined();
  });
});

test('other checks may change invoices, but not pay, while a window waits for late payments', async () => {
  const { ctx, asks } = treasuryOf({ isBooked: () => true });
  const ended: string[] = [];
  const judged = judge({ ctx, asks } as ReturnType<typeof treasuryOf>).then(() => ended.push('window'));
  await vi.waitFor(() =>
    expect(asks.filter(({ operation }) => operation === 'treasuryWithdraw').length).toBeGreaterThan(4),
  );
  const { balanceLock } = ctx.run;
  const paid = balanceLock.payment(new LockOwner(), async () => ended.push('payment'));
  await balanceLock.shared(new LockOwner(), async () => ended.push('change of an invoice'));
  expect(ended).toEqual(['change of an invoice']);
  await Promise.all([judged, paid]);
});

describe.concurrent('concurrent withdrawals that are accepted for later (202)', () => {
  const isBooked = (bank: Bank) => isFirstOfWindow(bank) || isConfirming(bank);

  test('are judged if the balance shows them', async () => {
    await expect(judge(treasuryOf({ status: 202, isBooked: () => true }))).resolves.toBeUndefined();
  });

  test('are not lost if the balance shows only one, because they may still fail', async () => {
    const found = judge(treasuryOf({ status: 202, isBooked }));
    await expect(found).rejects.toThrow('the server accepts a withdrawal with 202, so it may still fail');
  });

  test('are repeated if a replay withdraws again', async () => {
    const found = judge(treasuryOf({ status: 202, isBooked: () => true, repeats: true }), 'withdrawal repeated');
    await expect(found).rejects.toBeInstanceOf(Breach);
  });
});
