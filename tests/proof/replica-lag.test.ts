import { describe, expect, test } from 'vitest';
import { judgeServer } from '../../cli/prove/judge-server.ts';
import { overrideRules, type RuleChange } from '../../reference/overrides/override-rules.ts';
import { rejections } from '../../reference/service/rejection.ts';
import type { Invoice } from '../../reference/service/store.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

const LAG_MS = 600;
const FAR_BEHIND_MS = 1500;
/** Long before and long after this run. */
const STILL = new Date('2031-05-05T05:05:05.000Z');

/** Whether an invoice is old enough to appear in the replicas. */
const old = ({ createdAt }: Invoice) => Date.now() - Date.parse(createdAt) > LAG_MS;

/** Adds invoices with later dates than all others. */
const withFuture = (count: number) =>
  overrideRules((honest) => {
    const filled = new WeakSet<object>();
    return {
      visibleInvoices: (call) => {
        const [one] = honest.visibleInvoices(call);
        if (one && call.environment === 'SANDBOX' && !filled.has(call.world)) {
          filled.add(call.world);
          for (let at = 0; at < count; at += 1) {
            const id = call.rules.newId();
            const createdAt = new Date(STILL.getTime() + at).toISOString();
            call.world.invoices.set(id, { ...one, id, createdAt, invoiceNumber: `FUTURE-${at}` });
          }
        }
        return honest.visibleInvoices(call);
      },
    };
  });

/** Conforming servers that are too slow for the variations of the proof, or leave too little to judge. */
const servers: [string, RuleChange, CheckId[]][] = [
  [
    'lists new invoices a little later',
    overrideRules((honest) => ({ visibleInvoices: (call) => honest.visibleInvoices(call).filter(old) })),
    ['LIST-02.counts-creations', 'LIST-04.first-is-zero', 'ENV-04.key-decides', 'IDEM-02.simultaneous'],
  ],
  [
    'finds new invoices a little later',
    overrideRules((honest) => ({
      findInvoice: (call, id) => {
        const found = honest.findInvoice(call, id);
        if (call.request.method === 'GET' && !old(found)) throw rejections.invoiceNotFound();
        return found;
      },
    })),
    ['ISO-05.deleted', 'IDEM-02.unchanged', 'CREATE-14.readable', 'LIFE-01.random-sequence', 'LIFE-10.random-sequence'],
  ],
  [
    'submits an invoice only after two requests',
    overrideRules((honest) => {
      const asked = new Set<string>();
      return {
        changeInvoice: (call, invoice, next, input) => {
          if (next !== 'SUBMITTED' || asked.has(invoice.id)) honest.changeInvoice(call, invoice, next, input);
          asked.add(invoice.id);
        },
      };
    }),
    ['IDEM-06.submit-letter-case', 'IDEM-06.submit-last-character', 'IDEM-08.submit-no-request-id'],
  ],
  [
    'has a stopped clock and no order among invoices of the same time',
    overrideRules((honest) => {
      let turn = 0;
      return {
        now: () => STILL,
        sort: (call, invoices, query) => {
          turn += 1;
          const at = (turn * 7) % Math.max(1, invoices.length);
          return honest.sort(call, [...invoices.slice(at), ...invoices.slice(0, at)], query);
        },
      };
    }),
    ['LIST-04.first-is-zero', 'LIST-08.walk', 'LIST-09.every-state', 'LIST-09.other-key', 'ENV-04.key-decides'],
  ],
  [
    'gets an invoice of another user between any two requests',
    overrideRules((honest) => ({
      validateQuery: (call) => {
        const connection = call.world.connections[0];
        const [sellerId, buyerId] = connection?.organizationIds ?? [];
        if (connection && sellerId && buyerId) {
          const input = { sellerId, buyerId, amount: '512.50', dueDate: '2027-06-30' };
          call.rules.issueInvoice(call, input, call.rules.nextInvoiceNumber(call, connection));
        }
        return honest.validateQuery(call);
      },
    })),
    ['LIST-08.walk', 'LIST-04.second-is-one', 'LIST-02.counts-creations', 'LIST-02.last-page', 'ISO-03.totals'],
  ],
  [
    'reads from two replicas in turn, one of which is late',
    overrideRules((honest) => {
      const history = new Map<string, { status: Invoice['status']; until: number }[]>();
      let turn = 0;
      return {
        changeInvoice: (call, invoice, next, input) => {
          const earlier = history.get(invoice.id) ?? [];
          history.set(invoice.id, [...earlier, { status: invoice.status, until: Date.now() + FAR_BEHIND_MS }]);
          honest.changeInvoice(call, invoice, next, input);
        },
        renderRead: (call, invoice) => {
          turn += 1;
          const shown = history.get(invoice.id)?.find(({ until }) => Date.now() < until);
          return honest.renderRead(call, shown && turn % 3 > 0 ? { ...invoice, status: shown.status } : invoice);
        },
      };
    }),
    ['LIFE-01.random-sequence', 'LIFE-02.random-sequence', 'LIFE-10.random-sequence'],
  ],
  [
    'shows changes by the counterparty late',
    overrideRules((honest) => {
      const history = new Map<string, { status: Invoice['status']; until: number }[]>();
      const lastBy = new Map<string, string>();
      return {
        changeInvoice: (call, invoice, next, input) => {
          const earlier = history.get(invoice.id) ?? [];
          history.set(invoice.id, [...earlier, { status: invoice.status, until: Date.now() + LAG_MS }]);
          lastBy.set(invoice.id, call.organizationId);
          honest.changeInvoice(call, invoice, next, input);
        },
        renderRead: (call, invoice) => {
          const shown = history.get(invoice.id)?.find(({ until }) => Date.now() < until);
          const own = lastBy.get(invoice.id) === call.organizationId;
          return honest.renderRead(call, shown && !own ? { ...invoice, status: shown.status } : invoice);
        },
      };
    }),
    [
      'LIFE-01.random-sequence',
      'LIFE-02.random-sequence',
      'LIFE-10.random-sequence',
      'LIFE-10.similar-invoice',
      'REC-15.read',
      'REC-15.read-as-listed',
    ],
  ],
  [
    'approves amounts below five automatically',
    overrideRules((honest) => ({
      changeInvoice: (call, invoice, next, input) => {
        honest.changeInvoice(call, invoice, next, input);
        if (next !== 'SUBMITTED' || Number(invoice.amount) >= 5) return;
        call.background.schedule(2, () => {
          if (invoice.status === 'SUBMITTED') invoice.status = 'APPROVED';
        });
      },
    })),
    ['LIFE-01.small', 'LIFE-03.small', 'LIFE-01.approved-settle'],
  ],
  [
    'has many invoices with future dates',
    withFuture(320),
    ['LIST-04.first-is-zero', 'LIST-08.walk', 'LIST-09.every-state', 'LIST-09.other-key', 'ENV-04.key-decides'],
  ],
  [
    'has some invoices with future dates',
    withFuture(40),
    ['LIST-04.first-is-zero', 'LIST-04.second-is-one', 'LIST-08.walk', 'LIST-09.every-state', 'ENV-04.key-decides'],
  ],
];

describe.concurrent('a conforming server that', () => {
  test.for(servers)('%s does not fail', { timeout: 120_000 }, async ([, rules, checks]) => {
    const judged = await judgeServer({ rules }, checks);
    const failed = judged.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
    expect(failed).toEqual([]);
  });
});
