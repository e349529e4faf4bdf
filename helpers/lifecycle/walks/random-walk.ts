import { NoResponse } from '../../../engine/model/outcomes.ts';
import { type InvoiceAction, type InvoiceState, lifecycle } from '../../../specs/contract/lifecycle.ts';
import { probeActionEffect } from '../../adaptation/action-effect.ts';
import { sendAction } from '../../api/operations.ts';
import { isBusinessRule, isSuccess, responseOrUnanswered } from '../../api/responses.ts';
import type { CheckContext } from '../../context/check.ts';
import { createIdenticalInvoices } from '../../fixtures/identical-invoices.ts';
import { addSpareInvoice, disableSpareInvoices } from '../../fixtures/spare-invoices.ts';
import { otherPartyCredentials, partyFor } from '../../invoices/acting-party.ts';
import { findSettledInvoice, hasLeftState, waitForInvoice } from '../../invoices/find-invoice.ts';
import { isInvoiceState, recordInvoiceState } from '../../invoices/invoices.ts';
import { blockIfEffectLate } from '../../invoices/late-effect.ts';
import { recordUnchanged } from '../unchanged-invoices.ts';
import { rememberedAction, rememberedFinding } from './remembered-action.ts';
import { isUnchangedByReplay, performInWalk } from './replayed-submission.ts';
import {
  acceptedAction,
  assumedStatesOf,
  type Finding,
  newWalkInvoice,
  type Step,
  type WalkInvoice,
} from './walk-invoice.ts';

export const INVOICES_PER_WALK = 3;

/** The actions that each state offers, weighted towards long walks. */
const WEIGHTED_ACTIONS: Record<InvoiceState, readonly InvoiceAction[]> = {
  DRAFT: ['submit', 'submit', 'submit', 'submit', 'delete'],
  SUBMITTED: ['dispute', 'approve', 'dispute', 'approve', 'dispute', 'cancel'],
  APPROVED: ['settle'],
  DISPUTED: ['resolve'],
  SETTLED: [],
  CANCELLED: [],
};

/** Walks new invoices through the lifecycle and stops at the first deviation from the table. */
export async function walk(ctx: CheckContext, steps: readonly Step[]): Promise<Finding | null> {
  const count = Math.max(...steps.map(({ invoice }) => (invoice % INVOICES_PER_WALK) + 1));
  const made = await createIdenticalInvoices(ctx, count);
  const since = performance.now();
  const walkers = made.map((each, at) => newWalkInvoice(each, at, since));
  const calls: string[] = [];
  let lastMoved: WalkInvoice | null = null;
  for (const step of steps) {
    const walker = walkers[step.invoice % walkers.length] as WalkInvoice;
    if (walker.state === null) continue;
    const ways = boundActions(ctx, WEIGHTED_ACTIONS[walker.state]);
    // IDEM-03 judges a replay that changes the invoice.
    if (step.replays && !(await isUnchangedByReplay(ctx, walker, calls))) return null;
    const finding =
      step.onwards && ways.length > 0
        ? await advance(ctx, walker, ways[step.pick % ways.length] as InvoiceAction, { calls, byOther: step.byOther })
        : await tryRejectedActions(ctx, walker, step.pick, { calls, wasJustRead: lastMoved === walker });
    if (finding) return withCallHistory(ctx, finding, calls);
    lastMoved = walker;
  }
  const finding = await findDeviation(ctx, walkers);
  if (finding) return withCallHistory(ctx, finding, calls);
  for (const { made, state, resolved, rejected } of walkers) {
    if (state && rejected.size > 0) recordUnchanged(ctx, { ...made, state }, [...rejected].join(', '));
    // A resolution may have changed the amount.
    if (state === 'APPROVED' && !resolved) addSpareInvoice(ctx, { ...made, state });
  }
  return null;
}

function withCallHistory(ctx: CheckContext, finding: Finding, calls: readonly string[]): Finding {
  disableSpareInvoices(ctx);
  return { ...finding, because: `${finding.because}; actions of the sequence: ${calls.join(', ')}` };
}

function boundActions(ctx: CheckContext, actions: readonly InvoiceAction[]): InvoiceAction[] {
  return actions.filter((action) => ctx.target.operations[action]);
}

