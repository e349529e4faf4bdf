import { maximalRequest } from '../../helpers/adaptation/maximal-request.ts';
import { type ActionOptions, canHaveRequestId } from '../../helpers/api/requests.ts';
import { type ApiResponse, invoiceIn, isNotStateError, skipIfInsufficientFunds } from '../../helpers/api/responses.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { expectOffered } from '../../helpers/controls/spontaneous-change.ts';
import { LARGE_AMOUNT, LOW_AMOUNT } from '../../helpers/data/amounts.ts';
import { requiredFieldsOnly, validBody } from '../../helpers/data/invoice-body.ts';
import { otherCurrency, tryCreateInvoice } from '../../helpers/fixtures/created-invoice.ts';
import { findPassedTrial } from '../../helpers/fixtures/trial-invoice.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { findSettledInvoice, waitForInvoice } from '../../helpers/invoices/find-invoice.ts';
import {
  createInvoice,
  createInvoiceInState,
  type Invoice,
  ifReachable,
  isInvoiceState,
  mayReach,
  needsToReach,
  recordInvoiceState,
} from '../../helpers/invoices/invoices.ts';
import { expectOfferedAfterRejections } from '../../helpers/lifecycle/repeated-rejections.ts';
import { expectLifecycleCompletes, expectNoFalseStatus } from '../../helpers/lifecycle/sequences/full-lifecycle.ts';
import { type CombinedVariant, completedVariant } from '../../helpers/lifecycle/sequences/variant-lifecycle.ts';
import { expectOfferedAfterReading } from '../../helpers/lifecycle/stale-state-actions.ts';
import { filterTableCells, isOffered, performInState } from '../../helpers/lifecycle/transition-checks.ts';
import { expectNoFinding } from '../../helpers/lifecycle/walks/random-walk-search.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

function offeredActionCheck(state: InvoiceState, action: InvoiceAction): Check {
  const id = `LIFE-01.${state.toLowerCase()}-${action}` as CheckId;
  return check(id, ['connection', ...needsToReach(state), action], async (ctx) => {
    const identified = action === 'submit' && canHaveRequestId(ctx, action);
    const extras = [{}, ...(identified ? [{ requestId: ctx.createRequestId() }] : [])];
    await Promise.all(extras.map((extra) => expectOfferedActionAccepted(ctx, state, action, extra)));
  });
}

/** The action is accepted in a state that offers it, and the invoice takes the state that the response shows. */
async function expectOfferedActionAccepted(
  ctx: CheckContext,
  state: InvoiceState,
  action: InvoiceAction,
  extra: Omit<ActionOptions, 'as'>,
): Promise<void> {
  const trial = await findPassedTrial(ctx, action);
  const { invoice, response } = trial ?? (await performInState(ctx, state, action, extra));
  skipIfInsufficientFunds(response);
  const how = extra.requestId === undefined ? '' : ', with a requestId';
  await expectOffered(ctx, invoice, response, `the ${action} action on a ${state} invoice${how}`);
  ctx.observe(
    'action-response',
    `${action}: ${response.status}${response.text === '' ? ' without body' : invoiceIn(response) ? ' with the invoice' : ''}`,
  );
  ctx.observe('action-delay', `${action}: ${reportedOutcome(response, state)}`);
  if (trial) return;
  // A resolution may leave the invoice DISPUTED, and a deleted draft may be kept. Every other action changes the state.
  const open = action === 'resolve' || action === 'delete';
  const {
    isMet,
    record,
    response: seen,
  } = await waitForInvoice(ctx, invoice.id, (found) => found?.status !== state, `leaves ${state} by ${action}`);
  if (!isMet && !open) return await expectNoFalseStatus(ctx, invoice, response, seen);
  if (!record) ctx.run.leftovers.recordDeleted(invoice.id);
  else recordInvoiceState(ctx, { id: invoice.id, state: record.status as InvoiceState });
  if (action === 'resolve' || action === 'delete') {
    ctx.observe(action === 'resolve' ? 'resolve-result' : 'delete-result', record ? String(record.status) : 'gone');
  }
}

/** Whether the response reports the action as completed. Reads may show the change later, so only the response counts. */
function reportedOutcome(response: ApiResponse, before: InvoiceState): string {
  const shown = invoiceIn(response)?.status;
  if (response.status === 202) return 'accepted for later';
  if (shown === before) return `the response still shows ${before}`;
  return isInvoiceState(shown) ? `the response shows ${shown}` : 'the response shows no state';
}

/** Actions that a server may wrongly reject once the other party has read the invoice. */
const READ_SENSITIVE_ACTIONS: readonly InvoiceAction[] = ['delete', 'dispute', 'cancel'];

