import { describeBinding, missingOperationReason } from '../../engine/diagnosis/operation-binding.ts';
import { runState } from '../../engine/ledger/run-ledger.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { isUnjudged } from '../../engine/model/outcomes.ts';
import { newCheckExecution } from '../../engine/run/check-definition.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/contract/lifecycle.ts';
import { sendAction } from '../api/operations.ts';
import { requireBinding } from '../api/requests.ts';
import { invoiceIn, isSuccess } from '../api/responses.ts';
import { sendTreasuryRequest, treasuryActor } from '../api/treasury-requests.ts';
import { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { formatAmount } from '../data/amounts.ts';
import { withdrawnCents } from '../data/withdrawal-ledger.ts';
import { partyFor } from '../invoices/acting-party.ts';
import { findInvoice, waitUntilLeft } from '../invoices/find-invoice.ts';
import { isInvoiceState, recordInvoiceState } from '../invoices/invoices.ts';
import { newestPages } from '../invoices/list-page.ts';
import { centsByPlace, mayBeInMinorUnit } from '../treasury/balances/balance.ts';
import { removeSubscriptions } from '../webhooks/subscription-removal.ts';
import { removeAllFromProduction } from './production-removal.ts';

/** The actions that lead to the removal of an invoice in each state; the first bound one is used. */
const REMOVAL_ACTIONS: Partial<Record<InvoiceState, readonly InvoiceAction[]>> = {
  DRAFT: ['delete', 'submit'],
  SUBMITTED: ['cancel'],
  DISPUTED: ['resolve'],
};

/** A resolution, a cancellation and the reads in between. */
const MAX_REMOVAL_STEPS = 4;

/**
 * Deletes drafts, cancels submitted and resolved invoices and removes the subscriptions of the run. Other objects stay recorded
 * as leftovers; a failed removal never changes a verdict.
 */
export async function cleanUpRun(run: RunContext): Promise<void> {
  await run.withReservedRequests(() => removeWithFallbackClient(run));
}

/** Uses a separate client if the run has ended early. */
async function removeWithFallbackClient(run: RunContext): Promise<void> {
  if (!run.isOver) await removeRunLeftovers(new CheckContext(run, newCheckExecution(null)));
  if (!run.isOver) return;
  const cleanUpClient = run.cleanUpClient();
  await removeRunLeftovers(new CheckContext(run, newCheckExecution(null), { client: cleanUpClient }));
  await cleanUpClient.close();
}

/** Removes the objects that the run has created so far, where possible. */
export async function removeRunLeftovers(ctx: CheckContext): Promise<void> {
  const states = ctx.run.leftovers.entries().flatMap(([id, { what }]) => {
    const state = what.replace('invoice ', '');
    return isInvoiceState(state) ? [{ id, state }] : [];
  });
  const disputed = states.flatMap(({ id, state }) => (state === 'DISPUTED' ? [id] : []));
  const others = states.filter(({ state }) => state !== 'DISPUTED');
  const steps = [
    () => removeAll(ctx, others),
    () => removeAllFromProduction(ctx),
    () => removeDisputed(ctx, disputed),
    () => removeSubscriptions(ctx),
    () => reportWithdrawn(ctx),
  ];
  // Under a request budget in this order: it reserves requests for the removal of each object, and none for lists and the balance.
  if (Number.isFinite(ctx.run.remainingRequests)) for (const step of steps) await step();
  else await Promise.all(steps.map((step) => step()));
}

/** The first ones show whether the server has changed invoices without telling. */
const FIRST_REMOVALS = 16;

async function removeAll(ctx: CheckContext, invoices: readonly { id: string; state: InvoiceState }[]): Promise<void> {
  for (const some of [invoices.slice(0, FIRST_REMOVALS), invoices.slice(FIRST_REMOVALS)])
    await Promise.all(some.map(({ id, state }) => removeInvoice(ctx, id, state)));
}

/** Reports the withdrawn amount and for how many more such runs the balance lasts. */
async function reportWithdrawn(ctx: CheckContext): Promise<void> {
  const cents = withdrawnCents(ctx.run);
  if (cents === 0) return;
  const funds = await readRemainingCents(ctx);
  ctx.run.leftovers.recordWithdrawal(formatAmount(cents), funds === null ? null : Math.floor(funds / cents));
}

/** The largest amount of the balance in cents; null if it cannot be read, or its unit is unknown. */
async function readRemainingCents(ctx: CheckContext): Promise<number | null> {
  if (!ctx.target.operations.treasuryBalance) return null;
  try {
    const response = await sendTreasuryRequest(ctx, 'treasuryBalance', {
      as: ctx.credentials(treasuryActor(ctx, 'treasuryWithdraw')),
    });
    return isSuccess(response) && !mayBeInMinorUnit(response) ? Math.max(0, ...centsByPlace(response).values()) : null;
  } catch {
    // A run without remaining requests, or with an unreachable target, reports only the withdrawn amount.
    return null;
  }
}

/** A resolution, a read, a cancellation and one spare request. */
const REQUESTS_PER_DISPUTED = 4;

/** A resolution may leave an invoice DISPUTED, so the first removal decides whether to try the others. */
async function removeDisputed(ctx: CheckContext, [first, ...rest]: readonly string[]): Promise<void> {
  if (first === undefined || ctx.run.remainingRequests < REQUESTS_PER_DISPUTED) return;
  if (!(await removeInvoice(ctx, first, 'DISPUTED'))) return;
  const room = Math.floor(ctx.run.remainingRequests / REQUESTS_PER_DISPUTED);
  await Promise.all(rest.slice(0, room).map((id) => removeInvoice(ctx, id, 'DISPUTED')));
}

/** Removes an invoice and returns whether it left its state. */
async function removeInvoice(ctx: CheckContext, id: string, from: InvoiceState): Promise<boolean> {
  let state = from;
  try {
    if (hasUnknownStates(ctx.run).seen) state = (await listedStates(ctx)).get(id) ?? from;
    for (let steps = 0; steps < MAX_REMOVAL_STEPS; steps += 1) {
      const next = await performRemovalStep(ctx, id, state);
      if (next === null) return steps > 0;
      if (next === 'gone') {
        ctx.run.leftovers.recordDeleted(id);
        return true;
      }
      state = next;
      recordInvoiceState(ctx, { id, state });
    }
    return true;
  } catch (error) {
    recordInvoiceState(ctx, { id, state });
    ctx.run.leftovers.recordRejectedRemoval(id, `it could not be removed: ${(error as Error).message}`);
    return false;
  }
}

/** Whether the server has changed an invoice without telling, as the first rejected removal shows. */
const hasUnknownStates = runState(() => ({ seen: false }));

/** The states of the newest invoices as the seller's list shows them, by id; empty if the list cannot be read. */
const listedStates = sharedResult(async (ctx): Promise<ReadonlyMap<string, InvoiceState>> => {
  const states = new Map<string, InvoiceState>();
  try {
    for await (const { records } of newestPages(ctx))
      for (const { id, status } of records) if (isInvoiceState(status)) states.set(String(id), status);
  } catch (error) {
    // The removal then finds each of the other states by a rejected request.
    if (!isUnjudged(error)) throw error;
  }
  return states;
});

/** Performs one action towards the removal and returns the new state; null if no action is bound, or the server rejects it. */
async function performRemovalStep(
  ctx: CheckContext,
  id: string,
  state: InvoiceState,
): Promise<InvoiceState | 'gone' | null> {
  const action = removalAction(ctx, state);
  if (!action) return null;
  const response = await sendAction(ctx, action, id, { as: ctx.credentials(partyFor(ctx, action)) });
  if (isSuccess(response)) return await stateAfter(ctx, id, state, response);
  // An interrupted check may have changed or deleted the invoice after it was last read.
  const { record } = await findInvoice(ctx, id);
  const isMisbound = missingOperationReason(action, response) !== null;
  if (action === 'delete' && !record && !isMisbound && (response.status === 404 || response.status === 410))
    return 'gone';
  if (isInvoiceState(record?.status) && record.status !== state) {
    // A list shows a hundred states, so it is cheaper than a rejected request for each invoice. It is not within a budget.
    hasUnknownStates(ctx.run).seen = !Number.isFinite(ctx.run.remainingRequests);
    return record.status;
  }
  recordInvoiceState(ctx, { id, state });
  ctx.run.leftovers.recordRejectedRemoval(id, rejectionReason(ctx, action, response, isMisbound));
  return null;
}

/** A 404 for an existing invoice points to a wrong binding, even with a code of the contract. */
function rejectionReason(
  ctx: CheckContext,
  action: InvoiceAction,
  { status }: ApiResponse,
  isMisbound: boolean,
): string {
  if (!isMisbound && status !== 404) return `${action} was rejected with ${status}`;
  return `${describeBinding(requireBinding(ctx, action))} returned ${status}; correct operations.${action}`;
}

function removalAction(ctx: CheckContext, state: InvoiceState): InvoiceAction | undefined {
  const { operations } = ctx.target;
  const action = REMOVAL_ACTIONS[state]?.find((each) => operations[each]);
  // A step into a state that no bound action removes does not help.
  return action === 'submit' || action === 'resolve' ? (operations.cancel ? action : undefined) : action;
}

async function stateAfter(
  ctx: CheckContext,
  id: string,
  state: InvoiceState,
  response: ApiResponse,
): Promise<InvoiceState | 'gone' | null> {
  const action = response.request.operation as InvoiceAction;
  if (action === 'delete') return 'gone';
  if (action === 'cancel') return 'CANCELLED';
  // If the response is wrong, the next step is rejected, and then a read shows the state.
  const shown = invoiceIn(response)?.status;
  if (isInvoiceState(shown) && shown !== state) return shown;
  const { record } = await waitUntilLeft(ctx, id, { from: state, by: action });
  if (isInvoiceState(record?.status) && record.status !== state) return record.status;
  ctx.run.leftovers.recordCreated(id, `invoice ${state}`, `it is still ${state} after an accepted ${action} action`);
  return null;
}
