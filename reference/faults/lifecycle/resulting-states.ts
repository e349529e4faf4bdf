import type { CheckId } from '../../../specs/generated/ids.ts';
import { type InvoiceAction, lifecycle } from '../../../specs/lifecycle.ts';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import { transitions } from '../../service/lifecycle.ts';
import type { InvoiceStatus } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { keepDeleted } from '../support/keep-deleted.ts';
import { offeredActions, offeredCheckId } from '../support/lifecycle.ts';

const wrongResults: readonly [action: InvoiceAction, to: InvoiceStatus, sentence: string][] = [
  ['submit', 'APPROVED', 'A submitted invoice of a small sum is approved at once.'],
  ['approve', 'SETTLED', 'Approval settles as well, in one go.'],
  ['dispute', 'CANCELLED', 'A disputed invoice is cancelled.'],
  ['cancel', 'DRAFT', 'A cancelled invoice becomes a draft again.'],
  ['settle', 'CANCELLED', 'A settled invoice is closed as CANCELLED.'],
];

const LAPSES_AFTER_MS = 700;

/** What was done a moment ago is undone. */
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

/** The update of a dispute forgets whom it is about. */
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
  /** An accepted action leads elsewhere, or nowhere. */
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
      defect: `${action} is answered as done, and the update runs against the replica, which drops it.`,
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
  /** "Its update looks for the creditor, the amount and the due date, which looked unique." */
  ...lifecycle.actions.map(
    (action): Fault => ({
      id: `life-${action}-takes-the-like`,
      requirement: 'LIFE-10',
      defect: `The update of ${action} looks for the creditor, the amount and the due date of an invoice, which seemed unique.`,
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
    id: 'life-dispute-takes-all',
    requirement: 'LIFE-10',
    defect: 'The update of a dispute lacks the id in its condition: it disputes all that the creditor has submitted.',
    caughtBy: ['LIFE-10.random-sequence', 'LIFE-10.similar-invoice'],
    judgedByNamedChecksOnly: true,
    rules: disputingAll,
  },
  {
    id: 'life-dispute-takes-all-from-the-start',
    requirement: 'LIFE-10',
    defect:
      'As the one before, where all invoices are SUBMITTED when they are created: nothing stays long enough to be tried.',
    caughtBy: ['LIFE-10.similar-invoice'],
    needsFullRun: true,
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
    defect: 'Delete marks the draft in a column that nothing reads: it stays a DRAFT.',
    caughtBy: ['LIFE-04.delete'],
    rules: overrideRules((base) => ({
      changeInvoice: (call, invoice, next, input) =>
        next === 'DELETED' ? undefined : base.changeInvoice(call, invoice, next, input),
    })),
  },
  {
    id: 'life-deleted-still-listed',
    requirement: 'LIFE-04',
    defect: 'A deleted draft is gone for reading and stays in the list, which comes from a search index.',
    caughtBy: ['LIFE-04.delete-listed'],
    rules: stillListed('sellerOrganizationId'),
  },
  {
    id: 'life-deleted-listed-for-buyer',
    requirement: 'LIFE-04',
    defect: "A deleted draft leaves the seller's list, and stays in the one of its buyer.",
    caughtBy: ['LIFE-04.delete-listed'],
    rules: stillListed('buyerOrganizationId'),
  },
  {
    id: 'life-settled-lapses',
    requirement: 'LIFE-12',
    defect: 'A job that looks for payments puts what was settled a moment ago back to APPROVED.',
    caughtBy: ['LIFE-12.final'],
    rules: lapse('SETTLED', 'APPROVED'),
  },
  {
    id: 'life-approved-lapses',
    requirement: 'LIFE-04',
    defect: 'A worker that had loaded the invoice before its approval writes it back as it was.',
    caughtBy: ['LIFE-04.approval-not-reverted'],
    rules: lapse('APPROVED', 'SUBMITTED'),
  },
  {
    id: 'life-cancelled-read-as-draft',
    requirement: 'LIFE-12',
    defect: 'What has been cancelled is read as the draft that it once was.',
    caughtBy: ['LIFE-12.final'],
    alsoRun: ['LIFE-04.cancel'],
    rules: overrideRules((base) => ({
      renderRead: (call, invoice) =>
        base.renderRead(call, invoice.status === 'CANCELLED' ? { ...invoice, status: 'DRAFT' } : invoice),
    })),
  },
];
