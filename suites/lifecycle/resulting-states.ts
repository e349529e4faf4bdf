import { listInvoices } from '../../helpers/api/operations.ts';
import { invoiceIn, is2xx, isSuccess, type JsonObject } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase, FIRST_IN_LATE, FIRST_IN_MAIN } from '../../helpers/context/check.ts';
import { skipIfChangesSpontaneously } from '../../helpers/controls/spontaneous-change.ts';
import { createUntouchedInvoices } from '../../helpers/controls/untouched-group.ts';
import { findPassedTrial } from '../../helpers/fixtures/trial-invoice.ts';
import { deleteNewDraft } from '../../helpers/invoices/draft-deletion.ts';
import { type FoundInvoice, waitForArrival, waitUntilLeft } from '../../helpers/invoices/find-invoice.ts';
import { needsToReach, offeredCheckId, recordInvoiceState, stateOffering } from '../../helpers/invoices/invoices.ts';
import { blockIfEffectLate, type IneffectiveAction } from '../../helpers/invoices/late-effect.ts';
import { recentInvoicesReader } from '../../helpers/invoices/recent-invoices.ts';
import { isCompletedBySecond } from '../../helpers/invoices/repeated-action.ts';
import { expectOthersUnchanged } from '../../helpers/lifecycle/bystander-invoice.ts';
import {
  expectApprovalKept,
  expectDeletedGone,
  expectFinalStatesKept,
  recordReached,
} from '../../helpers/lifecycle/final-states.ts';
import { performInState } from '../../helpers/lifecycle/transition-checks.ts';
import { expectNoFinding } from '../../helpers/lifecycle/walks/random-walk-search.ts';
import { hasSettlements } from '../../helpers/treasury/concurrency/booked-payments.ts';
import { expectBooked } from '../../helpers/treasury/concurrency/booking-problems.ts';
import { SETTLEMENT_NEEDS } from '../../helpers/treasury/settlements/rejected-settlement.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/contract/lifecycle.ts';

/**
 * Ends a check whose accepted action has not led to its state. Throws NotApplicable if the invoice may have left that state
 * again, Blocked if it arrives late, otherwise a Breach.
 */
async function endWithoutArrival(
  ctx: CheckContext,
  { to, ...action }: IneffectiveAction & { to: InvoiceState | undefined },
  { record, response: seen }: FoundInvoice,
): Promise<never> {
  const { from, response } = action;
  if (to && invoiceIn(response)?.status === to && record?.status !== from)
    await skipIfChangesSpontaneously(ctx, [to], ctx.target.limits.settleWithinMs);
  if (record?.status === from) await blockIfEffectLate(ctx, action);
  const name = response.request.operation as InvoiceAction;
  const expected = `status ${to} after an accepted ${name} action`;
  const isSecondNeeded =
    to && record?.status === from && (await isCompletedBySecond(ctx, { action: name, id: action.id, from }, to));
  const advice = isSecondNeeded
    ? `it is ${to} only after a second ${name} action`
    : `if the service has another request for it, correct operations.${name}`;
  const because = `the invoice is ${String(record?.status ?? 'gone')}; ${advice}`;
  throw breach(ctx, seen, expected, because, [response]);
}

function resultingStateCheck(action: Exclude<InvoiceAction, 'resolve' | 'delete'>): Check {
  const from = stateOffering(action);
  const to = lifecycle.leadsTo[action];
  return check(`LIFE-04.${action}`, ['connection', ...needsToReach(from), action], async (ctx) => {
    const trial = to && (await findPassedTrial(ctx, action));
    if (trial) return recordReached(ctx, { ...trial.invoice, state: to });
    // A payment run between the action and the read changes these, too.
    await createUntouchedInvoices(ctx);
    const { invoice, response } = await performInState(ctx, from, action);
    if (!isSuccess(response))
      notApplicable(`the server rejects the ${action} action`, { judgedBy: offeredCheckId(from, action) });
    const arrival = await waitForArrival(ctx, invoice.id, to);
    // The state in the response counts as reached, even if the invoice has changed since then.
    const isReturned = invoiceIn(response)?.status === to;
    if (to && isReturned) recordReached(ctx, { ...invoice, state: to });
    if (!arrival.isMet) return await endWithoutArrival(ctx, { id: invoice.id, from, to, response }, arrival);
    const ended = { ...invoice, state: to as InvoiceState };
    recordInvoiceState(ctx, ended);
    if (!isReturned) recordReached(ctx, ended);
  });
}

