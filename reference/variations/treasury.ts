import { setTimeout as pause } from 'node:timers/promises';
import { overrideRules } from '../overrides/override-rules.ts';
import type { Variation } from '../overrides/server-overrides.ts';
import { addFunds, availableFunds } from '../rules/money/funds.ts';
import type { Call } from '../service/call.ts';
import { DEFAULT_CURRENCY, toCents } from '../service/money.ts';
import { RejectionError, rejections } from '../service/rejection.ts';
import { capWithdrawals } from './support/withdrawals-capped.ts';

const CREDIT = 500_000n;

/** Adds this amount to the available funds, in cents. */
function onCredit<T>({ world: environment }: Call, organizationId: string, currency: string, pay: () => T): T {
  addFunds(environment, organizationId, currency, CREDIT);
  try {
    return pay();
  } finally {
    addFunds(environment, organizationId, currency, -CREDIT);
  }
}

const LEAST_WITHDRAWAL_CENTS = 1000n;

/** Of a settlement, one per cent for the platform. */
const COMMISSION_DIVISOR = 100n;
const WITHDRAWAL_FEE = 25n;

/** Books this many milliseconds after the booking before it. */
const BOOKING_INTERVAL_MS = 60;

/** Bookings that take effect one after the other. */
function bookingQueue() {
  let nextAt = 0;
  return ({ background }: Call, book: () => void): void => {
    nextAt = Math.max(nextAt, performance.now()) + BOOKING_INTERVAL_MS;
    background.schedule(nextAt - performance.now(), book);
  };
}

/** The owner of the treasury of a whole environment. */
const SHARED_ACCOUNT = 'all organizations';

/** As long as a request to a bank. */
const WITHDRAWAL_MS = 3;

export const treasuryVariations: readonly Variation[] = [
  {
    id: 'withdrawals-simulated',
    openPoint: 'OP-104',
    choice: 'no, they are simulated',
    target: (target) => {
      const { treasuryWithdraw, ...operations } = target.operations ?? {};
      const simulated = treasuryWithdraw && { treasuryWithdraw: { ...treasuryWithdraw, simulated: true } };
      return { ...target, operations: { ...operations, ...simulated } };
    },
    rules: overrideRules((base) => ({
      withdraw: (call, { amount }) => {
        const cents = toCents(amount);
        if (base.balance(call) < cents) throw rejections.notEnoughFunds();
        return { id: call.rules.newId(), cents, createdAt: call.rules.now().toISOString() };
      },
    })),
  },
  {
    id: 'sandbox-without-funds',
    openPoint: 'OP-107',
    choice: 'no, 412 TREAS007 to every settlement',
    rules: overrideRules(() => ({
      settle: () => {
        throw rejections.notEnoughFunds();
      },
    })),
  },
  {
    id: 'line-of-credit',
    openPoint: 'OP-113',
    choice: 'with a line of credit, up to a bound',
    rules: overrideRules((base) => ({
      withdraw: (call, input) =>
        onCredit(call, call.organizationId, DEFAULT_CURRENCY, () => base.withdraw(call, input)),
      settle: (call, invoice) =>
        onCredit(call, invoice.buyerOrganizationId, invoice.currency, () => base.settle(call, invoice)),
    })),
  },
  {
    id: 'credit-for-payments',
    openPoint: 'OP-113',
    choice: 'with a line of credit for payments only',
    rules: overrideRules((base) => ({
      settle: (call, invoice) =>
        onCredit(call, invoice.buyerOrganizationId, invoice.currency, () => base.settle(call, invoice)),
    })),
  },
  {
    id: 'withdrawals-capped',
    openPoint: 'OP-114',
    choice: 'less than ten billion, 400 for more',
    rules: capWithdrawals,
  },
  {
    id: 'withdrawals-from-10',
    openPoint: 'OP-114',
    choice: '10.00 or more, 412 for less',
    rules: overrideRules((base) => ({
      withdraw: (call, input) => {
        if (toCents(input.amount) < LEAST_WITHDRAWAL_CENTS) throw new RejectionError(412, 'PAYOUT01', 'at least 10.00');
        return base.withdraw(call, input);
      },
    })),
  },
  {
    id: 'payments-with-fees',
    openPoint: 'OP-116',
    choice: 'a commission of a settlement and a fee of a withdrawal, at once',
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        base.settle(call, invoice);
        const { sellerOrganizationId, currency, amount } = invoice;
        addFunds(call.world, sellerOrganizationId, currency, -(toCents(amount) / COMMISSION_DIVISOR));
      },
      withdraw: (call, input) => {
        const withdrawal = base.withdraw(call, input);
        addFunds(call.world, call.organizationId, DEFAULT_CURRENCY, -WITHDRAWAL_FEE);
        return withdrawal;
      },
    })),
  },
  {
    id: 'payments-booked-in-turn',
    openPoint: 'OP-121',
    choice: 'one payment after the other, from a queue',
    rules: overrideRules((base) => {
      const later = bookingQueue();
      return {
        withdraw: (call, input) => {
          const { world, organizationId } = call;
          const book = (cents: bigint) => addFunds(world, organizationId, DEFAULT_CURRENCY, cents);
          const before = availableFunds(world, organizationId, DEFAULT_CURRENCY);
          const withdrawal = base.withdraw(call, input);
          // Nothing if the withdrawal is simulated.
          const moved = availableFunds(world, organizationId, DEFAULT_CURRENCY) - before;
          book(-moved);
          later(call, () => book(moved));
          return withdrawal;
        },
        settle: (call, invoice) => {
          const { sellerOrganizationId, currency } = invoice;
          const book = (cents: bigint) => addFunds(call.world, sellerOrganizationId, currency, cents);
          const before = availableFunds(call.world, sellerOrganizationId, currency);
          base.settle(call, invoice);
          // Nothing if the invoice was already paid.
          const moved = availableFunds(call.world, sellerOrganizationId, currency) - before;
          book(-moved);
          later(call, () => book(moved));
        },
      };
    }),
  },
  {
    id: 'one-withdrawal-at-a-time',
    openPoint: 'OP-122',
    choice: 'no, 409 while another withdrawal is in progress',
    rules: overrideRules((base) => {
      const inProgress = new Set<string>();
      const performAlone = async <T>(call: Call, perform: () => T | Promise<T>): Promise<T> => {
        const who = `${call.environment} ${call.organizationId}`;
        if (inProgress.has(who)) throw new RejectionError(409, 'TREAS009', 'Another withdrawal is in progress');
        inProgress.add(who);
        try {
          await pause(WITHDRAWAL_MS);
          return await perform();
        } finally {
          inProgress.delete(who);
        }
      };
      return {
        // A replay is no other withdrawal.
        replay: (call, key, perform) =>
          base.replay(call, key, call.route.name === 'withdraw' ? () => performAlone(call, perform) : perform),
      };
    }),
  },
  {
    id: 'treasury-shared',
    openPoint: 'OP-126',
    choice: 'one treasury for all organizations',
    rules: overrideRules((base) => {
      const shared = (call: Call): Call => ({ ...call, organizationId: SHARED_ACCOUNT });
      return {
        balance: (call) => base.balance(shared(call)),
        withdraw: (call, input) => base.withdraw(shared(call), input),
        // The buyer and the seller have the same funds, so that a payment only has to be covered.
        settle: (call, { amount }) => {
          if (base.balance(shared(call)) < toCents(amount)) throw rejections.notEnoughFunds();
        },
      };
    }),
  },
];
