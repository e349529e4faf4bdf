import { lifecycle } from '../../../specs/lifecycle.ts';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { ActionInput } from '../../service/inputs.ts';
import { DEFAULT_CURRENCY } from '../../service/money.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice, InvoiceStatus } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { offeredActions, offeredCheckId } from '../support/lifecycle.ts';

/** The answer to an action tells the state that it leads to, and sometimes nothing is stored. */
const toldNotStored = (
  action: 'submit' | 'settle',
  lost: (invoice: Invoice, input: ActionInput) => boolean,
): RuleChange =>
  overrideRules((base) => ({
    changeInvoice: (call, invoice, next, input) => {
      if (call.route.name !== action || !lost(invoice, input)) base.changeInvoice(call, invoice, next, input);
    },
    renderChanged: (call, invoice, performed) => {
      const told = performed === action ? { ...invoice, status: lifecycle.leadsTo[action] as InvoiceStatus } : invoice;
      return base.renderChanged(call, told, performed);
    },
  }));

export const lifecycleOfferedActionsFaults: readonly Fault[] = [
  /** An offered action is refused. */
  ...offeredActions.map(
    ({ state, action }): Fault => ({
      id: `life-${state.toLowerCase()}-${action}-refused`,
      requirement: 'LIFE-01',
      defect: `${action} in the state ${state} is refused with 412: the table of the state machine lacks the cell.`,
      caughtBy: [offeredCheckId({ state, action })],
      rules: overrideRules((base) => ({
        transition: (call, invoice, asked) => {
          if (asked === action && invoice.status === state) throw rejections.actionNotAllowed();
          return base.transition(call, invoice, asked);
        },
      })),
    }),
  ),
  {
    id: 'life-disputed-once-never-cancelled',
    requirement: 'LIFE-01',
    defect: 'What was disputed once is kept for the auditors: it cannot be cancelled any more.',
    caughtBy: ['LIFE-01.random-sequence'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'cancel' && invoice.notes.length > 0) throw rejections.actionNotAllowed();
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-disputed-once-never-approved',
    requirement: 'LIFE-01',
    defect: 'The mark of a dispute is never taken off: an invoice that was resolved cannot be approved any more.',
    caughtBy: ['LIFE-01.random-sequence'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'approve' && invoice.notes.length > 0) throw rejections.actionNotAllowed();
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-disputed-twice-never-approved',
    requirement: 'LIFE-01',
    defect: 'Whoever has disputed an invoice twice is asked for no approval of it any more.',
    caughtBy: ['LIFE-01.random-sequence'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'approve' && invoice.notes.length > 1) throw rejections.actionNotAllowed();
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-other-currency-crashes',
    requirement: 'LIFE-01',
    defect: 'Settlements look up the account of the currency, and there is one for the home currency only.',
    caughtBy: ['LIFE-01.other-currency'],
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        if (invoice.currency !== DEFAULT_CURRENCY) throw new TypeError('account is undefined');
        base.settle(call, invoice);
      },
    })),
  },
  {
    id: 'life-refusal-locks',
    requirement: 'LIFE-01',
    defect:
      'A settlement locks its invoice, and leaves the lock behind where it is refused: nothing cancels it any more.',
    caughtBy: ['LIFE-01.after-rejections'],
    rules: overrideRules((base) => {
      const locked = new Set<string>();
      return {
        transition: (call, invoice, action) => {
          if (action === 'settle' && invoice.status !== 'APPROVED') locked.add(invoice.id);
          if (action === 'cancel' && locked.has(invoice.id)) throw rejections.actionNotAllowed();
          return base.transition(call, invoice, action);
        },
      };
    }),
  },
  {
    id: 'life-viewed-not-cancelled',
    requirement: 'LIFE-01',
    defect: 'Once its buyer has seen it, an invoice is not cancelled any more, and the refusal blames the state.',
    caughtBy: ['LIFE-01.just-read'],
    rules: overrideRules((base) => {
      const viewed = new Set<string>();
      return {
        renderRead: (call, invoice) => {
          if (call.organizationId === invoice.buyerOrganizationId) viewed.add(invoice.id);
          return base.renderRead(call, invoice);
        },
        transition: (call, invoice, action) => {
          if (action === 'cancel' && viewed.has(invoice.id)) throw rejections.actionNotAllowed();
          return base.transition(call, invoice, action);
        },
      };
    }),
  },
  {
    id: 'life-identified-submission-not-stored',
    requirement: 'LIFE-01',
    defect:
      'With a requestId the answer is stored for replays, and the invoice is not: it is told SUBMITTED and stays a DRAFT.',
    caughtBy: ['LIFE-01.draft-submit'],
    rules: toldNotStored('submit', (_, { requestId }) => requestId !== undefined),
  },
  {
    id: 'life-large-not-approved',
    requirement: 'LIFE-01',
    defect:
      'From a hundred thousand on a column overflows, and the approval says that it is not to be had in this state.',
    caughtBy: ['LIFE-01.large'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'approve' && Number(invoice.amount) >= 100_000) throw rejections.actionNotAllowed();
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-large-not-cancelled',
    requirement: 'LIFE-01',
    defect: 'What is worth a hundred thousand is not cancelled, and the refusal blames the state.',
    caughtBy: ['LIFE-01.large'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'cancel' && Number(invoice.amount) >= 100_000) throw rejections.actionNotAllowed();
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-identified-not-deleted',
    requirement: 'LIFE-01',
    defect:
      'Who was created with a requestId has a row that points to it, and is not deleted: the refusal blames the state.',
    caughtBy: ['LIFE-01.all-fields'],
    rules: overrideRules((base) => {
      const identified = new Set<string>();
      return {
        issueInvoice: (call, input, invoiceNumber) => {
          const invoice = base.issueInvoice(call, input, invoiceNumber);
          if (input.requestId) identified.add(invoice.id);
          return invoice;
        },
        transition: (call, invoice, action) => {
          if (action === 'delete' && identified.has(invoice.id)) throw rejections.actionNotAllowed();
          return base.transition(call, invoice, action);
        },
      };
    }),
  },
  {
    id: 'life-small-not-disputed',
    requirement: 'LIFE-01',
    defect: 'Below ten nothing can be disputed, and the refusal blames the state.',
    caughtBy: ['LIFE-01.small'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'dispute' && Number(invoice.amount) < 10) throw rejections.actionNotAllowed();
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-cents-not-settled',
    requirement: 'LIFE-01',
    defect: 'What is less than one of its currency is not worth a payment, and the refusal blames the state.',
    caughtBy: ['LIFE-01.small'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'settle' && Number(invoice.amount) < 1) throw rejections.actionNotAllowed();
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-undescribed-not-settled',
    requirement: 'LIFE-01',
    defect: 'The update of a settlement joins the descriptions: without one it finds no row, and is told all the same.',
    caughtBy: ['LIFE-01.required-only'],
    rules: toldNotStored('settle', ({ description }) => !description),
  },
];
