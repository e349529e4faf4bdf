import { dressed } from '../../helpers/adaptation/maximal-request.ts';
import { blamesNotTheState, expectFunds } from '../../helpers/api/error-codes.ts';
import type { ActExtra } from '../../helpers/api/operations.ts';
import { takesRequestId } from '../../helpers/api/operations.ts';
import type { ApiResponse } from '../../helpers/api/responses.ts';
import { invoiceIn } from '../../helpers/api/responses.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { Check } from '../../helpers/context/check.ts';
import { check, withPriority } from '../../helpers/context/check.ts';
import type { Lab } from '../../helpers/context/check-context.ts';
import { actionWorks } from '../../helpers/controls/controls.ts';
import { expectOffered } from '../../helpers/controls/spontaneous-change.ts';
import { LARGE_SUM, LITTLE_SUM } from '../../helpers/data/amounts.ts';
import { undressed, validBody } from '../../helpers/data/invoice-body.ts';
import { createdOf, otherCurrency } from '../../helpers/fixtures/created-invoice.ts';
import { trialPassed } from '../../helpers/fixtures/trial-invoice.ts';
import { perform } from '../../helpers/invoices/acting-party.ts';
import { lookSettled, lookUntil } from '../../helpers/invoices/find-invoice.ts';
import type { Invoice } from '../../helpers/invoices/invoices.ts';
import {
  freshInvoice,
  isState,
  keepTrack,
  operationsTo,
  reach,
  whereReachable,
} from '../../helpers/invoices/invoices.ts';
import { offeredAfterReading } from '../../helpers/lifecycle/action-after-read.ts';
import { expectAllTheWay, expectNothingClaimed } from '../../helpers/lifecycle/full-lifecycle.ts';
import { expectOfferedAfterRefusals } from '../../helpers/lifecycle/offered-after-rejections.ts';
import { expectNothingFound } from '../../helpers/lifecycle/random-walk-search.ts';
import { cellsWhere, isOffered, performed } from '../../helpers/lifecycle/table-checks.ts';
import type { ManyKinds } from '../../helpers/lifecycle/variant-lifecycle.ts';
import { wentAllTheWay } from '../../helpers/lifecycle/variant-lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/lifecycle.ts';

function offeredActionCheck(state: InvoiceState, action: InvoiceAction): Check {
  const id = `LIFE-01.${state.toLowerCase()}-${action}` as CheckId;
  return check(id, ['connection', ...operationsTo(state), action], async (lab) => {
    const identified = action === 'submit' && takesRequestId(lab, action);
    const extras = [{}, ...(identified ? [{ requestId: lab.requestId() }] : [])];
    await Promise.all(extras.map((extra) => expectCarriedOut(lab, state, action, extra)));
  });
}

/** The action is accepted in the state that offers it, and what the answer to it says of the invoice comes true. */
async function expectCarriedOut(
  lab: Lab,
  state: InvoiceState,
  action: InvoiceAction,
  extra: Omit<ActExtra, 'as'>,
): Promise<void> {
  const trial = await trialPassed(lab, action);
  const { invoice, answer } = trial ?? (await performed(lab, state, action, extra));
  expectFunds(answer);
  const how = extra.requestId === undefined ? '' : ', with a requestId';
  await expectOffered(lab, invoice, answer, `${action} of a ${state} invoice${how}`);
  lab.observe(
    'action-answer',
    `${action}: ${answer.status}${answer.text === '' ? ' without body' : invoiceIn(answer) ? ' with the invoice' : ''}`,
  );
  lab.observe('action-delay', `${action}: ${toldOf(answer, state)}`);
  if (trial) return;
  // Notes alone may leave an invoice DISPUTED, and a deleted draft may be kept; after any other action its state is over.
  const open = action === 'resolve' || action === 'delete';
  const { held, record, answer: seen } = await lookUntil(lab, invoice.id, (found) => found?.status !== state);
  if (!held && !open) return await expectNothingClaimed(lab, invoice, answer, seen);
  if (!record) lab.run.removed(invoice.id);
  else keepTrack(lab, { id: invoice.id, state: record.status as InvoiceState });
  if (action === 'resolve' || action === 'delete') {
    lab.observe(action === 'resolve' ? 'resolve-result' : 'delete-result', record ? String(record.status) : 'gone');
  }
}

/** Whether an action is done when it is answered, in the words of the answer: how soon it shows is a matter of the moment. */
function toldOf(answer: ApiResponse, before: InvoiceState): string {
  const told = invoiceIn(answer)?.status;
  if (answer.status === 202) return 'accepted for later';
  if (told === before) return `answered as ${before} still`;
  return isState(told) ? `answered as ${told}` : 'answered without its state';
}

