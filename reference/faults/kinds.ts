import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction } from '../../specs/lifecycle.ts';
import { replaced } from '../overrides/override-rules.ts';
import type { Call } from '../service/call.ts';
import { transitions } from '../service/lifecycle.ts';
import { toCents } from '../service/money.ts';
import { refusals } from '../service/refusal.ts';
import type { Invoice } from '../service/store.ts';
import type { Fault } from './fault.ts';

const LARGE_CENTS = 10_000_000n;

const isRead = ({ request }: Call) => request.method === 'GET';
const sandboxOf = ({ store }: Call) => store.worlds.SANDBOX;
const isBuyer = ({ organizationId }: Call, invoice: Invoice) => invoice.buyerOrganizationId === organizationId;

interface Move {
  sentence: string;
  caughtBy: CheckId;
  action: InvoiceAction;
  when: (invoice: Invoice) => boolean;
}

/** An action that invoices of one kind are let do in a state that does not offer it. */
function moves(id: string, { sentence, caughtBy, action, when }: Move): Fault {
  return {
    id,
    requirement: 'LIFE-02',
    sentence,
    caughtBy: [caughtBy],
    rules: replaced((honest) => ({
      transition: (call, invoice, asked) =>
        asked === action && when(invoice) ? transitions[action].to : honest.transition(call, invoice, asked),
    })),
  };
}

/** What is right for most invoices is wrong for those of one kind. */
export const kindFaults: readonly Fault[] = [
  {
    id: 'list-drops-large',
    requirement: 'LIST-09',
    sentence: 'What waits for the treasurer, from 100,000 on, is a view of its own, and not in the list.',
    caughtBy: ['LIST-09.every-variant'],
    rules: replaced((honest) => ({
      visible: (call) => honest.visible(call).filter(({ amount }) => toCents(amount) < LARGE_CENTS),
    })),
  },
  {
    id: 'list-drops-undescribed-for-buyers',
    requirement: 'LIST-14',
    sentence: "The buyer's list joins the texts: an invoice without a description is not in it.",
    caughtBy: ['LIST-14.every-variant'],
    rules: replaced((honest) => ({
      visible: (call) =>
        honest
          .visible(call)
          .filter((invoice) => !isBuyer(call, invoice) || !isRead(call) || invoice.description !== undefined),
    })),
  },
  {
    id: 'list-small-unread-by-buyer',
    requirement: 'LIST-14',
    sentence: 'A buyer who reads what needs no approval, below 5.00, gets 404.',
    caughtBy: ['LIST-14.reads-every-variant'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const invoice = honest.findInvoice(call, id);
        if (isRead(call) && isBuyer(call, invoice) && toCents(invoice.amount) < 500n) throw refusals.invoiceNotFound();
        return invoice;
      },
    })),
  },
  {
    id: 'iso-resolved-for-production',
    requirement: 'ISO-01',
    sentence: 'Disputes are kept in one place for both environments: production reads whatever was disputed.',
    caughtBy: ['ISO-01.every-variant'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const disputed = sandboxOf(call).invoices.get(id);
        return isRead(call) && disputed && disputed.notes.length > 0 ? disputed : honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-settled-counted-in-production',
    requirement: 'ISO-03',
    sentence: 'The count of production holds the payments of either environment.',
    caughtBy: ['ISO-03.every-state'],
    rules: replaced((honest) => ({
      page: (call, invoices, query) => {
        const paid = honest.visible({ ...call, world: sandboxOf(call) }).filter(({ status }) => status === 'SETTLED');
        const total = invoices.length + (call.environment === 'PRODUCTION' ? paid.length : 0);
        return { ...honest.page(call, invoices, query), total, totalPages: Math.ceil(total / query.limit) };
      },
    })),
  },
  {
    id: 'iso-other-currency-of-anybody',
    requirement: 'ISO-04',
    sentence: 'Invoices in other currencies are read from the table of the exchange desk, which knows no owners.',
    caughtBy: ['ISO-04.every-variant'],
    rules: replaced((honest) => ({
      findInvoice: (call, id) => {
        const found = call.world.invoices.get(id);
        return isRead(call) && found && found.currency !== 'EUR' ? found : honest.findInvoice(call, id);
      },
    })),
  },
  {
    id: 'iso-resolved-cancelled-by-anybody',
    requirement: 'ISO-04',
    sentence: 'Mediators may cancel what was disputed, and whether somebody is one is not asked.',
    caughtBy: ['ISO-04.act-on-every-variant'],
    rules: replaced((honest) => {
      const mayMediate = (call: Call, invoice: Invoice | undefined): invoice is Invoice =>
        call.route.name === 'cancel' && invoice !== undefined && invoice.notes.length > 0;
      return {
        findInvoice: (call, id) => {
          const found = call.world.invoices.get(id);
          return mayMediate(call, found) ? found : honest.findInvoice(call, id);
        },
        checkParty: (call, invoice, action) => {
          if (!mayMediate(call, invoice)) honest.checkParty(call, invoice, action);
        },
      };
    }),
  },
  moves('life-small-approved-disputed', {
    sentence: 'Below one unit nothing is booked: what is APPROVED can still be disputed.',
    caughtBy: 'LIFE-02.small',
    action: 'dispute',
    when: ({ status, amount }) => status === 'APPROVED' && toCents(amount) < 100n,
  }),
  moves('life-large-approved-cancelled', {
    sentence: 'From 100,000 on a second person approves; until then, an APPROVED invoice can be cancelled.',
    caughtBy: 'LIFE-02.large',
    action: 'cancel',
    when: ({ status, amount }) => status === 'APPROVED' && toCents(amount) >= LARGE_CENTS,
  }),
  moves('life-settled-disputed-again', {
    sentence: 'What was disputed once may be disputed again, in whatever state it is.',
    caughtBy: 'LIFE-02.once-disputed',
    action: 'dispute',
    when: ({ notes }) => notes.length > 0,
  }),
];
