import { overrideRules } from '../overrides/override-rules.ts';
import type { Variation } from '../overrides/server-overrides.ts';
import { addFunds } from '../rules/money/funds.ts';
import type { Call } from '../service/call.ts';
import { DEFAULT_CURRENCY, toCents } from '../service/money.ts';
import { rejections } from '../service/rejection.ts';
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
];
