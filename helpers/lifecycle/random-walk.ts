import { type InvoiceAction, type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import { probeActionEffect } from '../adaptation/action-effect.ts';
import { isBusinessRule } from '../api/error-codes.ts';
import { sendAction } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import type { CheckContext } from '../context/check-context.ts';
import { createIdenticalInvoices } from '../fixtures/identical-invoices.ts';
import { addSpareInvoice, disableSpareInvoices } from '../fixtures/spare-invoices.ts';
import { otherPartyCredentials, partyFor, performAction } from '../invoices/acting-party.ts';
import { hasLeftState, waitForInvoice } from '../invoices/find-invoice.ts';
import { type Invoice, isInvoiceState, recordInvoiceState } from '../invoices/invoices.ts';
import { blockIfEffectLate } from '../invoices/late-effect.ts';

/** One step of a walk. What is called becomes clear when the state of its invoice is known. */
export interface Step {
  /** Which of the walk's invoices. */
  invoice: number;
  /** Onwards, by an action that the state offers; otherwise every action is tried that it does not offer. */
  onwards: boolean;
  /** Which of the offered actions, or who tries the others. */
  pick: number;
}

export const INVOICES_PER_WALK = 3;

/** The actions that each state offers, those more often that lead far. */
const WEIGHTED_ACTIONS: Record<InvoiceState, readonly InvoiceAction[]> = {
  DRAFT: ['submit', 'submit', 'submit', 'submit', 'delete'],
  SUBMITTED: ['dispute', 'approve', 'dispute', 'approve', 'dispute', 'cancel'],
  APPROVED: ['settle'],
  DISPUTED: ['resolve'],
  SETTLED: [],
  CANCELLED: [],
};

/** What a walk found: an action accepted or refused against the table, a trace of a refusal, or an invoice that was not named. */
export type FindingKind = 'accepted' | 'refused' | 'trace' | 'other invoice';

/** The first thing in a walk that the table does not allow. */
export interface Finding {
  kind: FindingKind;
  response: ApiResponse;
  expected: string;
  because: string;
  /** The state that an invoice was taken to stay in, for how long, in milliseconds, and whether a dispute had led there; null where that does not matter. */
  assumedState: { state: InvoiceState; ms: number; resolved: boolean } | null;
}

/** The state that an invoice of the walk is in, as far as the walk knows; null when it is gone. */
interface WalkInvoice {
  id: string;
  name: string;
  state: InvoiceState | null;
  /** When it was seen in it, as `performance.now()` tells it. */
  seenAtMs: number;
  resolved: boolean;
}

/** Walks new invoices through the lifecycle, and stops at the first thing that the table does not allow. */
export async function walk(ctx: CheckContext, steps: readonly Step[]): Promise<Finding | null> {
  const made = await createIdenticalInvoices(ctx, INVOICES_PER_WALK);
  const since = performance.now();
  const walkers = made.map(
    ({ id, state }, at): WalkInvoice => ({ id, state, seenAtMs: since, name: `invoice ${'ABC'[at]}`, resolved: false }),
  );
  const calls: string[] = [];
  for (const step of steps) {
    const walker = walkers[step.invoice % walkers.length] as WalkInvoice;
    if (walker.state === null) continue;
    const ways = boundActions(ctx, WEIGHTED_ACTIONS[walker.state]);
    const finding =
      step.onwards && ways.length > 0
        ? await advance(ctx, walker, ways[step.pick % ways.length] as InvoiceAction, calls)
        : await tryRejectedActions(ctx, walker, step.pick, calls);
    if (finding) return withCallHistory(ctx, finding, calls);
  }
  const finding = await findDeviation(ctx, walkers);
  if (finding) return withCallHistory(ctx, finding, calls);
  for (const [at, { state, resolved }] of walkers.entries()) {
    // A resolution may have moved the amount.
    if (state === 'APPROVED' && !resolved) addSpareInvoice(ctx, { ...(made[at] as Invoice), state });
  }
  return null;
}

function withCallHistory(ctx: CheckContext, finding: Finding, calls: readonly string[]): Finding {
  disableSpareInvoices(ctx);
  return { ...finding, because: `${finding.because}; the calls were: ${calls.join(', ')}` };
}

function boundActions(ctx: CheckContext, actions: readonly InvoiceAction[]): InvoiceAction[] {
  return actions.filter((action) => ctx.target.operations[action]);
}

async function advance(
  ctx: CheckContext,
  walker: WalkInvoice,
  action: InvoiceAction,
  calls: string[],
): Promise<Finding | null> {
  const from = walker.state as InvoiceState;
  calls.push(`${action} ${walker.name} (${from})`);
  const { to } = await probeActionEffect(ctx, action);
  const response = await performAction(ctx, action, walker.id);
  if (!isSuccess(response)) {
    // How a sandbox treasury is filled is not shown, nor whether a dispute can be resolved, or raised, a second time.
    const excused = isBusinessRule(response) || (action === 'resolve' && walker.resolved);
    if (excused) return null;
    // Its first answer got lost: what it did may be why it is refused now.
    if (response.mayHaveDuplicatedMutation) return await refreshState(ctx, walker);
    const moved = await findDeviation(ctx, [walker]);
    if (moved) return moved;
    const because = `${action} of ${walker.name} was refused in ${from}`;
    const expected = `${action} accepted in ${from}, which offers it`;
    return { kind: 'refused', response: response, expected, because, assumedState: null };
  }
  const { record, held } = await waitForInvoice(ctx, walker.id, (found) => (found?.status ?? null) === to);
  if (!held && record?.status === from) await blockIfEffectLate(ctx, { id: walker.id, from, response: response });
  walker.resolved ||= action === 'resolve';
  walker.state = isInvoiceState(record?.status) ? record.status : null;
  walker.seenAtMs = performance.now();
  if (walker.state === null) ctx.run.recordDeleted(walker.id);
  else recordInvoiceState(ctx, { id: walker.id, state: walker.state });
  return null;
}

/** The state that an invoice is seen in is the one that it is in. */
async function refreshState(ctx: CheckContext, walker: WalkInvoice): Promise<null> {
  const { record } = await waitForInvoice(ctx, walker.id, hasLeftState(walker.state, true));
  walker.state = isInvoiceState(record?.status) ? record.status : null;
  walker.seenAtMs = performance.now();
  return null;
}

async function tryRejectedActions(
  ctx: CheckContext,
  walker: WalkInvoice,
  pick: number,
  calls: string[],
): Promise<Finding | null> {
  const from = walker.state as InvoiceState;
  const actions = boundActions(ctx, lifecycle.actions).filter((action) => !lifecycle.offered[from].includes(action));
  const moved = await findDeviation(ctx, [walker]);
  if (moved) return moved;
  calls.push(`in vain ${actions.join(', ')} ${walker.name} (${from})`);
  const responses = await Promise.all(
    actions.map((action) => {
      const party = partyFor(ctx, action);
      const as = (pick % 2 === 1 && otherPartyCredentials(ctx, party)) || ctx.credentials(party);
      return sendAction(ctx, action, walker.id, { as });
    }),
  );
  const [last] = responses;
  if (!last) return null;
  const wrong = responses.find(isSuccess);
  const tried = wrong ? wrong.request.operation : actions.join(', ');
  const expected = `${tried} refused in ${from}, which does not offer it, and no trace of it`;
  if (wrong) {
    const because = `${tried} of ${walker.name} was accepted in ${from}`;
    return { kind: 'accepted', response: wrong, expected, because, assumedState: assumedStateOf(walker) };
  }
  const { record } = await waitForInvoice(ctx, walker.id, (found) => found?.status === from);
  if (record?.status === from) return null;
  const now = String(record?.status ?? 'gone');
  const because = `${tried} of ${walker.name} were refused in ${from}, and it is ${now} now`;
  return { kind: 'trace', response: last, expected, because, assumedState: assumedStateOf(walker) };
}

function assumedStateOf({ state, seenAtMs, resolved }: WalkInvoice): Finding['assumedState'] {
  return state && { state, ms: performance.now() - seenAtMs, resolved };
}

/** An invoice that is not where the calls that named it have left it. */
async function findDeviation(ctx: CheckContext, walkers: readonly WalkInvoice[]): Promise<Finding | null> {
  for (const walker of walkers) {
    const { id, name, state } = walker;
    const { record, response } = await waitForInvoice(ctx, id, (found) => (found?.status ?? null) === state);
    const now = record?.status ?? null;
    if (now === state) {
      walker.seenAtMs = performance.now();
      continue;
    }
    const expected = `${name} ${state ?? 'gone'}, where the calls that name it have left it`;
    const because = `${name} is ${String(now ?? 'gone')}`;
    return { kind: 'other invoice', response: response, expected, because, assumedState: assumedStateOf(walker) };
  }
  return null;
}