async function advance(
  ctx: CheckContext,
  walker: WalkInvoice,
  action: InvoiceAction,
  { calls, byOther = false }: { calls: string[]; byOther?: boolean | undefined },
): Promise<Finding | null> {
  const from = walker.state as InvoiceState;
  calls.push(`${action} ${walker.name} (${from})`);
  const { to } = await probeActionEffect(ctx, action);
  const other = byOther ? otherPartyCredentials(ctx, partyFor(ctx, action)) : null;
  const early = other && (await sendAction(ctx, action, walker.id, { as: other }));
  const response = early && isSuccess(early) ? early : await performInWalk(ctx, action, walker);
  if (!isSuccess(response)) {
    // The contract leaves open how a sandbox treasury is funded, and whether a dispute can be raised or resolved twice.
    const excused = isBusinessRule(response) || (action === 'resolve' && walker.resolved);
    if (excused) return null;
    // The first response was lost, so the first attempt may be the reason for the rejection.
    if (response.mayHaveDuplicatedMutation) return await refreshState(ctx, walker);
    const moved = await findDeviation(ctx, [walker]);
    if (moved) return moved;
    const because = `the server rejected the ${action} action on ${walker.name} in ${from}`;
    const expected = `the ${action} action accepted in ${from}, because this state offers it`;
    return { kind: 'rejected', response, expected, because, assumedStates: [] };
  }
  const {
    record,
    isMet,
    response: seen,
  } = await waitForInvoice(ctx, walker.id, (found) => (found?.status ?? null) === to, ctx.target.limits.settleWithinMs);
  if (!isMet && record?.status === from) await blockIfEffectLate(ctx, { id: walker.id, from, response });
  // The contract does not say to which state an action of the other party leads.
  const remembered = isMet || response === early ? null : rememberedAction(walker, record?.status ?? null, to);
  if (remembered) {
    return rememberedFinding(walker, {
      accepted: acceptedAction(action, response),
      from,
      to,
      remembered,
      response: seen,
    });
  }
  walker.accepted.push(acceptedAction(action, response));
  walker.resolved ||= action === 'resolve';
  walker.state = isInvoiceState(record?.status) ? record.status : null;
  walker.seenAtMs = performance.now();
  if (walker.state === null) ctx.run.leftovers.recordDeleted(walker.id);
  else recordInvoiceState(ctx, { id: walker.id, state: walker.state });
  return null;
}

/** Updates the state of the invoice from a read. */
async function refreshState(ctx: CheckContext, walker: WalkInvoice): Promise<null> {
  const { record } = await waitForInvoice(
    ctx,
    walker.id,
    hasLeftState(walker.state, true),
    ctx.target.limits.settleWithinMs,
  );
  walker.state = isInvoiceState(record?.status) ? record.status : null;
  walker.seenAtMs = performance.now();
  return null;
}

async function tryRejectedActions(
  ctx: CheckContext,
  walker: WalkInvoice,
  pick: number,
  { calls, wasJustRead }: { calls: string[]; wasJustRead: boolean },
): Promise<Finding | null> {
  const from = walker.state as InvoiceState;
  const actions = boundActions(ctx, lifecycle.actions).filter((action) => !lifecycle.offered[from].includes(action));
  const moved = wasJustRead ? null : await findDeviation(ctx, [walker]);
  if (moved) return moved;
  calls.push(`sent to ${walker.name} in ${from}, which does not offer them: ${actions.join('/')}`);
  const results = await Promise.all(
    actions.map((action) => {
      const party = partyFor(ctx, action);
      const as = (pick % 2 === 1 && otherPartyCredentials(ctx, party)) || ctx.credentials(party);
      return responseOrUnanswered(() => sendAction(ctx, action, walker.id, { as }));
    }),
  );
  const unanswered = results.find((result) => result instanceof NoResponse);
  const responses = results.flatMap((result) => (result instanceof NoResponse ? [] : [result]));
  const [last] = responses;
  for (const action of actions) walker.rejected.add(action);
  const wrong = responses.find(isSuccess);
  const tried = wrong ? wrong.request.operation : actions.join(', ');
  const expected = `a rejection and an unchanged invoice, because ${from} does not offer ${tried}`;
  if (wrong) {
    const because = `the server accepted the ${tried} action on ${walker.name} in ${from}`;
    return { kind: 'accepted', response: wrong, expected, because, assumedStates: assumedStatesOf(walker) };
  }
  if (unanswered) {
    const because = unanswered.message;
    return { kind: 'unanswered', response: unanswered, expected, because, assumedStates: [] };
  }
  if (!last) return null;
  const { record } = await findSettledInvoice(ctx, { id: walker.id, state: from });
  if (record?.status === from) return null;
  const now = String(record?.status ?? 'gone');
  const because = `the server rejected each action tried on ${walker.name} in ${from} (${tried}), but the invoice is now ${now}`;
  return { kind: 'trace', response: last, expected, because, assumedStates: assumedStatesOf(walker) };
}

/** Finds an invoice whose state differs from the result of the actions on it. */
async function findDeviation(ctx: CheckContext, walkers: readonly WalkInvoice[]): Promise<Finding | null> {
  for (const walker of walkers) {
    const { id, name, state } = walker;
    const { record, response } = await waitForInvoice(
      ctx,
      id,
      (found) => (found?.status ?? null) === state,
      ctx.target.limits.settleWithinMs,
    );
    const now = record?.status ?? null;
    if (now === state) {
      walker.seenAtMs = performance.now();
      continue;
    }
    const expected = `${name} ${state ?? 'gone'}, as after the last action on it`;
    const because = `${name} is ${String(now ?? 'gone')}`;
    return { kind: 'other invoice', response, expected, because, assumedStates: assumedStatesOf(walker) };
  }
  return null;
}
