import { lifecycle } from '../../../specs/contract/lifecycle.ts';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { ActionInput } from '../../service/inputs.ts';
import { DEFAULT_CURRENCY } from '../../service/money.ts';
import { rejections } from '../../service/rejection.ts';
import type { Invoice, InvoiceStatus } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { offeredActions, offeredCheckId } from '../support/lifecycle.ts';

/** The response to an action shows its result, but the state is sometimes not stored. */
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
  /** Rejects an offered action. */
  ...offeredActions.map(
    ({ state, action }): Fault => ({
      id: `life-${state.toLowerCase()}-${action}-rejected`,
      requirement: 'LIFE-01',
      defect: `${action} in the state ${state} is rejected with 412: the table of the state machine lacks an entry.`,
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
    defect: 'An invoice that was once disputed cannot be cancelled, because auditors keep it.',
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
    defect: 'The mark of a dispute is never removed: a resolved invoice cannot be approved.',
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
    defect: 'After the second dispute of an invoice, its buyer cannot approve it.',
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
    defect: 'Settlements look up the account of the currency, and only the home currency has an account.',
    caughtBy: ['LIFE-01.other-currency'],
    rules: overrideRules((base) => ({
      settle: (call, invoice) => {
        if (invoice.currency !== DEFAULT_CURRENCY) throw new TypeError('account is undefined');
        base.settle(call, invoice);
      },
    })),
  },
  {
    id: 'life-rejection-locks',
    requirement: 'LIFE-01',
    defect: 'A rejected settlement does not release its lock: the invoice can no longer be cancelled.',
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
    defect: 'After the buyer has read an invoice, it can no longer be cancelled, and the error blames the state.',
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
    id: 'life-submission-with-request-id-not-stored',
    requirement: 'LIFE-01',
    defect:
      'With a requestId, the response is stored for replays but the invoice is not: the response shows SUBMITTED and the invoice stays a DRAFT.',
    caughtBy: ['LIFE-01.draft-submit'],
    rules: toldNotStored('submit', (_, { requestId }) => requestId !== undefined),
  },
  {
    id: 'life-large-not-approved',
    requirement: 'LIFE-01',
    defect: 'From an amount of 100,000, a column overflows and the approval is rejected as not allowed in this state.',
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
    defect: 'An invoice of 100,000 or more cannot be cancelled, and the error blames the state.',
    caughtBy: ['LIFE-01.large'],
    rules: overrideRules((base) => ({
      transition: (call, invoice, action) => {
        if (action === 'cancel' && Number(invoice.amount) >= 100_000) throw rejections.actionNotAllowed();
        return base.transition(call, invoice, action);
      },
    })),
  },
  {
    id: 'life-with-request-id-not-deleted',
    requirement: 'LIFE-01',
    defect:
      'An invoice created with a requestId cannot be deleted because another row references it, and the error blames the state.',
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
    defect: 'An invoice below 10 cannot be disputed, and the error blames the state.',
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
    defect: 'An invoice below one unit of its currency cannot be settled, and the error blames the state.',
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
    defect:
      'The update of a settlement joins the descriptions: an invoice without one is reported as settled but does not change.',
    caughtBy: ['LIFE-01.required-only'],
    rules: toldNotStored('settle', ({ description }) => !description),
  },
];
