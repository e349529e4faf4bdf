import { replaced } from '../overrides/override-rules.ts';
import { addFunds, fundsOf } from '../rules/money/funds.ts';
import type { Call } from '../service/call.ts';
import type { Withdrawal } from '../service/inputs.ts';
import { DEFAULT_CURRENCY, fromCents, toCents } from '../service/money.ts';
import { Refusal, refusals } from '../service/refusal.ts';
import type { Invoice, Store } from '../service/store.ts';
import { buyerIsTreasurer } from '../variations/service.ts';
import { withdrawalsCapped } from '../variations/support/withdrawals-capped.ts';
import type { Fault } from './fault.ts';
import { balanceByGet } from './support/balance-by-get.ts';
import { refusedSettlement } from './support/rejected-settlement.ts';

const LATE_MS = 400;

/** Pays, whatever the funds are. */
function paidOut(call: Call, cents: bigint): Withdrawal {
  addFunds(call.world, call.organizationId, DEFAULT_CURRENCY, -cents);
  return { id: call.rules.newId(), cents, createdAt: call.rules.now().toISOString() };
}

/** A withdrawal for which the funds are missing is refused in another way. */
const lackingFunds = (refusal: () => Refusal) =>
  replaced((honest) => ({
    withdraw: (call, input) => {
      try {
        return honest.withdraw(call, input);
      } catch {
        throw refusal();
      }
    },
  }));

/** Whatever the funds are. */
function settledUnfunded(
  { world }: Call,
  { amount, currency, buyerOrganizationId, sellerOrganizationId }: Invoice,
): void {
  addFunds(world, buyerOrganizationId, currency, -toCents(amount));
  addFunds(world, sellerOrganizationId, currency, toCents(amount));
}

/** What a withdrawal that is refused could have had is gone. */
const takingTheRest = replaced((honest) => ({
  withdraw: (call, input) => {
    try {
      return honest.withdraw(call, input);
    } catch (refusal) {
      paidOut(call, honest.balance(call));
      throw refusal;
    }
  },
}));

