import { overrideRules } from '../../overrides/override-rules.ts';
import { addFunds } from '../../rules/money/funds.ts';
import type { Call } from '../../service/call.ts';
import type { Withdrawal } from '../../service/inputs.ts';
import { DEFAULT_CURRENCY, fromCents, toCents } from '../../service/money.ts';
import { RejectionError, rejections } from '../../service/rejection.ts';
import { buyerIsTreasurer } from '../../variations/service/service.ts';
import { capWithdrawals } from '../../variations/support/withdrawals-capped.ts';
import type { Fault } from '../fault.ts';

/** Pays, whatever the funds are. */
function paidOut(call: Call, cents: bigint): Withdrawal {
  addFunds(call.world, call.organizationId, DEFAULT_CURRENCY, -cents);
  return { id: call.rules.newId(), cents, createdAt: call.rules.now().toISOString() };
}

/** A withdrawal for which the funds are missing is refused in another way. */
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

/** What a withdrawal that is refused could have had is gone. */
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
    defect: 'Who withdraws is the buyer, and nobody asks for its funds.',
    caughtBy: ['TREAS-01.beyond-funds'],
    target: buyerIsTreasurer,
    rules: overrideRules(() => ({ withdraw: (call, { amount }) => paidOut(call, toCents(amount)) })),
  },
  {
    id: 'treas-whole-units',
    requirement: 'TREAS-01',
    defect: 'Funds are compared in whole units: cents beyond them can be withdrawn.',
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
    id: 'treas-own-code',
    requirement: 'TREAS-01',
    defect: 'Missing funds are refused with 412 and a code of the bank module.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: lackingFunds(() => new RejectionError(412, 'BANK001', 'Insufficient funds')),
  },
  {
    id: 'treas-no-funds-crash',
    requirement: 'TREAS-01',
    defect: 'Nobody catches what the bank module throws where the funds of a withdrawal do not suffice: 500.',
    caughtBy: ['TREAS-01.one-cent-more'],
    rules: lackingFunds(() => new RejectionError(500, 'INTERNAL', 'Internal error')),
  },
  {
    id: 'treas-own-code-with-request-id',
    requirement: 'TREAS-01',
    defect: 'Who brings a requestId is served by the payment module, which has a code of its own for missing funds.',
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
    defect: 'Missing funds are reported with the code of the invoice states.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: lackingFunds(() => rejections.actionNotAllowed()),
  },
  {
    id: 'treas-overdraft',
    requirement: 'TREAS-01',
    defect: 'Nobody looks at the funds before a withdrawal: the balance goes below zero.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: overrideRules(() => ({
      withdraw: (call, { amount }) => paidOut(call, toCents(amount)),
    })),
  },
  {
    id: 'treas-funds-as-text',
    requirement: 'TREAS-01',
    defect: 'Funds and sums are decimals in text, and compared as such: 10000000.00 is less than 5000000.00.',
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
    defect: 'A withdrawal with a requestId is booked by the replay store, which does not look at the funds.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: overrideRules((base) => ({
      withdraw: (call, input) =>
        call.body.requestId === undefined ? base.withdraw(call, input) : paidOut(call, toCents(input.amount)),
    })),
  },
  {
    id: 'treas-first-overdraft-refused',
    requirement: 'TREAS-01',
    defect:
      'Who was told once that the funds do not suffice is not told again: the next withdrawal is booked, whatever its sum.',
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
    id: 'treas-second-try-overdraws',
    requirement: 'TREAS-01',
    defect: 'A withdrawal that was refused is queued, and paid when it is asked for again.',
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
    id: 'treas-withdrawal-pays-what-is-there',
    requirement: 'TREAS-01',
    defect: 'A withdrawal beyond the funds is not refused: it pays out what is there.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: overrideRules((base) => ({
      withdraw: (call, input) => {
        const cents = base.balance(call);
        return base.withdraw(call, toCents(input.amount) > cents ? { ...input, amount: fromCents(cents) } : input);
      },
    })),
  },
  {
    id: 'treas-refusal-takes-fee',
    requirement: 'TREAS-01',
    defect: 'The fee of a withdrawal is booked before the funds are looked at, and kept when it is refused.',
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
    id: 'treas-refusal-takes-the-rest',
    requirement: 'TREAS-01',
    defect:
      'Sums have ten digits before the point. What the funds do not cover takes what there is, and is then refused.',
    caughtBy: ['TREAS-01.unchanged'],
    rules: (base) => takingTheRest(capWithdrawals(base)),
  },
];
