import { setTimeout as pause } from 'node:timers/promises';
import type { InvoiceAction } from '../../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import { rejections } from '../../service/rejection.ts';
import type { InvoiceStatus } from '../../service/store.ts';
import type { Fault } from '../fault.ts';

/** As long as a query of a nearby database. Without a lock, requests that arrive one by one still work. */
const RACE_MS = 2;

const readEarly = new WeakMap<Call, InvoiceStatus>();

/** The given actions read the row before an await and write it afterwards. */
function unlocked(id: string, actions: readonly InvoiceAction[], check: CheckId, inserts = true): Fault {
  return {
    id,
    requirement: 'LIFE-02',
    defect: `The state is checked before an await and written after it: concurrent ${actions.join(', ')} are all accepted.`,
    caughtBy: [check],
    routes: (base) =>
      base.map((route) => ({
        ...route,
        perform: async (call) => {
          const invoice = call.world.invoices.get(call.request.params.id ?? '');
          if (!invoice || !actions.some((action) => action === route.name)) return route.perform(call);
          const { status } = invoice;
          await pause(RACE_MS);
          // The update inserts a row that it does not find, so a deleted row is written back.
          if (inserts) call.world.invoices.set(invoice.id, invoice);
          readEarly.set(call, status);
          return route.perform(call);
        },
      })),
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) =>
        base.transition(call, { ...invoice, status: readEarly.get(call) ?? invoice.status }, action),
    })),
  };
}

export const lifecycleConcurrencyFaults: readonly Fault[] = [
  unlocked('life-concurrent-all-accepted', ['approve', 'dispute', 'cancel'], 'LIFE-02.simultaneous'),
  unlocked('life-settled-twice', ['settle'], 'LIFE-02.simultaneous-settle'),
  unlocked('life-resolved-twice', ['resolve'], 'LIFE-02.simultaneous-resolve'),
  {
    id: 'life-payment-before-lock',
    requirement: 'LIFE-02',
    defect:
      'A settlement books the payment before it waits for the row: rejected concurrent settlements are paid, too.',
    caughtBy: ['LIFE-02.paid-once'],
    routes: (base) => {
      const underWay = new Set<string>();
      return base.map((route) => ({
        ...route,
        perform: async (call) => {
          const invoice = call.world.invoices.get(call.request.params.id ?? '');
          if (!invoice || route.name !== 'settle') return route.perform(call);
          if (underWay.has(invoice.id)) {
            call.rules.settle(call, invoice);
            throw rejections.actionConflict();
          }
          underWay.add(invoice.id);
          await pause(RACE_MS);
          underWay.delete(invoice.id);
          return route.perform(call);
        },
      }));
    },
  },
  unlocked('life-submitted-and-deleted', ['submit', 'delete'], 'LIFE-02.simultaneous-draft'),
  unlocked('life-submitted-twice', ['submit'], 'LIFE-02.simultaneous-draft', false),
];
