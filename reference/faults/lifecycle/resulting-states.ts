import { type InvoiceAction, lifecycle } from '../../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import { transitions } from '../../service/lifecycle.ts';
import type { InvoiceStatus } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { offeredActions, offeredCheckId } from '../support/lifecycle.ts';
import { keepDeleted } from '../support/records.ts';

const wrongResults: readonly [action: InvoiceAction, to: InvoiceStatus, sentence: string][] = [
  ['submit', 'APPROVED', 'A submitted invoice with a small amount is approved at once.'],
  ['approve', 'SETTLED', 'Approving an invoice also settles it.'],
  ['dispute', 'CANCELLED', 'Resolving a disputed invoice cancels it.'],
  ['cancel', 'DRAFT', 'A cancelled invoice becomes a draft again.'],
  ['settle', 'CANCELLED', 'A settled invoice is closed as CANCELLED.'],
];

const LAPSES_AFTER_MS = 700;

/** Reverts a change after a moment. */
const lapse = (state: InvoiceStatus, back: InvoiceStatus): RuleChange =>
  overrideRules((base) => ({
    changeInvoice: (call, invoice, next, input) => {
      base.changeInvoice(call, invoice, next, input);
      const undo = () => {
        if (invoice.status === state) invoice.status = back;
      };
      if (next === state) setTimeout(undo, LAPSES_AFTER_MS).unref();
    },
  }));

/** A deleted draft stays in the list of one of its parties. */
const stillListed = (party: 'sellerOrganizationId' | 'buyerOrganizationId'): RuleChange =>
  keepDeleted((base, ghosts) => ({
    visibleInvoices: (call) => [
      ...base.visibleInvoices(call),
      ...[...ghosts.values()].filter((ghost) => ghost[party] === call.organizationId),
    ],
  }));

/** The update of a dispute is not limited to its invoice. */
const disputingAll: RuleChange = overrideRules((base) => ({
  changeInvoice: (call, invoice, next, input) => {
    base.changeInvoice(call, invoice, next, input);
    if (next !== 'DISPUTED') return;
    for (const other of call.world.invoices.values()) {
      const alike = other.sellerOrganizationId === invoice.sellerOrganizationId && other.status === 'SUBMITTED';
      if (alike) base.changeInvoice(call, other, next, {});
    }
  },
}));

export const lifecycleResultingStatesFaults: readonly Fault[] = [
  /** An accepted action leads to another state, or to none. */
  ...wrongResults.flatMap(([action, to, sentence]): Fault[] => [
    {
      id: `life-${action}-leads-to-${to.toLowerCase()}`,
      requirement: 'LIFE-04',
      defect: sentence,
      caughtBy: [`LIFE-04.${action}` as CheckId],
      rules: overrideRules((base) => ({
        transition: (call, invoice, asked) => {
          const next = base.transition(call, invoice, asked);
          return asked === action ? to : next;
        },
      })),
    },
    {
      id: `life-${action}-has-no-effect`,
      requirement: 'LIFE-04',
      defect: `${action} is reported as accepted, but the update goes to the replica, which drops it.`,
      caughtBy: [
        `LIFE-04.${action}` as CheckId,
        ...offeredActions.filter((each) => each.action === action).map(offeredCheckId),
      ],
      rules: overrideRules((base) => ({
        applyEffect: (call, asked, effect) => (asked === action ? undefined : base.applyEffect(call, asked, effect)),
        renderChanged: (call, invoice, asked) =>
          base.renderChanged(
            call,
            asked === action ? { ...invoice, status: transitions[action].to as InvoiceStatus } : invoice,
            asked,
          ),
      })),
    },
  ]),
  /** "The update selects by creditor, amount and due date, which seemed unique." */
  ...lifecycle.actions.map(
    (action): Fault => ({
      id: `life-${action}-updates-similar`,
      requirement: 'LIFE-10',
      defect: `The update of ${action} finds invoices by seller, amount and due date instead of the id.`,
      caughtBy: ['LIFE-10.similar-invoice'],
      rules: overrideRules((base) => ({
        changeInvoice: (call, invoice, next, input) => {
          const { status, amount, dueDate } = invoice;
          base.changeInvoice(call, invoice, next, input);
          if (call.route.name !== action) return;
          for (const other of [...call.world.invoices.values()]) {
            const alike = other.status === status && other.amount === amount && other.dueDate === dueDate;
            if (alike && other !== invoice) base.changeInvoice(call, other, next, {});
          }
        },
      })),
    }),
  ),
  {
    id: 'life-dispute-updates-all',
    requirement: 'LIFE-10',
    defect: 'The update of a dispute has no id in its condition: it disputes all submitted invoices of the seller.',
    caughtBy: ['LIFE-10.random-sequence', 'LIFE-10.similar-invoice'],
    judgedByNamedChecksOnly: true,
    rules: disputingAll,
  },
  {
    id: 'life-dispute-updates-all-submitted',
    requirement: 'LIFE-10',
    defect: 'The update of a dispute has no id in its condition, on a server that creates invoices as SUBMITTED.',
    caughtBy: ['LIFE-10.similar-invoice'],
    traffic: 'smoke',
    rules: (base) => {
      const rules = disputingAll(base);
      return {
        ...rules,
        issueInvoice: (call, input, number) =>
          Object.assign(rules.issueInvoice(call, input, number), { status: 'SUBMITTED' }),
      };
    },
  },
  {
    id: 'life-delete-keeps-draft',
    requirement: 'LIFE-04',
    defect: 'Delete marks the draft in a column that no query reads: it stays a DRAFT.',
    caughtBy: ['LIFE-04.delete'],
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) =>
        next === 'DELETED' ? undefined : base.changeInvoice(call, invoice, next, input),
    })),
  },
  {
    id: 'life-deleted-still-listed',
    requirement: 'LIFE-04',
    defect: 'A deleted draft cannot be read but stays in the list, which comes from a search index.',
    caughtBy: ['LIFE-04.delete-listed'],
    rules: stillListed('sellerOrganizationId'),
  },
  {
    id: 'life-deleted-listed-for-buyer',
    requirement: 'LIFE-04',
    defect: "A deleted draft leaves the seller's list but stays in the buyer's list.",
    caughtBy: ['LIFE-04.delete-listed'],
    rules: stillListed('buyerOrganizationId'),
  },
  {
    id: 'life-settled-reverts',
    requirement: 'LIFE-12',
    defect: 'A job that looks for payments sets an invoice that was just settled back to APPROVED.',
    caughtBy: ['LIFE-12.final'],
    takesEffectLater: true,
    rules: lapse('SETTLED', 'APPROVED'),
  },
  {
    id: 'life-approved-reverts',
    requirement: 'LIFE-04',
    defect: 'A worker that loaded the invoice before its approval writes the old version back.',
    caughtBy: ['LIFE-04.approval-not-reverted'],
    takesEffectLater: true,
    rules: lapse('APPROVED', 'SUBMITTED'),
  },
  {
    id: 'life-cancelled-read-as-draft',
    requirement: 'LIFE-12',
    defect: 'A cancelled invoice is read as the draft that it was.',
    caughtBy: ['LIFE-12.final'],
    alsoRun: ['LIFE-04.cancel'],
    rules: overrideRules((base) => ({
      renderRead: (call, invoice) =>
        base.renderRead(call, invoice.status === 'CANCELLED' ? { ...invoice, status: 'DRAFT' } : invoice),
    })),
  },
];
