import { overrideRules, type RuleChange } from '../overrides/override-rules.ts';
import type { Variation } from '../overrides/server-overrides.ts';
import { addFunds } from '../rules/money/funds.ts';
import type { Call } from '../service/call.ts';
import { transitions } from '../service/lifecycle.ts';
import { DEFAULT_CURRENCY, toCents } from '../service/money.ts';
import { RejectionError, rejections } from '../service/rejection.ts';
import { capWithdrawals } from './support/withdrawals-capped.ts';

const RESET_LANDS_MS = 200;
const LIMITED_EVERY = 450;

/** Returns 429 for some requests, with the reset time in this form. */
const limiting = (header: () => string): RuleChange =>
  overrideRules(() => {
    let count = 0;
    return {
      throttle: () => {
        count += 1;
        if (count % LIMITED_EVERY !== 0) return;
        throw new RejectionError(429, 'RATE001', 'Too many requests', undefined, { 'X-RateLimit-Reset': header() });
      },
    };
  });

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

/** Variations of reset, treasury, permissions and quota. */
export const limitAndTreasuryVariations: readonly Variation[] = [
  {
    id: 'reset-requires-object',
    openPoint: 'OP-72',
    choice: 'an empty object',
    rules: overrideRules((base) => ({
      validateReset: (call) => {
        if (call.request.text === '') throw rejections.unreadableBody('A JSON object is required');
        base.validateReset(call);
      },
    })),
  },
  {
    id: 'reset-later',
    openPoint: 'OP-74',
    choice: 'a fifth of a second after its response',
    rules: overrideRules((base) => ({
      reset: (call) => {
        call.background.schedule(RESET_LANDS_MS, () => base.reset(call));
        return { apiKeys: 0, logs: 0, invoices: 0, bookings: 0 };
      },
    })),
  },
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
    id: 'existence-before-permission',
    openPoint: 'OP-81',
    choice: 'after existence, so that an unknown id gets 404 from a read-only key, too',
    rules: overrideRules((base) => ({
      authorize: (call) => {
        if (!Object.hasOwn(transitions, call.route.name)) base.authorize(call);
      },
      findInvoice: (call, id) => {
        const invoice = base.findInvoice(call, id);
        base.authorize(call);
        return invoice;
      },
      // A stored response is not returned to a key without permission.
      replay: async (call, key, perform) => {
        const { id } = call.request.params;
        if (id !== undefined && Object.hasOwn(transitions, call.route.name)) call.rules.findInvoice(call, id);
        return await base.replay(call, key, perform);
      },
    })),
  },
  {
    id: 'rate-limit-reset-epoch-seconds',
    openPoint: 'OP-109',
    choice: 'seconds of the epoch',
    rules: limiting(() => String(Math.ceil(Date.now() / 1000) + 1)),
  },
  {
    id: 'rate-limit-reset-epoch-milliseconds',
    openPoint: 'OP-109',
    choice: 'milliseconds of the epoch',
    rules: limiting(() => String(Date.now() + 300)),
  },
  {
    id: 'rate-limit-reset-date',
    openPoint: 'OP-109',
    choice: 'an HTTP date',
    rules: limiting(() => new Date(Date.now() + 1_000).toUTCString()),
  },
];