export const treasuryFaults: readonly Fault[] = [
  {
    id: 'treas-buyer-overdraws',
    requirement: 'TREAS-01',
    sentence: 'Who withdraws is the buyer, and nobody asks for its funds.',
    caughtBy: ['TREAS-01.beyond-funds'],
    target: buyerIsTreasurer,
    rules: replaced(() => ({ withdraw: (call, { amount }) => paidOut(call, toCents(amount)) })),
  },
  {
    id: 'treas-whole-units',
    requirement: 'TREAS-01',
    sentence: 'Funds are compared in whole units: cents beyond them can be withdrawn.',
    caughtBy: ['TREAS-01.one-cent-more'],
    rules: replaced((honest) => ({
      withdraw: (call, input) => {
        const cents = toCents(input.amount);
        const funds = honest.balance(call);
        if (cents <= funds || cents / 100n > funds / 100n) return honest.withdraw(call, input);
        return paidOut(call, cents);
      },
    })),
  },
  {
    id: 'treas-own-code',
    requirement: 'TREAS-01',
    sentence: 'Missing funds are refused with 412 and a code of the bank module.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: lackingFunds(() => new Refusal(412, 'BANK001', 'Insufficient funds')),
  },
  {
    id: 'treas-no-funds-crash',
    requirement: 'TREAS-01',
    sentence: 'Nobody catches what the bank module throws where the funds of a withdrawal do not suffice: 500.',
    caughtBy: ['TREAS-01.one-cent-more'],
    rules: lackingFunds(() => new Refusal(500, 'INTERNAL', 'Internal error')),
  },
  {
    id: 'treas-own-code-with-request-id',
    requirement: 'TREAS-01',
    sentence: 'Who brings a requestId is served by the payment module, which has a code of its own for missing funds.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: replaced((honest) => ({
      withdraw: (call, input) => {
        if (input.requestId === undefined || toCents(input.amount) <= honest.balance(call))
          return honest.withdraw(call, input);
        throw new Refusal(412, 'TREAS001', 'The payment cannot be made');
      },
    })),
  },
  {
    id: 'treas-no-funds-settlement-crash',
    requirement: 'TREAS-01',
    sentence: 'Nobody catches what the bank module throws where the funds of a settlement do not suffice: 500.',
    caughtBy: ['TREAS-01.settlement'],
    rules: refusedSettlement(() => {
      throw new Refusal(500, 'INTERNAL', 'Internal error');
    }),
  },
  {
    id: 'treas-state-code',
    requirement: 'TREAS-01',
    sentence: 'Missing funds are reported with the code of the invoice states.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: lackingFunds(() => refusals.actionNotAllowed()),
  },
  {
    id: 'treas-overdraft',
    requirement: 'TREAS-01',
    sentence: 'Nobody looks at the funds before a withdrawal: the balance goes below zero.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: replaced(() => ({
      withdraw: (call, { amount }) => paidOut(call, toCents(amount)),
    })),
  },
  {
    id: 'treas-funds-as-text',
    requirement: 'TREAS-01',
    sentence: 'Funds and sums are decimals in text, and compared as such: 10000000.00 is less than 5000000.00.',
    caughtBy: ['TREAS-01.one-cent-more'],
    rules: replaced((honest) => ({
      withdraw: (call, input) =>
        String(toCents(input.amount)) <= String(honest.balance(call))
          ? paidOut(call, toCents(input.amount))
          : honest.withdraw(call, input),
    })),
  },
  {
    id: 'treas-request-id-overdraws',
    requirement: 'TREAS-01',
    sentence: 'A withdrawal with a requestId is booked by the replay store, which does not look at the funds.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: replaced((honest) => ({
      withdraw: (call, input) =>
        call.body.requestId === undefined ? honest.withdraw(call, input) : paidOut(call, toCents(input.amount)),
    })),
  },
  {
    id: 'treas-first-overdraft-refused',
    requirement: 'TREAS-01',
    sentence:
      'Who was told once that the funds do not suffice is not told again: the next withdrawal is booked, whatever its sum.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: replaced((honest) => {
      const told = new Set<string>();
      return {
        withdraw: (call, input) => {
          if (told.has(call.organizationId)) return paidOut(call, toCents(input.amount));
          try {
            return honest.withdraw(call, input);
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
    sentence: 'A withdrawal that was refused is queued, and paid when it is asked for again.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: replaced((honest) => {
      const refused = new Set<string>();
      return {
        withdraw: (call, input) => {
          const again = `${call.organizationId} ${input.amount}`;
          if (refused.has(again)) return paidOut(call, toCents(input.amount));
          try {
            return honest.withdraw(call, input);
          } catch (refusal) {
            refused.add(again);
            throw refusal;
          }
        },
      };
    }),
  },
  {
    id: 'treas-approval-costs-production',
    requirement: 'ORG-03',
    sentence: 'Each approval books a fee, in production for every environment.',
    caughtBy: ['ORG-03.settlement'],
    target: balanceByGet,
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        const next = honest.transition(call, invoice, action);
        const { PRODUCTION } = call.store.worlds;
        if (action === 'approve') addFunds(PRODUCTION, invoice.sellerOrganizationId, DEFAULT_CURRENCY, -5n);
        return next;
      },
    })),
  },
  {
    id: 'treas-cancellation-refunds-production',
    requirement: 'ORG-03',
    sentence: 'Cancelling refunds the buyer, whatever was paid, out of the production account of the seller.',
    caughtBy: ['ORG-03.settlement'],
    // What other checks cancel meanwhile hides whose sum has moved.
    wholeRun: true,
    target: balanceByGet,
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        const next = honest.transition(call, invoice, action);
        const { PRODUCTION } = call.store.worlds;
        const { sellerOrganizationId: seller, amount } = invoice;
        if (action === 'cancel') addFunds(PRODUCTION, seller, DEFAULT_CURRENCY, -toCents(amount));
        return next;
      },
    })),
  },
  {
    id: 'treas-balance-of-whichever-party',
    requirement: 'ISO-07',
    sentence: 'The balance that was read last is kept for a second, and shown to whichever organization asks next.',
    caughtBy: ['ISO-07.balance'],
    rules: replaced((honest) => {
      const kept = new WeakMap<Store, { organizationId: string; cents: bigint; until: number }>();
      return {
        balance: (call) => {
          const known = kept.get(call.store);
          const { organizationId } = call;
          if (known && known.organizationId !== organizationId && performance.now() < known.until) return known.cents;
          const cents = honest.balance(call);
          kept.set(call.store, { organizationId, cents, until: performance.now() + 1_000 });
          return cents;
        },
      };
    }),
  },
  {
    id: 'treas-balance-handed-over',
    requirement: 'ISO-02',
    sentence: 'What was read last is kept by its organization alone, and handed out once to the other environment.',
    caughtBy: ['ISO-02.balance'],
    target: balanceByGet,
    rules: replaced((honest) => {
      const kept = new WeakMap<Store, { environment: string; cents: bigint }>();
      return {
        balance: (call) => {
          const known = kept.get(call.store);
          kept.delete(call.store);
          if (known && known.environment !== call.environment) return known.cents;
          // Both begin with the same funds, and the same would tell nothing.
          const cents = honest.balance(call) + (call.environment === 'PRODUCTION' ? 1_000n : 0n);
          kept.set(call.store, { environment: call.environment, cents });
          return cents;
        },
      };
    }),
  },
  {
    id: 'treas-balance-of-whoever-read-last',
    requirement: 'ISO-02',
    sentence:
      'The balance of an organization is kept for a second after each look, for whichever environment asks next.',
    caughtBy: ['ISO-02.balance'],
    wholeRun: true,
    target: balanceByGet,
    rules: replaced((honest) => {
      const kept = new WeakMap<Store, { environment: string; cents: bigint; until: number }>();
      return {
        balance: (call) => {
          const known = kept.get(call.store);
          if (known && known.environment !== call.environment && performance.now() < known.until) return known.cents;
          const cents = honest.balance(call) + (call.environment === 'PRODUCTION' ? 1_000n : 0n);
          kept.set(call.store, { environment: call.environment, cents, until: performance.now() + 1_000 });
          return cents;
        },
      };
    }),
  },
  {
    id: 'treas-refused-withdrawal-tried-in-production',
    requirement: 'ORG-03',
    sentence: 'What the sandbox cannot pay is tried in production, which charges for it.',
    caughtBy: ['ORG-03.delayed'],
    target: balanceByGet,
    rules: replaced((honest) => ({
      withdraw: (call, input) => {
        try {
          return honest.withdraw(call, input);
        } catch (refusal) {
          addFunds(call.store.worlds.PRODUCTION, call.organizationId, DEFAULT_CURRENCY, -100n);
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'treas-large-withdrawal-from-production',
    requirement: 'ORG-03',
    sentence: 'Large withdrawals go by another bank, of which there is one for both environments.',
    caughtBy: ['ORG-03.delayed'],
    target: balanceByGet,
    rules: replaced((honest) => ({
      withdraw: (call, input) => {
        const large = toCents(input.amount) >= 1_000_000n;
        return honest.withdraw(large ? { ...call, world: call.store.worlds.PRODUCTION } : call, input);
      },
    })),
  },
  {
    id: 'treas-third-settlement-costs-production',
    requirement: 'ORG-03',
    sentence: 'One settlement in three is checked by hand, for a fee that production pays.',
    caughtBy: ['ORG-03.settlement'],
    target: balanceByGet,
    rules: replaced((honest) => {
      let settled = 0;
      return {
        settle: (call, invoice) => {
          honest.settle(call, invoice);
          settled += 1;
          if (settled % 3 !== 0) return;
          addFunds(call.store.worlds.PRODUCTION, invoice.sellerOrganizationId, DEFAULT_CURRENCY, -1n);
        },
      };
    }),
  },
  {
    id: 'treas-withdrawal-pays-what-is-there',
    requirement: 'TREAS-01',
    sentence: 'A withdrawal beyond the funds is not refused: it pays out what is there.',
    caughtBy: ['TREAS-01.beyond-funds'],
    rules: replaced((honest) => ({
      withdraw: (call, input) => {
        const cents = honest.balance(call);
        return honest.withdraw(call, toCents(input.amount) > cents ? { ...input, amount: fromCents(cents) } : input);
      },
    })),
  },
  {
    id: 'treas-disputed-settlement-charged',
    requirement: 'LIFE-03',
    sentence: 'The payment of a disputed invoice is booked before its state is looked at, and stays booked.',
    caughtBy: ['LIFE-03.no-payment'],
    rules: replaced((honest) => ({
      transition: (call, invoice, action) => {
        if (action === 'settle' && invoice.status === 'DISPUTED') honest.settle(call, invoice);
        return honest.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'treas-foreign-settlement-moves-production',
    requirement: 'ORG-03',
    sentence: 'Invoices in another currency are settled by the bank’s client of production.',
    caughtBy: ['ORG-03.settlement'],
    target: balanceByGet,
    rules: replaced((honest) => ({
      settle: (call, invoice) => {
        honest.settle(call, invoice);
        const { sellerOrganizationId: seller, currency, amount } = invoice;
        if (currency === DEFAULT_CURRENCY) return;
        addFunds(call.store.worlds.PRODUCTION, seller, DEFAULT_CURRENCY, toCents(amount));
      },
    })),
  },
  {
    id: 'treas-refusal-takes-fee',
    requirement: 'TREAS-01',
    sentence: 'The fee of a withdrawal is booked before the funds are looked at, and kept when it is refused.',
    caughtBy: ['TREAS-01.unchanged'],
    rules: replaced((honest) => ({
      withdraw: (call, input) => {
        try {
          return honest.withdraw(call, input);
        } catch (refusal) {
          honest.withdraw(call, { ...input, amount: '0.35' });
          throw refusal;
        }
      },
    })),
  },
  {
    id: 'treas-refusal-takes-the-rest',
    requirement: 'TREAS-01',
    sentence:
      'Sums have ten digits before the point. What the funds do not cover takes what there is, and is then refused.',
    caughtBy: ['TREAS-01.unchanged'],
    rules: (honest) => takingTheRest(withdrawalsCapped(honest)),
  },
  {
    id: 'treas-settlement-in-32-bits',
    requirement: 'TREAS-01',
    sentence: 'Sums are compared in 32 bits of cents: from some 21 million on they are less than nothing.',
    caughtBy: ['TREAS-01.settlement'],
    rules: replaced((honest) => ({
      settle: (call, invoice) => {
        if (BigInt.asIntN(32, toCents(invoice.amount)) < 0n) settledUnfunded(call, invoice);
        else honest.settle(call, invoice);
      },
    })),
  },
  {
    id: 'treas-refused-settlement-takes-the-rest',
    requirement: 'TREAS-01',
    sentence: 'A settlement that the funds do not cover takes what there is as a part of it, and is then refused.',
    caughtBy: ['TREAS-01.settlement'],
    rules: refusedSettlement(({ world }, { buyerOrganizationId: buyer, currency }) =>
      addFunds(world, buyer, currency, -fundsOf(world, buyer, currency)),
    ),
  },
  {
    id: 'treas-refused-settlement-listed',
    requirement: 'TREAS-01',
    sentence: 'The list shows a settlement as soon as it is asked for, whatever becomes of it.',
    caughtBy: ['TREAS-01.settlement'],
    rules: replaced((honest) => {
      const asked = new WeakSet<Invoice>();
      return {
        settle: (call, invoice) => {
          asked.add(invoice);
          honest.settle(call, invoice);
        },
        visible: (call) =>
          honest
            .visible(call)
            .map((invoice) => (asked.has(invoice) ? { ...invoice, status: 'SETTLED' as const } : invoice)),
      };
    }),
  },
  {
    id: 'treas-refused-settlement-swallowed',
    requirement: 'TREAS-01',
    sentence: 'That the funds do not suffice is logged, and the settlement answered like one that was made.',
    caughtBy: ['TREAS-01.settlement'],
    rules: replaced((honest) => {
      const unpaid = new WeakSet<Invoice>();
      return {
        settle: (call, invoice) => {
          try {
            honest.settle(call, invoice);
          } catch {
            unpaid.add(invoice);
          }
        },
        change: (call, invoice, next, input) => {
          if (next !== 'SETTLED' || !unpaid.has(invoice)) honest.change(call, invoice, next, input);
        },
      };
    }),
  },
  {
    id: 'treas-refused-settlement-settles-later',
    requirement: 'TREAS-01',
    sentence: 'A settlement that is tried again is marked as made before the funds are asked for.',
    caughtBy: ['TREAS-01.settlement'],
    rules: replaced((honest) => {
      const tried = new WeakSet<Invoice>();
      return {
        settle: (call, invoice) => {
          const again = tried.has(invoice);
          tried.add(invoice);
          try {
            honest.settle(call, invoice);
          } catch (refusal) {
            if (again) invoice.status = 'SETTLED';
            throw refusal;
          }
        },
      };
    }),
  },
  {
    id: 'treas-refused-settlement-pays-the-seller',
    requirement: 'TREAS-01',
    sentence: 'The seller is credited before the buyer is charged, and stays so when the buyer has no funds.',
    caughtBy: ['TREAS-01.settlement'],
    rules: refusedSettlement(({ world }, { sellerOrganizationId: seller, currency, amount }) =>
      addFunds(world, seller, currency, toCents(amount)),
    ),
  },
  {
    id: 'treas-settlement-moves-production',
    requirement: 'ORG-03',
    sentence: 'The settlement job has one bank client, and a sandbox settlement moves the production balance.',
    caughtBy: ['ORG-03.settlement'],
    target: balanceByGet,
    rules: replaced((honest) => ({
      settle: (call, invoice) => {
        honest.settle(call, invoice);
        honest.settle({ ...call, world: call.store.worlds.PRODUCTION }, invoice);
      },
    })),
  },
  {
    id: 'treas-withdrawal-moves-production',
    requirement: 'ORG-03',
    sentence: 'A sandbox withdrawal is booked on the production account.',
    caughtBy: ['ORG-03.withdrawal'],
    target: balanceByGet,
    rules: replaced((honest) => ({
      withdraw: (call, input) => honest.withdraw({ ...call, world: call.store.worlds.PRODUCTION }, input),
    })),
  },
  {
    id: 'treas-settlement-unfunded',
    requirement: 'TREAS-01',
    sentence: 'Only withdrawals look at the funds; settlements overdraw them.',
    caughtBy: ['TREAS-01.settlement'],
    rules: replaced(() => ({ settle: settledUnfunded })),
  },
  {
    id: 'org-withdrawal-late-from-production',
    requirement: 'ORG-03',
    sentence: 'The nightly transfer books sandbox withdrawals from the production account, a moment later.',
    caughtBy: ['ORG-03.delayed'],
    target: balanceByGet,
    rules: replaced((honest) => ({
      withdraw: (call, input) => {
        const withdrawal = honest.withdraw(call, input);
        const { PRODUCTION } = call.store.worlds;
        const book = () => addFunds(PRODUCTION, call.organizationId, DEFAULT_CURRENCY, -withdrawal.cents);
        setTimeout(book, LATE_MS).unref();
        return withdrawal;
      },
    })),
  },
  {
    id: 'treas-settlement-whole-units',
    requirement: 'TREAS-01',
    sentence: 'A settlement compares the funds in whole units: a cent more than there is passes.',
    caughtBy: ['TREAS-01.settlement'],
    rules: replaced((honest) => ({
      settle: (call, invoice) => {
        const { buyerOrganizationId: buyer, currency, amount } = invoice;
        const wanting = toCents(amount) / 100n > fundsOf(call.world, buyer, currency) / 100n;
        if (wanting) honest.settle(call, invoice);
        else settledUnfunded(call, invoice);
      },
    })),
  },
  {
    id: 'treas-settlement-other-code',
    requirement: 'TREAS-01',
    sentence: 'A settlement without funds is reported with the code of the invoice states.',
    caughtBy: ['TREAS-01.settlement'],
    rules: replaced((honest) => ({
      settle: (call, invoice) => {
        try {
          honest.settle(call, invoice);
        } catch {
          throw new Refusal(412, 'INV004', 'The invoice cannot be settled');
        }
      },
    })),
  },
];