async function expectDeletionAccepted(ctx: CheckContext, invoice: Invoice, what: string): Promise<void> {
  if (invoice.state !== 'DRAFT' || !(await runActionControl(ctx, 'delete'))) return;
  const response = await performAction(ctx, 'delete', invoice.id);
  if (isNotStateError(response)) return;
  await expectOffered(ctx, invoice, response, `the deletion of ${what}`);
  ctx.run.leftovers.recordDeleted(invoice.id);
}

/** Takes an invoice of the variant along every path. Throws NotApplicable if the path to `last` is not possible. */
async function expectEveryPathAccepted(
  ctx: CheckContext,
  what: string,
  make: () => Promise<Invoice>,
  among: CombinedVariant,
  last: InvoiceState = 'SETTLED',
): Promise<void> {
  const { operations } = ctx.target;
  for (const end of ['CANCELLED', 'DISPUTED'] as const) {
    if (!mayReach(ctx, end)) continue;
    await ifReachable(async () => expectLifecycleCompletes(ctx, await make(), what, end));
  }
  if (operations.delete) await ifReachable(async () => expectDeletionAccepted(ctx, await make(), what));
  if (!(await completedVariant(ctx, among))) await expectLifecycleCompletes(ctx, await make(), what, last);
}

/** Uses the first of these amounts that the server accepts. */
function amountVariantCheck(id: CheckId, sums: readonly string[], among: CombinedVariant, last: InvoiceState): Check {
  return check(id, ['connection', ...needsToReach(last)], async (ctx) => {
    for (const amount of sums) {
      let first = await tryCreateInvoice(ctx, { ...validBody(ctx), amount });
      if (!first) continue;
      const make = async () => {
        const made = first ?? (await createInvoice(ctx, { amount }));
        first = null;
        return made;
      };
      return await expectEveryPathAccepted(ctx, `an invoice of ${amount}`, make, among, last);
    }
    notApplicable(`no invoice of ${sums.join(' or ')} is accepted`);
  });
}

export const offeredActionsChecks: readonly Check[] = [
  // The longest chains first.
  check('LIFE-01.random-sequence', ['connection', 'buyer', 'submission'], (ctx) => expectNoFinding(ctx, ['rejected'])),

  ...filterTableCells(isOffered).map(([state, action]) => offeredActionCheck(state, action)),

  check('LIFE-01.just-read', ['connection', 'read'], async (ctx) => {
    const tried = await Promise.all(READ_SENSITIVE_ACTIONS.map((action) => expectOfferedAfterReading(ctx, action)));
    if (!tried.includes(true))
      notApplicable(`the kit could try none of ${READ_SENSITIVE_ACTIONS.join(', ')} right after a read`);
  }),

  check('LIFE-01.after-rejections', ['connection'], async (ctx) => {
    if ((await expectOfferedAfterRejections(ctx)) === 0)
      notApplicable('the kit could not try any offered action after a rejected one');
  }),

  check('LIFE-01.other-currency', ['connection', ...needsToReach('SETTLED')], async (ctx) => {
    const currency = await otherCurrency(ctx);
    if (!currency) return notApplicable('the server accepts no common currency other than its usual one');
    const seen = (await maximalRequest(ctx)).body.currency === currency && (await completedVariant(ctx, 'most'));
    if (!seen) await expectLifecycleCompletes(ctx, await createInvoice(ctx, { currency }), `an invoice in ${currency}`);
    // A disputed invoice gives the exchange rules records of another path.
    await ifReachable(async () => findSettledInvoice(ctx, await createInvoiceInState(ctx, 'DISPUTED', { currency })));
  }),

  check('LIFE-01.required-only', ['connection', ...needsToReach('SETTLED')], async (ctx) => {
    await expectEveryPathAccepted(
      ctx,
      'an invoice with only the required fields',
      () => createInvoice(ctx, requiredFieldsOnly(ctx)),
      'least',
    );
  }),

  check('LIFE-01.all-fields', ['connection', ...needsToReach('SETTLED')], async (ctx) => {
    const make = async () => createInvoice(ctx, (await maximalRequest(ctx)).body);
    await expectEveryPathAccepted(ctx, 'an invoice with all optional fields and headers', make, 'most');
  }),

  amountVariantCheck('LIFE-01.small', ['0.90', LOW_AMOUNT], 'least', 'SETTLED'),

  // The path ends at APPROVED, because the funds may not cover a settlement.
  amountVariantCheck('LIFE-01.large', [LARGE_AMOUNT], 'large', 'APPROVED'),
];
