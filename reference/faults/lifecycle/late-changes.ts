import type { CheckId } from '../../../specs/generated/ids.ts';
import { overrideRules, type RuleChange } from '../../overrides/override-rules.ts';
import type { Call } from '../../service/call.ts';
import { DEFAULT_CURRENCY } from '../../service/money.ts';
import type { Invoice, InvoiceStatus } from '../../service/store.ts';
import type { Fault } from '../fault.ts';
import { keepDeleted } from '../support/records.ts';

const JOB_DELAY_MS = 400;

interface Job {
  requirement: string;
  defect: string;
  caughtBy: CheckId;
  alsoRun: readonly CheckId[];
  rules: RuleChange;
}

/** A server whose background job undoes a change. */
const undoingJob = (id: string, { caughtBy, ...job }: Job): Fault => ({
  id,
  caughtBy: [caughtBy],
  takesEffectLater: true,
  ...job,
});

/** Some invoices that reach a state get another one a moment later. */
const revert = (from: InvoiceStatus, to: InvoiceStatus, concerns: (invoice: Invoice) => boolean): RuleChange =>
  overrideRules((base) => ({
    changeInvoice: (call, invoice, next, input) => {
      base.changeInvoice(call, invoice, next, input);
      if (next !== from || !concerns(invoice)) return;
      call.background.schedule(JOB_DELAY_MS, () => {
        if (invoice.status === from) invoice.status = to;
      });
    },
  }));

/** A deleted draft is stored again a moment later, or shown in lists only. */
const restore = (isStored: boolean): RuleChange =>
  keepDeleted((base, deleted) => {
    const listed = new Map<Invoice, Call['world']>();
    return {
      changeInvoice: (call, invoice, next, input) => {
        base.changeInvoice(call, invoice, next, input);
        if (next !== 'DELETED') return;
        const draft = { ...invoice, status: 'DRAFT' as const };
        deleted.set(invoice.id, draft);
        call.background.schedule(JOB_DELAY_MS, () => {
          if (isStored) call.world.invoices.set(draft.id, draft);
          else listed.set(draft, call.world);
        });
      },
      visibleInvoices: (call) => {
        const indexed = [...listed].flatMap(([draft, world]) =>
          world === call.world && draft.sellerOrganizationId === call.organizationId ? [draft] : [],
        );
        return [...base.visibleInvoices(call), ...(call.route.name === 'list' ? indexed : [])];
      },
    };
  });

/** By a nightly job, for example: some time after the start, old invoices change. */
const REOPENED_AFTER_MS = 6000;
const OLD_MS = 3_000_000;

export const lifecycleLateChangesFaults: readonly Fault[] = [
  undoingJob('life-settled-reopened-after-conversion', {
    requirement: 'LIFE-12',
    defect:
      'A job compares the paid amount with the amount in the home currency, and reopens SETTLED invoices in others.',
    caughtBy: 'LIFE-12.final',
    alsoRun: ['LIFE-01.other-currency'],
    rules: revert('SETTLED', 'APPROVED', ({ currency }) => currency !== DEFAULT_CURRENCY),
  }),
  undoingJob('life-cancelled-dispute-restored', {
    requirement: 'LIFE-12',
    defect: 'A job for open disputes restores the dispute of a CANCELLED invoice that was once disputed.',
    caughtBy: 'LIFE-12.final',
    alsoRun: ['LIFE-02.random-sequence'],
    rules: revert('CANCELLED', 'DISPUTED', ({ notes }) => notes.length > 0),
  }),
  undoingJob('life-settled-small-reversed', {
    requirement: 'LIFE-12',
    defect: 'The bank rejects payments below one unit, and a job cancels their SETTLED invoices.',
    caughtBy: 'LIFE-12.final',
    alsoRun: ['LIFE-01.small'],
    rules: revert('SETTLED', 'CANCELLED', ({ amount }) => Number(amount) < 1),
  }),
  undoingJob('life-large-approval-withdrawn', {
    requirement: 'LIFE-04',
    defect: 'From 100,000, a job withdraws approvals that no second person has confirmed: SUBMITTED again.',
    caughtBy: 'LIFE-04.approval-not-reverted',
    alsoRun: ['LIFE-02.large'],
    rules: revert('APPROVED', 'SUBMITTED', ({ amount }) => Number(amount) >= 100_000),
  }),
  undoingJob('life-deleted-draft-restored', {
    requirement: 'LIFE-04',
    defect: 'A worker that loaded a draft before its deletion stores it again.',
    caughtBy: 'LIFE-04.deleted-stays-deleted',
    alsoRun: ['LIFE-04.delete'],
    rules: restore(true),
  }),
  undoingJob('life-deleted-draft-indexed-again', {
    requirement: 'LIFE-04',
    defect: 'A delayed event of the creation adds a deleted draft to the search index again.',
    caughtBy: 'LIFE-04.deleted-stays-deleted',
    alsoRun: ['LIFE-04.delete'],
    rules: restore(false),
  }),
  {
    id: 'life-old-settled-reopened',
    requirement: 'LIFE-12',
    defect: 'A nightly correction reopens SETTLED invoices that are older than an hour.',
    caughtBy: ['LIFE-12.every-response'],
    takesEffectLater: true,
    traffic: 'full',
    rules: overrideRules((base) => {
      const startedAt = performance.now();
      return {
        visibleInvoices: (call) => {
          const invoices = base.visibleInvoices(call);
          for (const invoice of performance.now() - startedAt > REOPENED_AFTER_MS ? invoices : []) {
            const isOld = Date.parse(invoice.createdAt) < Date.now() - OLD_MS;
            if (invoice.status === 'SETTLED' && isOld) invoice.status = 'APPROVED';
          }
          return invoices;
        },
      };
    }),
  },
];
