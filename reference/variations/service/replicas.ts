import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import { isParty } from '../../rules/access/visible-invoices.ts';
import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice } from '../../service/store.ts';

/** The earlier values of each key, so that a replica can show them later. */
class ChangeHistory<Value> {
  private readonly changes = new Map<string, { at: number; before: Value }[]>();

  /** Records the value of a key before it changes. */
  record(key: string, before: Value): void {
    const known = this.changes.get(key) ?? [];
    this.changes.set(key, [...known, { at: performance.now(), before }]);
  }

  /** The earlier value of a key at a time in the past, if it has changed since. */
  valueBefore(key: string, milliseconds: number): { before: Value } | undefined {
    const moment = performance.now() - milliseconds;
    return this.changes.get(key)?.find(({ at }) => at > moment);
  }

  keys(): IterableIterator<string> {
    return this.changes.keys();
  }
}

/** Reads for which `isStale` returns true come from a replica that is late by this many milliseconds. */
export const staleReads = (milliseconds: number, isStale: (call: Call) => boolean): RuleChange =>
  overrideRules((base) => {
    const pasts = { SANDBOX: new ChangeHistory<Invoice | null>(), PRODUCTION: new ChangeHistory<Invoice | null>() };
    const funds = new ChangeHistory<bigint>();
    const isBehind = (call: Call) => (call.request.method === 'GET' || call.route.name === 'balance') && isStale(call);
    const account = ({ environment, organizationId }: Call, of = organizationId) => `${environment} ${of}`;
    const parties = ({ buyerOrganizationId, sellerOrganizationId }: Invoice) => [
      buyerOrganizationId,
      sellerOrganizationId,
    ];
    return {
      issueInvoice: (call, input, number) => {
        const invoice = base.issueInvoice(call, input, number);
        pasts[call.environment].record(invoice.id, null);
        return invoice;
      },
      changeInvoice: (call, invoice, next, input) => {
        pasts[call.environment].record(invoice.id, { ...invoice });
        base.changeInvoice(call, invoice, next, input);
      },
      reset: (call) => {
        for (const invoice of base.visibleInvoices(call)) pasts[call.environment].record(invoice.id, { ...invoice });
        return base.reset(call);
      },
      settle: (call, invoice) => {
        const before = parties(invoice).map((of) => [of, base.balance({ ...call, organizationId: of })] as const);
        base.settle(call, invoice);
        for (const [of, cents] of before) funds.record(account(call, of), cents);
      },
      withdraw: (call, input) => {
        const before = base.balance(call);
        const withdrawal = base.withdraw(call, input);
        funds.record(account(call), before);
        return withdrawal;
      },
      balance: (call) => {
        const then = isBehind(call) ? funds.valueBefore(account(call), milliseconds) : undefined;
        return then ? then.before : base.balance(call);
      },
      visibleInvoices: (call) => {
        if (!isBehind(call)) return base.visibleInvoices(call);
        const now = new Map(call.world.invoices);
        const invoices = pasts[call.environment];
        for (const id of invoices.keys()) {
          const then = invoices.valueBefore(id, milliseconds);
          if (!then) continue;
          if (then.before) now.set(id, then.before);
          else now.delete(id);
        }
        const shown = [...now.values()].filter((invoice) => isParty(invoice, call.organizationId));
        return shown.sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
      },
      findInvoice: (call, id) => {
        const then = isBehind(call) ? pasts[call.environment].valueBefore(id, milliseconds) : undefined;
        if (!then) return base.findInvoice(call, id);
        if (!then.before || !isParty(then.before, call.organizationId)) throw rejections.invoiceNotFound();
        return then.before;
      },
    };
  });

/** Every second read comes from a late replica. */
export const staleSecondReads =
  (milliseconds: number): RuleChange =>
  (base) => {
    let reads = 0;
    const isSecond = () => {
      reads += 1;
      return reads % 2 === 0;
    };
    return staleReads(milliseconds, isSecond)(base);
  };

/** Reads and lists come from two replicas, one of which is late. */
export const replicaVariations: readonly Variation[] = [
  {
    id: 'second-reads-stale',
    openPoint: 'OP-29',
    choice: 'every second request from a replica that is a tenth of a second behind',
    rules: staleSecondReads(100),
  },
  {
    id: 'second-reads-very-stale',
    openPoint: 'OP-29',
    choice: 'every second request from a replica that is a second behind',
    rules: staleSecondReads(1000),
  },
];
