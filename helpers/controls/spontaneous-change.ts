import { describeResponse } from '../../engine/model/messages.ts';
import { type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import { isBusinessRule } from '../api/error-codes.ts';
import { sendAction } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import { expectAccepted } from '../assert/expect.ts';
import { blockIfForbidden, notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { LARGE_AMOUNT, LOW_AMOUNT, SMALL_AMOUNTS } from '../data/amounts.ts';
import { extremeValues } from '../data/invoice-body.ts';
import { exclusively } from '../invoices/exclusive-section.ts';
import { findInvoice } from '../invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, ifReachable } from '../invoices/invoices.ts';
import { nonexistentId } from '../invoices/nonexistent-id.ts';
import { spontaneousChangeInGroup } from './group-spontaneous-change.ts';
import { haveKeptState, skipIfChangeObserved, type UntouchedGroup, waitForFirstChange } from './untouched-group.ts';
import { spontaneousChangeOf } from './untouched-invoices.ts';

interface SpontaneousChangeProbe {
  watchedMs: number;
  /** What became of an invoice in that state while nobody touched it; null when it stayed. */
  became: string | null;
}

const OBSERVATION_MARGIN_MS = 1000;
const MIN_OBSERVATION_MS = 1500;
const MAX_OBSERVATION_MS = 24_000;

/** How long to watch, in milliseconds, for what may have happened by itself within so many; there is an end to patience. */
export function observationTimeFor(ms: number): number {
  return Math.min(2 * ms + OBSERVATION_MARGIN_MS, MAX_OBSERVATION_MS);
}

/**
 * An action that the state of an invoice offers is accepted. Throws NotApplicable when the invoice had left that state by itself,
 * or a rule of business is in the way.
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
  if (isBusinessRule(response))
    notApplicable(`${what} is refused by a rule of this server's own: ${describeResponse(response)}`);
  expectAccepted(ctx, response, what);
}

/** Which key may do what is not shown. Throws Blocked where the same key gets 403 for the same action on any other invoice, too. */
async function blockIfActionForbidden(ctx: CheckContext, { state }: Invoice, refusal: ApiResponse): Promise<void> {
  const { request } = refusal;
  const action = lifecycle.actions.find((each) => each === request.operation);
  if (!action || !request.actor) return;
  const other = state === 'DRAFT' ? 'SUBMITTED' : 'DRAFT';
  const [elsewhere] = await ifReachable(() => createInvoiceInState(ctx, other));
  const control = await sendAction(ctx, action, elsewhere?.id ?? (await nonexistentId(ctx)), {
    as: ctx.credentials(request.actor),
  });
  if (control.status === 403) blockIfForbidden(refusal);
}

/** An invoice was in its state until a moment of `performance.now()`, if nobody touched it; throws NotApplicable otherwise. */
export async function skipUnlessUnchangedUntil(
  ctx: CheckContext,
  { state, created }: Invoice,
  until: number,
): Promise<void> {
  await skipIfChangesSpontaneously(ctx, [state], observationTimeFor(until - created.sentAt));
}

type ProbesByState = Map<InvoiceState, Promise<SpontaneousChangeProbe>>;

/**
 * The control of everything that must not move: an invoice in the same state that nobody touches. Where that one moves, too
 * (paid when due, expired), the contract has nothing against it, and this throws NotApplicable.
 */
export async function skipIfChangesSpontaneously(
  ctx: CheckContext,
  states: readonly InvoiceState[],
  withinMs: number,
): Promise<void> {
  // A payment run or an expiry of every full minute catches who was there at that moment, and no later one.
  for (const state of states) skipIfChangeObserved(ctx, state, await spontaneousChangeOf(ctx, state));
  await skipIfChangesDuringExclusive(ctx, states, withinMs);
}

/** As `skipIfChangesSpontaneously`, by what becomes of an invoice while the kit does nothing at all, to any other one either. */
export async function skipIfChangesDuringExclusive(
  ctx: CheckContext,
  states: readonly InvoiceState[],
  withinMs: number,
): Promise<void> {
  const vigils: ProbesByState = await ctx.run.memoize('by itself', async () => new Map());
  const seen = await Promise.all(
    states.map(async (state) => {
      if (!(await hasStableControls(ctx, state, withinMs)))
        return [state, await probeFor(ctx, vigils, state, withinMs)] as const;
      return [state, await spontaneousChangeInGroup(ctx, state, withinMs)] as const;
    }),
  );
  for (const [state, became] of seen) skipIfChangeObserved(ctx, state, became);
}

/**
 * Whether invoices that nobody touches were seen to stay in a state for as long, whatever the kit did to others meanwhile. They are
 * made once, and stay the longer the later they are looked at; where one has moved, something else may have moved it.
 */
async function hasStableControls(ctx: CheckContext, state: InvoiceState, withinMs: number): Promise<boolean> {
  const twins = await ctx.run.memoize(`twins: ${state}`, async (): Promise<UntouchedGroup> => {
    const invoices = await createControlInvoices(ctx, state);
    return { invoices, since: performance.now() };
  });
  return await haveKeptState(ctx, twins, state, withinMs);
}

/** A usual invoice, and those that a rule may treat in its own way. */
async function createControlInvoices(ctx: CheckContext, state: InvoiceState): Promise<Invoice[]> {
  const usual = await Promise.all(
    [{}, ...extremeValues(ctx)].map((changes) => createInvoiceInState(ctx, state, changes)),
  );
  const unusual = unusualAmounts(state).map((amount) =>
    ifReachable(() => createInvoiceInState(ctx, state, { amount })),
  );
  return [...usual, ...(await Promise.all(unusual)).flat()];
}

/** One watch for all who ask, and another where that one was too short. */
async function probeFor(
  ctx: CheckContext,
  vigils: ProbesByState,
  state: InvoiceState,
  withinMs: number,
): Promise<string | null> {
  for (;;) {
    const known = vigils.get(state);
    const kept = await known;
    if (kept && (kept.became !== null || kept.watchedMs >= withinMs)) return kept.became;
    // Somebody may have begun a longer one meanwhile.
    if (vigils.get(state) === known) vigils.set(state, observeUntouched(ctx, state, probeDurationFor(withinMs)));
  }
}

/** Twice as long again and again, so that hardly anybody needs another watch. */
function probeDurationFor(withinMs: number): number {
  let watched = MIN_OBSERVATION_MS;
  while (watched < withinMs) watched *= 2;
  return watched;
}

/** Large payments are no matter of course: they take what others want to pay with. */
function unusualAmounts(state: InvoiceState): string[] {
  return state === 'SETTLED' ? [LOW_AMOUNT] : [SMALL_AMOUNTS[0], LOW_AMOUNT, LARGE_AMOUNT];
}

/** What becomes of invoices while the kit does nothing at all. */
async function observeUntouched(
  ctx: CheckContext,
  state: InvoiceState,
  withinMs: number,
): Promise<SpontaneousChangeProbe> {
  return await exclusively(ctx, async () => {
    return {
      watchedMs: withinMs,
      became: await waitForFirstChange(ctx, await createControlInvoices(ctx, state), state, withinMs),
    };
  });
}