/** What somebody may have a mind to forbid once the other party has seen the invoice. */
const UNSEEN_ONLY: readonly InvoiceAction[] = ['delete', 'dispute', 'cancel'];

async function expectDeleted(lab: Lab, invoice: Invoice, what: string): Promise<void> {
  if (invoice.state !== 'DRAFT' || !(await actionWorks(lab, 'delete'))) return;
  const answer = await perform(lab, 'delete', invoice.id);
  if (blamesNotTheState(answer)) return;
  await expectOffered(lab, invoice, answer, `the deletion of ${what}`);
  lab.run.removed(invoice.id);
}

/** An invoice of its kind goes each way that there is. Throws NotApplicable where it cannot go the last one. */
async function expectEveryWay(
  lab: Lab,
  what: string,
  make: () => Promise<Invoice>,
  among: ManyKinds,
  last: InvoiceState = 'SETTLED',
): Promise<void> {
  const { operations } = lab.target;
  for (const end of ['CANCELLED', 'DISPUTED'] as const) {
    if (!operationsTo(end).every((action) => operations[action])) continue;
    await whereReachable(async () => expectAllTheWay(lab, await make(), what, end));
  }
  if (operations.delete) await whereReachable(async () => expectDeleted(lab, await make(), what));
  if (!(await wentAllTheWay(lab, among))) await expectAllTheWay(lab, await make(), what, last);
}

/** Of the first of these sums that an invoice may have here. */
function ofOtherSum(id: CheckId, sums: readonly string[], among: ManyKinds, last: InvoiceState): Check {
  return check(id, ['connection', ...operationsTo(last)], async (lab) => {
    for (const amount of sums) {
      let first = await createdOf(lab, { ...validBody(lab), amount });
      if (!first) continue;
      const make = async () => {
        const made = first ?? (await freshInvoice(lab, { amount }));
        first = null;
        return made;
      };
      return await expectEveryWay(lab, `an invoice of ${amount}`, make, among, last);
    }
    notApplicable(`no invoice of ${sums.join(' or ')} is accepted`);
  });
}

export const offeredActionsChecks: readonly Check[] = withPriority('low', [
  // The longest chains first.
  check('LIFE-01.random-sequence', ['connection', 'buyer', 'submit'], (lab) => expectNothingFound(lab, ['refused'])),

  ...cellsWhere(isOffered).map(([state, action]) => offeredActionCheck(state, action)),

  check('LIFE-01.just-read', ['connection', 'read'], async (lab) => {
    const tried = await Promise.all(UNSEEN_ONLY.map((action) => offeredAfterReading(lab, action)));
    if (!tried.includes(true)) notApplicable('no action can be performed right after a look');
  }),

  check('LIFE-01.after-rejections', ['connection'], async (lab) => {
    if ((await expectOfferedAfterRefusals(lab)) === 0)
      notApplicable('no action can be tried after others were refused');
  }),

  check('LIFE-01.other-currency', ['connection', ...operationsTo('SETTLED')], async (lab) => {
    const currency = await otherCurrency(lab);
    if (!currency) return notApplicable('this server accepts no common currency but its usual one');
    const seen = (await dressed(lab)).body.currency === currency && (await wentAllTheWay(lab, 'most'));
    if (!seen) await expectAllTheWay(lab, await freshInvoice(lab, { currency }), `an invoice in ${currency}`);
    // Whoever judges records sees another way of it, too.
    await whereReachable(async () => lookSettled(lab, await reach(lab, 'DISPUTED', { currency })));
  }),

  check('LIFE-01.required-only', ['connection', ...operationsTo('SETTLED')], async (lab) => {
    await expectEveryWay(
      lab,
      'an invoice with the required fields alone',
      () => freshInvoice(lab, undressed(lab)),
      'least',
    );
  }),

  check('LIFE-01.all-fields', ['connection', ...operationsTo('SETTLED')], async (lab) => {
    const make = async () => freshInvoice(lab, (await dressed(lab)).body);
    await expectEveryWay(lab, 'an invoice with all that may go with it', make, 'most');
  }),

  ofOtherSum('LIFE-01.small', ['0.90', LITTLE_SUM], 'least', 'SETTLED'),

  // Whether there are funds to pay it is another matter.
  ofOtherSum('LIFE-01.large', [LARGE_SUM], 'large', 'APPROVED'),
]);
