import { overrideRules } from '../../overrides/override-rules.ts';
import { addFunds, availableFunds } from '../../rules/money/funds.ts';
import type { Call } from '../../service/call.ts';
import { toCents } from '../../service/money.ts';
import { RejectionError } from '../../service/rejection.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { onRejectedSettlement } from '../support/treasury.ts';

/** Ignores the funds. */
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
    defect: 'The error of the bank module for a settlement with insufficient funds is not caught: 500.',
    caughtBy: ['TREAS-01.settlement'],
    rules: onRejectedSettlement(() => {
      throw new RejectionError(500, 'INTERNAL', 'Internal error');
    }),
  },
  {
    id: 'treas-settlement-in-32-bits',
    requirement: 'TREAS-01',
    defect: 'Amounts are compared as 32-bit cents: from some 21 million on, they are negative.',
    caughtBy: ['TREAS-01.settlement'],
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        if (BigInt.asIntN(32, toCents(invoice.amount)) < 0n) settledUnfunded(call, invoice);
        else base.settle(call, invoice);
      },
    })),
  },
  {
    id: 'treas-rejected-settlement-pays-part',
    requirement: 'TREAS-01',
    defect: 'A settlement with insufficient funds pays a part, and is then rejected.',
    caughtBy: ['TREAS-01.settlement'],
    rules: onRejectedSettlement(({ world: environment }, { buyerOrganizationId: buyer, currency }) =>
      addFunds(environment, buyer, currency, -availableFunds(environment, buyer, currency)),
    ),
  },
  {
    id: 'treas-rejected-settlement-listed',
    requirement: 'TREAS-01',
    defect: 'The list shows a settlement as soon as it is requested, even if it is rejected.',
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
    id: 'treas-rejected-settlement-accepted',
    requirement: 'TREAS-01',
    defect: 'Insufficient funds are logged, and the settlement is reported as accepted.',
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
    id: 'treas-rejected-settlement-settles-later',
    requirement: 'TREAS-01',
    defect: 'A second attempt to settle is marked as paid before the funds are checked.',
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
    id: 'treas-rejected-settlement-credits-seller',
    requirement: 'TREAS-01',
    defect:
      "The seller is credited before the buyer is charged, and keeps the amount if the buyer's funds are insufficient.",
    caughtBy: ['TREAS-01.settlement'],
    rules: onRejectedSettlement(({ world: environment }, { sellerOrganizationId: seller, currency, amount }) =>
      addFunds(environment, seller, currency, toCents(amount)),
    ),
  },
  {
    id: 'treas-settlement-overdraws',
    requirement: 'TREAS-01',
    defect: 'Only withdrawals check the funds; settlements overdraw them.',
    caughtBy: ['TREAS-01.settlement'],
    rules: overrideRules(() => ({ settle: settledUnfunded })),
  },
  {
    id: 'treas-settlement-whole-units',
    requirement: 'TREAS-01',
    defect: 'A settlement compares the funds in whole units: one cent more than the balance passes.',
    caughtBy: ['TREAS-01.settlement'],
    traffic: 'full',
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
    defect: 'A settlement with insufficient funds is rejected with the code for the invoice state.',
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
