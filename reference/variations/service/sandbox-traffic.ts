import { overrideRules } from '../../overrides/override-rules.ts';
import type { Variation } from '../../overrides/server-overrides.ts';
import type { Call } from '../../service/call.ts';
import { RejectionError } from '../../service/rejection.ts';
import type { Connection, Invoice } from '../../service/store.ts';

const LAG_MS = 100;
/** The buyer's rule decides on invoices below this amount, this long after the submission. */
const [SMALL_SUM, RULE_MS] = [30, 250];
const PAYMENT_RUN_MS = 6_000;
const DAY_MS = 86_400_000;
const EVERY = 150;
/** Due earlier than the kit's own invoices, from which a list without descriptions could not distinguish them. */
const STRANGERS_DUE_DAYS = 20;

/** The content of a list before the latest change of an invoice; null if the list did not show it. */
interface PreviousListing {
  until: number;
  invoice: Invoice | null;
}

/** Tries a second number if the first one is taken, because the error must not reach the caller, who only lists. */
function strangersNumber(call: Call, connection: Connection): string {
  try {
    return call.rules.nextInvoiceNumber(call, connection);
  } catch (error) {
    if (!(error instanceof RejectionError)) throw error;
    return call.rules.nextInvoiceNumber(call, connection);
  }
}

/** Late lists, other users of the sandbox, and spontaneous changes of invoices. */
export const sandboxTrafficVariations: readonly Variation[] = [
  {
    id: 'lists-lag',
    openPoint: 'OP-29',
    choice: 'from a replica that is a tenth of a second behind',
    rules: overrideRules((base) => {
      const earlier = new Map<string, PreviousListing>();
      const remember = (id: string, shown: Invoice | null) => {
        const known = earlier.get(id);
        const stillHeld = known !== undefined && known.until > Date.now();
        earlier.set(id, { until: Date.now() + LAG_MS, invoice: stillHeld ? known.invoice : shown });
      };
      return {
        issueInvoice: (call, input, number) => {
          const invoice = base.issueInvoice(call, input, number);
          remember(invoice.id, null);
          return invoice;
        },
        changeInvoice: (call, invoice, next, input) => {
          remember(invoice.id, { ...invoice });
          base.changeInvoice(call, invoice, next, input);
        },
        visibleInvoices: (call) =>
          base.visibleInvoices(call).flatMap((invoice) => {
            const held = earlier.get(invoice.id);
            if (!held || held.until <= Date.now()) return [invoice];
            return held.invoice ? [held.invoice] : [];
          }),
      };
    }),
  },
  {
    id: 'busy-sandbox',
    openPoint: 'OP-30',
    choice: 'other users, who create invoices for the same organizations',
    rules: overrideRules((base) => {
      let count = 0;
      return {
        validateQuery: (call) => {
          count += 1;
          const connection = call.world.connections[0];
          const [sellerId, buyerId] = connection?.organizationIds ?? [];
          if (count % EVERY === 0 && connection && sellerId && buyerId && call.environment === 'SANDBOX') {
            const dueDate = new Date(Date.now() + STRANGERS_DUE_DAYS * DAY_MS).toISOString().slice(0, 10);
            const input = { sellerId, buyerId, amount: '512.50', dueDate };
            call.rules.issueInvoice(call, input, strangersNumber(call, connection));
          }
          return base.validateQuery(call);
        },
      };
    }),
  },
  {
    id: 'paid-when-due',
    openPoint: 'OP-61',
    choice: 'an approved invoice is paid if it is due within a week',
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        const due = Date.parse(invoice.dueDate) - Date.now() < 7 * DAY_MS;
        if (next === 'APPROVED' && due) {
          call.background.schedule(50, () => {
            if (invoice.status === 'APPROVED') invoice.status = 'SETTLED';
          });
        }
      },
    })),
  },
  {
    id: 'small-approved-automatically',
    openPoint: 'OP-61',
    choice: 'a submitted invoice with a small amount is approved by a rule of the buyer',
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        if (next !== 'SUBMITTED' || Number(invoice.amount) >= SMALL_SUM) return;
        call.background.schedule(RULE_MS, () => {
          if (invoice.status === 'SUBMITTED') invoice.status = 'APPROVED';
        });
      },
    })),
  },
  {
    id: 'paid-in-batches',
    openPoint: 'OP-61',
    choice: 'approved invoices are paid in a batch every six seconds',
    rules: overrideRules((base) => {
      const approvedIn = new Map<string, number>();
      const run = () => Math.floor(Date.now() / PAYMENT_RUN_MS);
      const paid = (invoice: Invoice) => {
        const since = approvedIn.get(invoice.id);
        if (invoice.status === 'APPROVED' && since !== undefined && since < run()) invoice.status = 'SETTLED';
        return invoice;
      };
      return {
        changeInvoice: (call, invoice, next, input) => {
          base.changeInvoice(call, invoice, next, input);
          if (next === 'APPROVED') approvedIn.set(invoice.id, run());
        },
        visibleInvoices: (call) => base.visibleInvoices(call).map(paid),
        findInvoice: (call, id) => paid(base.findInvoice(call, id)),
      };
    }),
  },
  {
    id: 'drafts-expire',
    openPoint: 'OP-61',
    choice: 'a draft expires after a day',
    rules: overrideRules((base) => ({
      visibleInvoices: (call) => {
        for (const invoice of call.world.invoices.values()) {
          const expired = Date.now() - Date.parse(invoice.createdAt) > DAY_MS;
          if (expired && invoice.status === 'DRAFT') invoice.status = 'CANCELLED';
        }
        return base.visibleInvoices(call);
      },
    })),
  },
];
