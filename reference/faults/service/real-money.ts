import { overrideRules } from '../../overrides/override-rules.ts';
import { addFunds } from '../../rules/money/funds.ts';
import { DEFAULT_CURRENCY, toCents } from '../../service/money.ts';
import type { Fault } from '../fault.ts';
import { bindBalanceToGet } from '../support/treasury.ts';

const LATE_MS = 400;
const PAYOUT_MS = 3000;

export const serviceRealMoneyFaults: readonly Fault[] = [
  {
    id: 'treas-approval-costs-production',
    requirement: 'ORG-03',
    defect: 'Each approval books a fee in production, in both environments.',
    caughtBy: ['ORG-03.settlement'],
    target: bindBalanceToGet,
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        const next = base.transition(call, invoice, action);
        const { PRODUCTION } = call.store.worlds;
        if (action === 'approve') addFunds(PRODUCTION, invoice.sellerOrganizationId, DEFAULT_CURRENCY, -5n);
        return next;
      },
    })),
  },
  {
    id: 'treas-cancellation-refunds-production',
    requirement: 'ORG-03',
    defect: 'Cancelling refunds the buyer from the production account of the seller, even if nothing was paid.',
    caughtBy: ['ORG-03.settlement'],
    // Concurrent cancellations by other checks hide which amount changed the balance.
    traffic: 'smoke',
    target: bindBalanceToGet,
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        const next = base.transition(call, invoice, action);
        const { PRODUCTION } = call.store.worlds;
        const { sellerOrganizationId: seller, amount } = invoice;
        if (action === 'cancel') addFunds(PRODUCTION, seller, DEFAULT_CURRENCY, -toCents(amount));
        return next;
      },
    })),
  },
  {
    id: 'treas-rejected-withdrawal-tried-in-production',
    requirement: 'ORG-03',
    defect: 'A payment that the sandbox cannot make is tried in production, which charges a fee.',
    caughtBy: ['ORG-03.delayed'],
    takesEffectLater: true,
    target: bindBalanceToGet,
    rules: overrideRules((base) => ({
      withdraw: (call, input) => {
        try {
          return base.withdraw(call, input);
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
    defect: 'Large withdrawals use a second bank, which has one account for both environments.',
    caughtBy: ['ORG-03.delayed'],
    takesEffectLater: true,
    target: bindBalanceToGet,
    rules: overrideRules((base) => ({
      withdraw: (call, input) => {
        const large = toCents(input.amount) >= 1_000_000n;
        return base.withdraw(large ? { ...call, world: call.store.worlds.PRODUCTION } : call, input);
      },
    })),
  },
  {
    id: 'treas-third-settlement-costs-production',
    requirement: 'ORG-03',
    defect: 'One settlement in three is checked manually, for a fee from the production balance.',
    caughtBy: ['ORG-03.settlement'],
    target: bindBalanceToGet,
    rules: overrideRules((base) => {
      let settled = 0;
      return {
        settle: (call, invoice) => {
          base.settle(call, invoice);
          settled += 1;
          if (settled % 3 !== 0) return;
          addFunds(call.store.worlds.PRODUCTION, invoice.sellerOrganizationId, DEFAULT_CURRENCY, -1n);
        },
      };
    }),
  },
  {
    id: 'treas-other-currency-settlement-changes-production',
    requirement: 'ORG-03',
    defect: 'Invoices in another currency are settled by the production client of the bank.',
    caughtBy: ['ORG-03.settlement'],
    target: bindBalanceToGet,
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        base.settle(call, invoice);
        const { sellerOrganizationId: seller, currency, amount } = invoice;
        if (currency === DEFAULT_CURRENCY) return;
        addFunds(call.store.worlds.PRODUCTION, seller, DEFAULT_CURRENCY, toCents(amount));
      },
    })),
  },
  {
    id: 'treas-settlement-changes-production',
    requirement: 'ORG-03',
    defect: 'The settlement job has one bank client, so a sandbox settlement changes the production balance.',
    caughtBy: ['ORG-03.settlement'],
    target: bindBalanceToGet,
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        base.settle(call, invoice);
        base.settle({ ...call, world: call.store.worlds.PRODUCTION }, invoice);
      },
    })),
  },
  {
    id: 'treas-large-settlement-credits-production',
    requirement: 'ORG-03',
    defect: 'Settlements of 1,000.00 or more use the payment client of production, which credits the seller there.',
    caughtBy: ['ORG-03.settlement'],
    target: bindBalanceToGet,
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        base.settle(call, invoice);
        const cents = toCents(invoice.amount);
        if (cents < 100_000n) return;
        addFunds(call.store.worlds.PRODUCTION, invoice.sellerOrganizationId, DEFAULT_CURRENCY, cents);
      },
    })),
  },
  {
    id: 'treas-settlement-credits-production-later',
    requirement: 'ORG-03',
    defect: 'The payout job credits sandbox settlements to the production account of the seller, three seconds later.',
    caughtBy: ['ORG-03.delayed'],
    takesEffectLater: true,
    target: bindBalanceToGet,
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        base.settle(call, invoice);
        const { PRODUCTION } = call.store.worlds;
        const pay = () => addFunds(PRODUCTION, invoice.sellerOrganizationId, DEFAULT_CURRENCY, toCents(invoice.amount));
        setTimeout(pay, PAYOUT_MS).unref();
      },
    })),
  },
  {
    id: 'treas-withdrawal-changes-production',
    requirement: 'ORG-03',
    defect: 'A sandbox withdrawal is booked on the production account.',
    caughtBy: ['ORG-03.withdrawal'],
    target: bindBalanceToGet,
    rules: overrideRules((base) => ({
      withdraw: (call, input) => base.withdraw({ ...call, world: call.store.worlds.PRODUCTION }, input),
    })),
  },
  {
    id: 'org-withdrawal-late-from-production',
    requirement: 'ORG-03',
    defect: 'The nightly transfer books sandbox withdrawals on the production account, a moment later.',
    caughtBy: ['ORG-03.delayed'],
    takesEffectLater: true,
    target: bindBalanceToGet,
    rules: overrideRules((base) => ({
      withdraw: (call, input) => {
        const withdrawal = base.withdraw(call, input);
        const { PRODUCTION } = call.store.worlds;
        const book = () => addFunds(PRODUCTION, call.organizationId, DEFAULT_CURRENCY, -withdrawal.cents);
        setTimeout(book, LATE_MS).unref();
        return withdrawal;
      },
    })),
  },
];
