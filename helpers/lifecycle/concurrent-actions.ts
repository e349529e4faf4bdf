import type { JsonObject } from '../../engine/records/invoice-records.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/contract/lifecycle.ts';
import {
  type ActionEffect,
  probeActionEffect,
  skipIfDelayed,
  skipUnlessImmediate,
} from '../adaptation/action-effect.ts';
import { sendAction, sendActionsSimultaneously } from '../api/operations.ts';
import { isSuccess } from '../api/responses.ts';
import { breach } from '../assert/expect.ts';
import { blockedBy, notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { observationTimeFor, skipIfChangesSpontaneously } from '../controls/spontaneous-change.ts';
import { addSpareInvoice, disableSpareInvoices, takeApprovedInvoice } from '../fixtures/spare-invoices.ts';
import { partyFor } from '../invoices/acting-party.ts';
import { hasLeftState, waitForInvoice } from '../invoices/find-invoice.ts';
import {
  createInvoiceInState,
  isInvoiceState,
  recordInvoiceState,
  rejectedCheckId,
  stateOffering,
} from '../invoices/invoices.ts';

/** Concurrent requests; the limits of the target may allow fewer at once. */
const SIMULTANEOUS_REQUESTS = 6;
const MIN_ROUNDS = 2;
/** Concurrent requests for the same action. */
const SAME_ACTION_REQUESTS = 3;

/** The state of an invoice; null when it is deleted. */
type StateOrGone = InvoiceState | null;

/** Whether the accepted actions lead from `from` to `to` in some order in which each state offers the next action. */
export function isSerializable(
  from: StateOrGone,
  actions: readonly InvoiceAction[],
  to: StateOrGone,
  leads: ReadonlyMap<InvoiceAction, StateOrGone>,
): boolean {
  if (actions.length === 0) return from === to;
  return actions.some((action, at) => {
    const offered = from !== null && lifecycle.offered[from].includes(action);
    return offered && isSerializable(leads.get(action) ?? null, actions.toSpliced(at, 1), to, leads);
  });
}

/**
 * Sends rival actions on one invoice concurrently. Throws a Breach if no order of the accepted actions explains the final
 * state, and NotApplicable if an accepted action takes effect late.
 */
export async function expectSerializable(
  ctx: CheckContext,
  state: InvoiceState,
  rivals: readonly InvoiceAction[],
): Promise<void> {
  const known = new Map<InvoiceAction, ActionEffect>();
  for (const action of rivals) known.set(action, await probeActionEffect(ctx, action));
  skipIfEffectLater(known);
  // The first action has no race window for itself, so each rival starts in turn.
  for (let round = 0; round < Math.max(MIN_ROUNDS, rivals.length); round += 1) {
    const from = round % rivals.length;
    await raceActions(ctx, state, [...rivals.slice(from), ...rivals.slice(0, from)], known);
  }
  // A slow action never wins against a fast one, so each also races against itself.
  if (rivals.length > 1)
    for (const rival of rivals) await raceActions(ctx, state, [rival], known, SAME_ACTION_REQUESTS);
}

function skipIfEffectLater(known: ReadonlyMap<InvoiceAction, ActionEffect>): void {
  for (const [action, { timing, to }] of known) {
    if (timing !== 'later' && timing !== 'queued') continue;
    if (to === stateOffering(action))
      notApplicable(`an accepted ${action} action leaves the invoice ${to} on this server`);
    // Although the server responds with 202, it may reject all but one, which proves that it accepts only one.
    if (timing === 'later') skipIfDelayed(action, timing);
  }
}

async function raceActions(
  ctx: CheckContext,
  state: InvoiceState,
  rivals: readonly InvoiceAction[],
  known: ReadonlyMap<InvoiceAction, ActionEffect>,
  requestCount = SIMULTANEOUS_REQUESTS,
): Promise<void> {
  const invoice = await (state === 'APPROVED' ? takeApprovedInvoice(ctx) : createInvoiceInState(ctx, state));
  const actions = Array.from({ length: requestCount }, (_, index) => rivals[index % rivals.length] as InvoiceAction);
  const responses = await sendActionsSimultaneously(
    ctx,
    actions.map((action) => ({ action, id: invoice.id, as: ctx.credentials(partyFor(ctx, action)) })),
  );
  const won = responses.filter(isSuccess);
  // The queue may reject all but one of them later.
  if (won.length > 1 && won.some(({ status }) => status === 202))
    notApplicable('the server accepts several concurrent actions with 202 before one of them takes effect');
  const names = won.map(({ request }) => request.operation as InvoiceAction);
  const leads = new Map([...known].map(([action, { to }]) => [action, to] as const));
  const placeOf = (found: JsonObject | null): StateOrGone => (isInvoiceState(found?.status) ? found.status : null);
  const fits = (end: StateOrGone) =>
    isSerializable(state, names, end, leads) || isSingleActionOutcome(names, end, rivals, leads);
  const left = hasLeftState(state, names.includes('delete'));
  // A stale replica may show a state in between.
  const { record, response: seen } = await waitForInvoice(
    ctx,
    invoice.id,
    (found) => left(found) && fits(placeOf(found)),
    'ends concurrent actions',
  );
  const tookMs = performance.now() - Math.min(...responses.map(({ sentAt }) => sentAt));
  const end = placeOf(record);
  if (end === null) ctx.run.leftovers.recordDeleted(invoice.id);
  else recordInvoiceState(ctx, { id: invoice.id, state: end });

  if (fits(end)) {
    // A resolution may have changed the amount.
    if (end !== null && !rivals.includes('resolve')) addSpareInvoice(ctx, { ...invoice, state: end });
    return;
  }
  disableSpareInvoices(ctx);
  for (const action of new Set(names)) await skipUnlessImmediate(ctx, action);
  const [first, second] = names;
  if (first && second) await blockIfAcceptedSequentially(ctx, first, second, leads);
  // A dispute may expire, or an approved invoice may be paid when due, between the last response and the read.
  const passed = [state, ...names.flatMap((name) => leads.get(name) ?? [])].filter((each) => each !== end);
  await skipIfChangesSpontaneously(ctx, [...new Set(passed)], observationTimeFor(tookMs));
  const last = won.at(-1) ?? responses[0] ?? seen;
  const shown = names.length === 0 ? 'none' : names.join(', ');
  const because = `of ${requestCount} concurrent actions (${rivals.join(', ')}) the server accepted: ${shown}; the invoice is ${end ?? 'gone'}`;
  throw breach(
    ctx,
    last,
    `a final state that results from the accepted actions in some order, starting in ${state}`,
    because,
    [...won.slice(0, -1), seen],
  );
}

/**
 * A single accepted action may lead to another state than before, for example because of the amount. This does not hold if
 * only a rejected rival leads there.
 */
function isSingleActionOutcome(
  names: readonly InvoiceAction[],
  end: StateOrGone,
  rivals: readonly InvoiceAction[],
  leads: ReadonlyMap<InvoiceAction, StateOrGone>,
): boolean {
  const [winner] = names;
  return names.length === 1 && rivals.every((rival) => rival === winner || leads.get(rival) !== end);
}

/**
 * Throws Blocked when the server also accepts the winning actions one after the other, because then concurrency is not the
 * cause.
 */
async function blockIfAcceptedSequentially(
  ctx: CheckContext,
  first: InvoiceAction,
  second: InvoiceAction,
  leads: ReadonlyMap<InvoiceAction, StateOrGone>,
): Promise<void> {
  const state = leads.get(first);
  if (!state || lifecycle.offered[state].includes(second)) return;
  const invoice = await createInvoiceInState(ctx, state);
  const response = await sendAction(ctx, second, invoice.id, { as: ctx.credentials(partyFor(ctx, second)) });
  if (isSuccess(response))
    blockedBy(
      rejectedCheckId(state, second),
      `the server accepts the ${second} action in ${state} even when no other request is running`,
    );
}
