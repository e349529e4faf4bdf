import { runState } from '../../engine/ledger/run-ledger.ts';
import { describeResponse } from '../../engine/model/messages.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import { type InvoiceState, lifecycle } from '../../specs/contract/lifecycle.ts';
import { sendAction } from '../api/operations.ts';
import { type ApiResponse, bodyMember, isBusinessRule, isSuccess } from '../api/responses.ts';
import { expectAccepted } from '../assert/expect.ts';
import { blockIfForbidden, limitReached, notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResultBy } from '../context/shared-result.ts';
import { LARGE_AMOUNT, LOW_AMOUNT, SMALL_AMOUNTS } from '../data/amounts.ts';
import { extremeValues } from '../data/invoice-body.ts';
import { performAction } from '../invoices/acting-party.ts';
import { exclusively } from '../invoices/exclusive-section.ts';
import { findInList, findInvoice, findSettledInvoice } from '../invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, ifReachable } from '../invoices/invoices.ts';
import { nonexistentId } from '../invoices/nonexistent-id.ts';
import { spontaneousChangeInGroup } from './group-spontaneous-change.ts';
import { type Trial, trialOn } from './repeated-rejection.ts';
import {
  haveKeptState,
  skipIfChangeObserved,
  spontaneousChangeOf,
  UntouchedGroup,
  waitForFirstChange,
} from './untouched-group.ts';

interface SpontaneousChangeProbe {
  watchedMs: number;
  /** The new state of an untouched invoice; null when it stayed unchanged. */
  became: string | null;
}

const OBSERVATION_MARGIN_MS = 1000;
const MIN_OBSERVATION_MS = 1500;
const MAX_OBSERVATION_MS = 24_000;

/**
 * The time to observe controls, in milliseconds, if an invoice may have changed spontaneously within `ms`, up to a maximum. The
 * controls are many, so that a change at random shows in one of them.
 */
export function observationTimeFor(ms: number): number {
  return Math.min(ms + OBSERVATION_MARGIN_MS, MAX_OBSERVATION_MS);
}

/**
 * Expects an action that the state of an invoice offers to be accepted. Throws NotApplicable after a spontaneous
 * change or a rejection by a rule of the server.
 */
export async function expectOffered(
  ctx: CheckContext,
  invoice: Invoice,
  response: ApiResponse,
  what: string,
): Promise<void> {
  const moved = !isSuccess(response) && (await findInvoice(ctx, invoice.id)).record?.status !== invoice.state;
  if (moved) await skipUnlessUnchangedUntil(ctx, invoice, response.sentAt);
  if (response.status === 403) await blockIfActionForbidden(ctx, invoice, response);
  if (response.status === 404 && response.request.actor === 'buyer') await blockIfHiddenFromBuyer(ctx, invoice);
  skipIfRejectedByRule(response, what);
  if (response.status === 409) await blockIfLimitReached(ctx, invoice, response);
  expectAccepted(ctx, response, what);
}

function skipIfRejectedByRule(response: ApiResponse, what: string): void {
  if (isBusinessRule(response)) notApplicable(`a rule of this server rejects ${what}: ${describeResponse(response)}`);
}

/** Throws Blocked if the server rejects the action on another invoice in this state, too, with the same code of its own. */
async function blockIfLimitReached(ctx: CheckContext, { state }: Invoice, rejection: ApiResponse): Promise<void> {
  const action = lifecycle.actions.find((each) => each === rejection.request.operation);
  const limit = action ? limitReached(ctx, rejection) : null;
  if (!action || !limit) return;
  const [other] = await ifReachable(() => createInvoiceInState(ctx, state));
  const control = other && (await performAction(ctx, action, other.id));
  if (control?.status === rejection.status && bodyMember(control, 'code') === bodyMember(rejection, 'code'))
    throw limit;
}

/**
 * The contract does not say which key may do what. Throws Blocked if the same key also gets a 403 for this action
 * on another invoice.
 */
async function blockIfActionForbidden(ctx: CheckContext, { state }: Invoice, rejection: ApiResponse): Promise<void> {
  const { request } = rejection;
  const action = lifecycle.actions.find((each) => each === request.operation);
  if (!action || !request.actor) return;
  const other = state === 'DRAFT' ? 'SUBMITTED' : 'DRAFT';
  const [elsewhere] = await ifReachable(() => createInvoiceInState(ctx, other));
  const control = await sendAction(ctx, action, elsewhere?.id ?? (await nonexistentId(ctx)), {
    as: ctx.credentials(request.actor),
  });
  if (control.status === 403) blockIfForbidden(rejection);
}

/**
 * A key of another organization also gets a 404. Throws Blocked if the buyer's key neither reads nor lists the invoice, so that nothing
 * tells a wrong key from a server that hides the invoice.
 */
async function blockIfHiddenFromBuyer(ctx: CheckContext, { id, state }: Invoice): Promise<void> {
  const [seen] = await ifReachable(() => Promise.all([findInvoice(ctx, id, 'buyer'), findInList(ctx, id, 'buyer')]));
  if (!seen || seen.some(({ record }) => record !== null)) return;
  const owner = `the organization ${ctx.organizationId('buyer')}`;
  const because = `the buyer's key can neither read nor list a ${state} invoice of ${owner}: use a key of this organization; if it is one, the server hides the invoice from its buyer`;
  throw new Blocked('actors.buyer of the target file', because);
}

/**
 * Throws NotApplicable if an untouched invoice may change its state until a moment of `performance.now()`. The state is unexpected after
 * the rejected actions on the invoice and the request of `response`.
 */
