import { overrideRules } from '../../overrides/override-rules.ts';
import { addFunds } from '../../rules/money/funds.ts';
import type { Call } from '../../service/call.ts';
import type { Withdrawal } from '../../service/inputs.ts';
import { DEFAULT_CURRENCY, fromCents, toCents } from '../../service/money.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import { buyerIsTreasurer } from '../../variations/service/service.ts';
import { capWithdrawals } from '../../variations/support/withdrawals-capped.ts';
import type { Fault } from '../fault.ts';

/** Pays without regard to the funds. */
function paidOut(call: Call, cents: bigint): Withdrawal {
  addFunds(call.world, call.organizationId, DEFAULT_CURRENCY, -cents);
  return { id: call.rules.newId(), cents, createdAt: call.rules.now().toISOString() };
}

/** Rejects a withdrawal with insufficient funds in another way. */
const lackingFunds = (refusal: () => RejectionError) =>
  overrideRules((base) => ({
    withdraw: (call, input) => {
      try {
        return base.withdraw(call, input);
      } catch {
        throw refusal();
      }
    },
  }));

/** A rejected withdrawal pays out the rest of the balance. */
const takingTheRest = overrideRules((base) => ({
  withdraw: (call, input) => {
    try {
      return base.withdraw(call, input);
    } catch (refusal) {
      paidOut(call, base.balance(call));
      throw refusal;
    }
  },
}));

export const treasuryWithdrawalsFaults: readonly Fault[] = [
  {
    id: 'treas-buyer-overdraws',
    requirement: 'TREAS-01',
    defect: 'The buyer withdraws without a check of its funds.',
    caughtBy: ['TREAS-01.beyond-funds'],
    target: buyerIsTreasurer,
    rules: overrideRules(() => ({ withdraw: (call, { amount }) => paidOut(call, toCents(amount)) })),
  },
  {
    id: 'treas-whole-units',
    requirement: 'TREAS-01',
    defect: 'Funds are compared in whole units: cents beyond the balance can be withdrawn.',
    caughtBy: ['TREAS-01.one-cent-more'],
    rules: overrideRules((base) => ({
      withdraw: (call, input) => {
        const cents = toCents(input.amount);
        const funds = base.balance(call);
        if (cents <= funds || cents / 100n > funds / 100n) return base.withdraw(call, input);
        return paidOut(call, cents);
      },
    })),
  },
  {
    id: 'treas-funds-ten-times',
    requirement: 'TREAS-01',
    defect: 'A withdrawal is checked against ten times the funds, because the limit is in another unit.',
    caughtBy: ['TREAS-01.one-cent-more'],
    traffic: 'full',
    rules: overrideRules((base) => ({
      withdraw: (call, input) => {
        const cents = toCents(input.amount);
        const funds = base.balance(call);
        return cents > funds && cents <= 10n * funds ? paidOut(call, cents) : base.withdraw(call, input);
      },
    })),
  },
  {
    id: 'treas-own-code',
    requirement: 'TREAS-01',
    defect: 'Insufficient funds are rejected with 412 and a code of the bank module.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: lackingFunds(() => new RejectionError(412, 'BANK001', 'Insufficient funds')),
  },
  {
    id: 'treas-no-funds-crash',
    requirement: 'TREAS-01',
    defect: 'The error of the bank module for a withdrawal with insufficient funds is not caught: 500.',
    caughtBy: ['TREAS-01.one-cent-more'],
    rules: lackingFunds(() => new RejectionError(500, 'INTERNAL', 'Internal error')),
  },
  {
    id: 'treas-own-code-with-request-id',
    requirement: 'TREAS-01',
    defect: 'A withdrawal with a requestId uses the payment module, which has its own code for insufficient funds.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: overrideRules((base) => ({
      withdraw: (call, input) => {
        if (input.requestId === undefined || toCents(input.amount) <= base.balance(call))
          return base.withdraw(call, input);
        throw new RejectionError(412, 'TREAS001', 'The payment cannot be made');
      },
    })),
  },
  {
    id: 'treas-state-code',
    requirement: 'TREAS-01',
    defect: 'Insufficient funds are reported with the code for the invoice state.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: lackingFunds(() => rejections.actionNotAllowed()),
  },
  {
    id: 'treas-overdraft',
    requirement: 'TREAS-01',
    defect: 'A withdrawal does not check the funds: the balance becomes negative.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: overrideRules(() => ({
      withdraw: (call, { amount }) => paidOut(call, toCents(amount)),
    })),
  },
  {
    id: 'treas-funds-as-text',
    requirement: 'TREAS-01',
    defect: 'Funds and amounts are compared as texts: 10000000.00 is less than 5000000.00.',
    caughtBy: ['TREAS-01.one-cent-more'],
    rules: overrideRules((base) => ({
      withdraw: (call, input) =>
        String(toCents(input.amount)) <= String(base.balance(call))
          ? paidOut(call, toCents(input.amount))
          : base.withdraw(call, input),
    })),
  },
  {
    id: 'treas-request-id-overdraws',
    requirement: 'TREAS-01',
    defect: 'A withdrawal with a requestId is booked by the replay store, which does not check the funds.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: overrideRules((base) => ({
      withdraw: (call, input) =>
        call.body.requestId === undefined ? base.withdraw(call, input) : paidOut(call, toCents(input.amount)),
    })),
  },
  {
    id: 'treas-first-overdraft-rejected',
    requirement: 'TREAS-01',
    defect: 'The funds are not checked for the withdrawal after a rejected one.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: overrideRules((base) => {
      const told = new Set<string>();
      return {
        withdraw: (call, input) => {
          if (told.has(call.organizationId)) return paidOut(call, toCents(input.amount));
          try {
            return base.withdraw(call, input);
          } catch (refusal) {
            told.add(call.organizationId);
            throw refusal;
          }
        },
      };
    }),
  },
  {
    id: 'treas-second-attempt-overdraws',
    requirement: 'TREAS-01',
    defect: 'A rejected withdrawal is queued, and paid when it is requested again.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: overrideRules((base) => {
      const refused = new Set<string>();
      return {
        withdraw: (call, input) => {
          const again = `${call.organizationId} ${input.amount}`;
          if (refused.has(again)) return paidOut(call, toCents(input.amount));
          try {
            return base.withdraw(call, input);
          } catch (refusal) {
            refused.add(again);
            throw refusal;
          }
        },
      };
    }),
  },
  {
    id: 'treas-withdrawal-pays-balance',
    requirement: 'TREAS-01',
    defect: 'A withdrawal that exceeds the balance is accepted and pays out the balance.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: overrideRules((base) => ({
      withdraw: (call, input) => {
        const cents = base.balance(call);
        return base.withdraw(call, toCents(input.amount) > cents ? { ...input, amount: fromCents(cents) } : input);
      },
    })),
  },
  {
    id: 'treas-rejection-charges-fee',
    requirement: 'TREAS-01',
    defect:
      'The fee of a withdrawal is booked before the funds are checked, and is not returned if they are insufficient.',
    caughtBy: ['TREAS-01.unchanged'],
    rules: overrideRules((base) => ({
      withdraw: (call, input) => {
        try {
          return base.withdraw(call, input);
        } catch (refusal) {
          base.withdraw(call, { ...input, amount: '0.35' });
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'treas-rejection-pays-part',
    requirement: 'TREAS-01',
    defect:
      'Amounts have ten digits before the point. A withdrawal that exceeds the balance pays out the balance, and is then rejected.',
    caughtBy: ['TREAS-01.unchanged'],
    rules: (base) => takingTheRest(capWithdrawals(base)),
  },
];
