import { setTimeout as pause } from 'node:timers/promises';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import { addFunds, availableFunds } from '../../rules/money/funds.ts';
import type { Call, Route } from '../../service/call.ts';
import { DEFAULT_CURRENCY, toCents } from '../../service/money.ts';
import type { Invoice } from '../../service/store.ts';
import type { Fault } from '../fault.ts';

/** As long as a query of a nearby database. */
const RACE_MS = 3;
const LATE_MS = 600;

/** The funds of both parties or of the caller, as read before the other queries of a request. */
const readEarly = new WeakMap<Call, Map<string, bigint>>();

const partiesOf = (call: Call): string[] => {
  const invoice = call.world.invoices.get(call.request.params.id ?? '');
  return invoice ? [invoice.buyerOrganizationId, invoice.sellerOrganizationId] : [call.organizationId];
};

/** An operation reads the funds, waits for other queries, and then writes the new value. */
const readModifyWrite =
  (name: 'withdraw' | 'settle') =>
  (base: readonly Route[]): Route[] =>
    base.map((route) => ({
      ...route,
      perform: async (call) => {
        if (route.name !== name) return await route.perform(call);
        const funds = (of: string) => [of, availableFunds(call.world, of, DEFAULT_CURRENCY)] as const;
        readEarly.set(call, new Map(partiesOf(call).map(funds)));
        await pause(RACE_MS);
        return await route.perform(call);
      },
    }));

/** Writes the funds that were read early, changed by the payment. */
function writeBack(call: Call, pay: () => void, only?: string): void {
  const early = [...(readEarly.get(call) ?? [])].filter(([of]) => only === undefined || of === only);
  const now = new Map(early.map(([of]) => [of, availableFunds(call.world, of, DEFAULT_CURRENCY)]));
  pay();
  for (const [of, then] of early) addFunds(call.world, of, DEFAULT_CURRENCY, then - (now.get(of) ?? then));
}

const afterSettlement = (more: (call: Call, invoice: Invoice) => void): RuleChange =>
  overrideRules((base) => ({
    settle: (call, invoice) => {
      base.settle(call, invoice);
      more(call, invoice);
    },
  }));

const credit = ({ world }: Call, of: string, { currency, amount }: Invoice, sign: 1n | -1n) =>
  addFunds(world, of, currency, sign * toCents(amount));

interface PaymentFault {
  requirement: string;
  defect: string;
  caughtBy: CheckId;
  rules: RuleChange;
  late?: true;
}

const paymentFault = (id: string, { caughtBy, late, ...fault }: PaymentFault): Fault => ({
  id,
  caughtBy: [caughtBy],
  ...(late && { takesEffectLater: true as const }),
  ...fault,
});

export const treasuryConcurrentPaymentsFaults: readonly Fault[] = [
  {
    id: 'treas-withdrawals-overwrite',
    requirement: 'IDEM-06',
    defect: 'A withdrawal reads the balance, waits for the bank, and writes the difference: concurrent ones are lost.',
    caughtBy: ['IDEM-06.withdraw-simultaneous'],
    routes: readModifyWrite('withdraw'),
    rules: overrideRules((base) => ({
      withdraw: (call, input) => {
        const paid: ReturnType<typeof base.withdraw>[] = [];
        writeBack(call, () => paid.push(base.withdraw(call, input)));
        return paid[0] as ReturnType<typeof base.withdraw>;
      },
    })),
  },
  {
    id: 'treas-settlements-overwrite',
    requirement: 'LIFE-04',
    defect:
      'A settlement reads both balances before it locks the invoice: concurrent settlements overwrite each other.',
    caughtBy: ['LIFE-04.simultaneous-settlements'],
    routes: readModifyWrite('settle'),
    rules: overrideRules((base) => ({
      settle: (call, invoice) => writeBack(call, () => base.settle(call, invoice)),
    })),
  },
  {
    id: 'treas-credits-overwrite',
    requirement: 'LIFE-04',
    defect: "Only the buyer's account is locked: concurrent settlements overwrite the seller's balance.",
    caughtBy: ['LIFE-04.simultaneous-settlements'],
    routes: readModifyWrite('settle'),
    rules: overrideRules((base) => ({
      settle: (call, invoice) => writeBack(call, () => base.settle(call, invoice), invoice.sellerOrganizationId),
    })),
  },
  paymentFault('treas-settlement-charged-again', {
    requirement: 'LIFE-04',
    defect: 'The payment job does not mark its work: half a second later, the buyer is charged a second time.',
    caughtBy: 'LIFE-04.paid-once',
    late: true,
    rules: afterSettlement((call, invoice) =>
      call.background.schedule(LATE_MS, () => credit(call, invoice.buyerOrganizationId, invoice, -1n)),
    ),
  }),
  paymentFault('treas-settlement-credited-twice', {
    requirement: 'LIFE-04',
    defect: 'The booking and the event of the booking both credit the seller.',
    caughtBy: 'LIFE-04.paid-once',
    rules: afterSettlement((call, invoice) => credit(call, invoice.sellerOrganizationId, invoice, 1n)),
  }),
  paymentFault('treas-rejected-withdrawal-retried', {
    requirement: 'TREAS-01',
    defect:
      'A withdrawal rejected for insufficient funds stays in the queue, and is paid as soon as a settlement brings funds.',
    caughtBy: 'TREAS-01.no-delayed-payment',
    late: true,
    rules: overrideRules((base) => {
      const queue: { organizationId: string; cents: bigint }[] = [];
      const payQueued = ({ world }: Call) => {
        for (const { organizationId, cents } of queue.splice(0)) {
          if (availableFunds(world, organizationId, DEFAULT_CURRENCY) < cents) queue.push({ organizationId, cents });
          else addFunds(world, organizationId, DEFAULT_CURRENCY, -cents);
          if (queue.length > 0) break;
        }
      };
      return {
        withdraw: (call, input) => {
          try {
            return base.withdraw(call, input);
          } catch (refusal) {
            queue.unshift({ organizationId: call.organizationId, cents: toCents(input.amount) });
            throw refusal;
          }
        },
        settle: (call, invoice) => {
          base.settle(call, invoice);
          call.background.schedule(LATE_MS, () => payQueued(call));
        },
      };
    }),
  }),
  paymentFault('idem-withdrawal-replay-queued', {
    requirement: 'IDEM-04',
    defect: 'A replayed withdrawal returns the stored response, and its message is paid again half a second later.',
    caughtBy: 'IDEM-04.no-second-effect',
    late: true,
    rules: overrideRules((base) => ({
      replay: (call, key, perform) => {
        const isReplay = key !== undefined && call.route.name === 'withdraw' && call.world.replays.has(key);
        if (isReplay) call.background.schedule(LATE_MS, () => void perform());
        return base.replay(call, key, perform);
      },
    })),
  }),
];
