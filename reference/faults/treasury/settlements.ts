import { overrideRules } from '../../overrides/override-rules.ts';
import { addFunds, availableFunds } from '../../rules/money/funds.ts';
import type { Call } from '../../service/call.ts';
import { toCents } from '../../service/money.ts';
import { RejectionError } from '../../service/rejection.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { onRejectedSettlement } from '../support/rejected-settlement.ts';

/** Whatever the funds are. */
function settledUnfunded(
  { world: environment }: Call,
  { amount, currency, buyerOrganizationId, sellerOrganizationId }: Invoice,
): void {
  addFunds(environment, buyerOrganizationId, currency, -toCents(amount));
  addFunds(environment, sellerOrganizationId, currency, toCents(amount));
}

export const treasurySettlementsFaults: readonly Fault[] = [
  {
    id: 'treas-no-funds-settlement-crash',
    requirement: 'TREAS-01',
    defect: 'Nobody catches what the bank module throws where the funds of a settlement do not suffice: 500.',
    caughtBy: ['TREAS-01.settlement'],
    rules: onRejectedSettlement(() => {
      throw new RejectionError(500, 'INTERNAL', 'Internal error');
    }),
  },
  {
    id: 'treas-settlement-in-32-bits',
    requirement: 'TREAS-01',
    defect: 'Sums are compared in 32 bits of cents: from some 21 million on they are less than nothing.',
    caughtBy: ['TREAS-01.settlement'],
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        if (BigInt.asIntN(32, toCents(invoice.amount)) < 0n) settledUnfunded(call, invoice);
        else base.settle(call, invoice);
      },
    })),
  },
  {
    id: 'treas-refused-settlement-takes-the-rest',
    requirement: 'TREAS-01',
    defect: 'A settlement that the funds do not cover takes what there is as a part of it, and is then refused.',
    caughtBy: ['TREAS-01.settlement'],
    rules: onRejectedSettlement(({ world: environment }, { buyerOrganizationId: buyer, currency }) =>
      addFunds(environment, buyer, currency, -availableFunds(environment, buyer, currency)),
    ),
  },
  {
    id: 'treas-refused-settlement-listed',
    requirement: 'TREAS-01',
    defect: 'The list shows a settlement as soon as it is asked for, whatever becomes of it.',
    caughtBy: ['TREAS-01.settlement'],
    rules: overrideRules((base) => {
      const asked = new WeakSet<Invoice>();
      return {
        settle: (call, invoice) => {
          asked.add(invoice);
          base.settle(call, invoice);
        },
        visibleInvoices: (call) =>
          base
            .visibleInvoices(call)
            .map((invoice) => (asked.has(invoice) ? { ...invoice, status: 'SETTLED' as const } : invoice)),
      };
    }),
  },
  {
    id: 'treas-refused-settlement-swallowed',
    requirement: 'TREAS-01',
    defect: 'That the funds do not suffice is logged, and the settlement answered like one that was made.',
    caughtBy: ['TREAS-01.settlement'],
    rules: overrideRules((base) => {
      const unpaid = new WeakSet<Invoice>();
      return {
        settle: (call, invoice) => {
          try {
            base.settle(call, invoice);
          } catch {
            unpaid.add(invoice);
          }
        },
        changeInvoice: (call, invoice, next, input) => {
          if (next !== 'SETTLED' || !unpaid.has(invoice)) base.changeInvoice(call, invoice, next, input);
        },
      };
    }),
  },
  {
    id: 'treas-refused-settlement-settles-later',
    requirement: 'TREAS-01',
    defect: 'A settlement that is tried again is marked as made before the funds are asked for.',
    caughtBy: ['TREAS-01.settlement'],
    rules: overrideRules((base) => {
      const tried = new WeakSet<Invoice>();
      return {
        settle: (call, invoice) => {
          const again = tried.has(invoice);
          tried.add(invoice);
          try {
            base.settle(call, invoice);
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
    defect: 'The seller is credited before the buyer is charged, and stays so when the buyer has no funds.',
    caughtBy: ['TREAS-01.settlement'],
    rules: onRejectedSettlement(({ world: environment }, { sellerOrganizationId: seller, currency, amount }) =>
      addFunds(environment, seller, currency, toCents(amount)),
    ),
  },
  {
    id: 'treas-settlement-unfunded',
    requirement: 'TREAS-01',
    defect: 'Only withdrawals look at the funds; settlements overdraw them.',
    caughtBy: ['TREAS-01.settlement'],
    rules: overrideRules(() => ({ settle: settledUnfunded })),
  },
  {
    id: 'treas-settlement-whole-units',
    requirement: 'TREAS-01',
    defect: 'A settlement compares the funds in whole units: a cent more than there is passes.',
    caughtBy: ['TREAS-01.settlement'],
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        const { buyerOrganizationId: buyer, currency, amount } = invoice;
        const wanting = toCents(amount) / 100n > availableFunds(call.world, buyer, currency) / 100n;
        if (wanting) base.settle(call, invoice);
        else settledUnfunded(call, invoice);
      },
    })),
  },
  {
    id: 'treas-settlement-other-code',
    requirement: 'TREAS-01',
    defect: 'A settlement without funds is reported with the code of the invoice states.',
    caughtBy: ['TREAS-01.settlement'],
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        try {
          base.settle(call, invoice);
        } catch {
          throw new RejectionError(412, 'INV004', 'The invoice cannot be settled');
        }
      },
    })),
  },
];