export const resultingStatesChecks: readonly Check[] = [
  resultingStateCheck('submit'),

  resultingStateCheck('approve'),

  resultingStateCheck('dispute'),

  resultingStateCheck('cancel'),

  resultingStateCheck('settle'),

  check('LIFE-04.delete', ['connection', 'delete'], async (ctx) => {
    const { invoice, response } = await performInState(ctx, 'DRAFT', 'delete');
    if (!isSuccess(response))
      notApplicable('the server rejects the delete action', { judgedBy: 'LIFE-01.draft-delete' });
    const {
      isMet,
      record,
      response: seen,
    } = await waitUntilLeft(ctx, invoice.id, { from: 'DRAFT', by: 'delete', mayBeGone: true });
    if (!isMet) await blockIfEffectLate(ctx, { id: invoice.id, from: 'DRAFT', response });
    if (!isMet)
      throw breach(
        ctx,
        seen,
        'the invoice no longer in DRAFT after an accepted delete action',
        'the status is still DRAFT',
        [response],
      );
    if (!record) ctx.run.leftovers.recordDeleted(invoice.id);
    else recordInvoiceState(ctx, { id: invoice.id, state: record.status as InvoiceState });
  }),

  check('LIFE-04.delete-listed', ['connection', 'delete', 'read'], async (ctx) => {
    const { invoice, response: deleted } = await deleteNewDraft(ctx);
    const shows = ({ records }: { records: JsonObject[] }) => records.some(({ id }) => String(id) === invoice.id);
    // The contract does not say whether the buyer's key may list.
    const buyers =
      ctx.target.actors.buyer && (await listInvoices(ctx, { page: 0, limit: 1 }, { as: ctx.credentials('buyer') }));
    for (const name of buyers && is2xx(buyers) ? (['seller', 'buyer'] as const) : (['seller'] as const)) {
      const seen = await pollUntil(
        ctx,
        // The reader covers several pages, because foreign creations may push the invoice off the first page.
        recentInvoicesReader(ctx, name),
        (each) => !shows(each),
        'no longer lists a deleted draft',
      );
      const because = `the ${name}'s list still shows the deleted invoice`;
      if (shows(seen))
        throw breach(ctx, seen.response, `no invoice ${invoice.id}, which was deleted`, because, [deleted]);
    }
  }),

  checkInPhase('late', 'LIFE-04.approval-not-reverted', ['connection'], async (ctx) => {
    if ((await expectApprovalKept(ctx)) === 0) notApplicable('no response showed an APPROVED invoice in this run');
  }),

  checkInPhase(FIRST_IN_MAIN, 'LIFE-04.simultaneous-settlements', SETTLEMENT_NEEDS, (ctx) =>
    expectBooked(ctx, {
      problems: ['settlement lost'],
      expected: 'every settled amount booked in the balance',
      payments: ({ settlements }) => (settlements.length > 1 ? settlements : []),
      isShown: hasSettlements,
    }),
  ),

  checkInPhase(FIRST_IN_LATE, 'LIFE-04.paid-once', SETTLEMENT_NEEDS, (ctx) =>
    expectBooked(ctx, {
      problems: ['settlement repeated'],
      expected: 'every settled amount booked exactly once in the balance',
      payments: ({ settlements }) => settlements,
      isShown: hasSettlements,
    }),
  ),

  checkInPhase('late', 'LIFE-04.deleted-stays-deleted', ['connection', 'delete'], async (ctx) => {
    if ((await expectDeletedGone(ctx)) === 0) notApplicable('no draft was deleted in this run');
  }),

  check('LIFE-10.random-sequence', ['connection', 'buyer', 'submission'], (ctx) =>
    expectNoFinding(ctx, ['other invoice']),
  ),

  check('LIFE-10.similar-invoice', ['connection'], async (ctx) => {
    if ((await expectOthersUnchanged(ctx)) === 0)
      notApplicable('no action could be performed while a similar invoice existed');
  }),

  checkInPhase('late', 'LIFE-12.final', ['connection'], async (ctx) => {
    if ((await expectFinalStatesKept(ctx)) === 0)
      notApplicable('no response showed a SETTLED or CANCELLED invoice in this run');
  }),
];