export async function skipUnlessUnchangedUntil(
  ctx: CheckContext,
  invoice: Invoice,
  until: number,
  response?: ApiResponse,
): Promise<void> {
  const { state, created } = invoice;
  const observedMs = observationTimeFor(until - created.sentAt);
  await skipIfChangesSpontaneously(ctx, [state], observedMs, trialOn(ctx, invoice, response));
}

type ProbesByState = Map<InvoiceState, Promise<SpontaneousChangeProbe>>;

const probesOf = runState((): ProbesByState => new Map());

/**
 * The control for an invoice that must stay unchanged: an untouched invoice in the same state. Throws NotApplicable
 * if that one has a spontaneous change, such as payment on the due date or expiry. A `trial` with the same result on further
 * invoices stands for a large group of untouched ones.
 */
export async function skipIfChangesSpontaneously(
  ctx: CheckContext,
  states: readonly InvoiceState[],
  withinMs: number,
  trial?: Trial,
): Promise<void> {
  // A scheduled payment run or expiry changes the invoices of that moment, and no later ones.
  for (const state of states) skipIfChangeObserved(ctx, state, await spontaneousChangeOf(ctx, state));
  await skipIfChangesDuringExclusive(ctx, states, withinMs, trial);
}

/** The same as `skipIfChangesSpontaneously`, for invoices that are observed in an exclusive section. */
export async function skipIfChangesDuringExclusive(
  ctx: CheckContext,
  states: readonly InvoiceState[],
  withinMs: number,
  trial?: Trial,
): Promise<void> {
  const seen = await Promise.all(
    states.map(async (state) => {
      const immediate = await immediateChangeOf(ctx, state);
      if (immediate !== null) return [state, immediate] as const;
      // The group is observed at the same time, because each of the two takes as long as the invoice may have had.
      const [areStable, inGroup] = await Promise.all([
        hasStableControls(ctx, state, withinMs),
        spontaneousChangeInGroup(ctx, state, withinMs, trial),
      ]);
      return [state, areStable ? inGroup : await probeFor(ctx, probesOf(ctx.run), state, withinMs)] as const;
    }),
  );
  for (const [state, became] of seen) skipIfChangeObserved(ctx, state, became);
}

/**
 * Whether untouched invoices stayed in a state for this time while the kit changed others. They are created once, so
 * later calls observe them for longer; a changed one needs an exclusive observation.
 */
async function hasStableControls(ctx: CheckContext, state: InvoiceState, withinMs: number): Promise<boolean> {
  return await haveKeptState(ctx, await controlsIn(ctx, state), state, withinMs);
}

const controlsIn = sharedResultBy(
  async (ctx, state: InvoiceState) => new UntouchedGroup(await createControlInvoices(ctx, state)),
);

/**
 * The state of an ordinary invoice that never shows the state to which the server says it has moved it; null if it shows that state.
 * One invoice is enough to see this, so no group is created.
 */
const immediateChangeOf = sharedResultBy(async (ctx, state: InvoiceState): Promise<string | null> => {
  const [control] = (await controlsIn(ctx, state)).invoices;
  if (!control || (await findSettledInvoice(ctx, control)).isMet) return null;
  return await exclusively(ctx, async (ctx) => {
    const { isMet, record } = await findSettledInvoice(ctx, await createInvoiceInState(ctx, state));
    return isMet ? null : String(record?.status ?? 'gone');
  });
});

/** An ordinary invoice, and variants that a rule may treat differently. */
async function createControlInvoices(ctx: CheckContext, state: InvoiceState): Promise<Invoice[]> {
  const usual = await Promise.all(
    [{}, ...extremeValues(ctx)].map((changes) => createInvoiceInState(ctx, state, changes)),
  );
  const unusual = unusualAmounts(state).map((amount) =>
    ifReachable(() => createInvoiceInState(ctx, state, { amount })),
  );
  return [...usual, ...(await Promise.all(unusual)).flat()];
}

/** One observation for all callers, and a longer one if it was too short. */
async function probeFor(
  ctx: CheckContext,
  probesByState: ProbesByState,
  state: InvoiceState,
  withinMs: number,
): Promise<string | null> {
  for (;;) {
    const known = probesByState.get(state);
    const kept = await known;
    if (kept && (kept.became !== null || kept.watchedMs >= withinMs)) return kept.became;
    // Another caller may have started a longer observation.
    if (probesByState.get(state) === known)
      probesByState.set(state, observeUntouched(ctx, state, probeDurationFor(withinMs)));
  }
}

/** The observation time, doubled until it is long enough, so that few callers need another one. */
function probeDurationFor(withinMs: number): number {
  let watched = MIN_OBSERVATION_MS;
  while (watched < withinMs) watched *= 2;
  return watched;
}

/** Large payments are left out for SETTLED, because they use the funds of other checks. */
function unusualAmounts(state: InvoiceState): string[] {
  return state === 'SETTLED' ? [LOW_AMOUNT] : [SMALL_AMOUNTS[0], LOW_AMOUNT, LARGE_AMOUNT];
}

/** Observes invoices in an exclusive section. */
async function observeUntouched(
  ctx: CheckContext,
  state: InvoiceState,
  withinMs: number,
): Promise<SpontaneousChangeProbe> {
  return await exclusively(ctx, async (ctx) => {
    return {
      watchedMs: withinMs,
      became: await waitForFirstChange(ctx, await createControlInvoices(ctx, state), state, withinMs),
    };
  });
}
