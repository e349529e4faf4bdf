import { describeResponse } from '../../engine/model/messages.ts';
import { type InvoiceState, lifecycle } from '../../specs/lifecycle.ts';
import { isOwnRule } from '../api/error-codes.ts';
import { act } from '../api/operations.ts';
import type { ApiResponse } from '../api/responses.ts';
import { isSuccess } from '../api/responses.ts';
import { expectAccepted } from '../assert/expect.ts';
import { expectPermitted, notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { LARGE_SUM, LITTLE_SUM, SMALL_SUMS } from '../data/amounts.ts';
import { extremes } from '../data/invoice-body.ts';
import { actingQuietly } from '../invoices/exclusively.ts';
import { look } from '../invoices/find-invoice.ts';
import { type Invoice, reach, whereReachable } from '../invoices/invoices.ts';
import { absentId } from '../invoices/nonexistent-id.ts';
import { groupBecomes } from './group-spontaneous-change.ts';
import { expectStayedSo, firstMoved, haveStayed, type Untouched } from './untouched-group.ts';
import { becameByItself } from './untouched-invoices.ts';

interface Vigil {
  watchedMs: number;
  /** What became of an invoice in that state while nobody touched it; null when it stayed. */
  became: string | null;
}

const MARGIN_MS = 1000;
const LEAST_WATCH_MS = 1500;
const LONGEST_WATCH_MS = 24_000;

/** How long to watch, in milliseconds, for what may have happened by itself within so many; there is an end to patience. */
export function longerThan(ms: number): number {
  return Math.min(2 * ms + MARGIN_MS, LONGEST_WATCH_MS);
}

/**
 * An action that the state of an invoice offers is accepted. Throws NotApplicable when the invoice had left that state by itself,
 * or a rule of business is in the way.
 */
export async function expectOffered(lab: Lab, invoice: Invoice, answer: ApiResponse, what: string): Promise<void> {
  const moved = !isSuccess(answer) && (await look(lab, invoice.id)).record?.status !== invoice.state;
  if (moved) await expectStayed(lab, invoice, answer.sentAt);
  if (answer.status === 403) await expectPermission(lab, invoice, answer);
  if (isOwnRule(answer))
    notApplicable(`${what} is refused by a rule of this server's own: ${describeResponse(answer)}`);
  expectAccepted(lab, answer, what);
}

/** Which key may do what is not shown. Throws Blocked where the same key gets 403 for the same action on any other invoice, too. */
async function expectPermission(lab: Lab, { state }: Invoice, refusal: ApiResponse): Promise<void> {
  const { ask } = refusal;
  const action = lifecycle.actions.find((each) => each === ask.operation);
  if (!action || !ask.actor) return;
  const other = state === 'DRAFT' ? 'SUBMITTED' : 'DRAFT';
  const [elsewhere] = await whereReachable(() => reach(lab, other));
  const control = await act(lab, action, elsewhere?.id ?? (await absentId(lab)), { as: lab.who(ask.actor) });
  if (control.status === 403) expectPermitted(refusal);
}

/** An invoice was in its state until a moment of `performance.now()`, if nobody touched it; throws NotApplicable otherwise. */
export async function expectStayed(lab: Lab, { state, created }: Invoice, until: number): Promise<void> {
  await expectStaysByItself(lab, [state], longerThan(until - created.sentAt));
}

type Vigils = Map<InvoiceState, Promise<Vigil>>;

/**
 * The control of everything that must not move: an invoice in the same state that nobody touches. Where that one moves, too
 * (paid when due, expired), the contract has nothing against it, and this throws NotApplicable.
 */
export async function expectStaysByItself(lab: Lab, states: readonly InvoiceState[], withinMs: number): Promise<void> {
  // A payment run or an expiry of every full minute catches who was there at that moment, and no later one.
  for (const state of states) expectStayedSo(lab, state, await becameByItself(lab, state));
  await expectStaysWhileQuiet(lab, states, withinMs);
}

/** As `expectStaysByItself`, by what becomes of an invoice while the kit does nothing at all, to any other one either. */
export async function expectStaysWhileQuiet(
  lab: Lab,
  states: readonly InvoiceState[],
  withinMs: number,
): Promise<void> {
  const vigils: Vigils = await lab.run.once('by itself', async () => new Map());
  const seen = await Promise.all(
    states.map(async (state) => {
      if (!(await twinsStay(lab, state, withinMs))) return [state, await vigil(lab, vigils, state, withinMs)] as const;
      return [state, await groupBecomes(lab, state, withinMs)] as const;
    }),
  );
  for (const [state, became] of seen) expectStayedSo(lab, state, became);
}

/**
 * Whether invoices that nobody touches were seen to stay in a state for as long, whatever the kit did to others meanwhile. They are
 * made once, and stay the longer the later they are looked at; where one has moved, something else may have moved it.
 */
async function twinsStay(lab: Lab, state: InvoiceState, withinMs: number): Promise<boolean> {
  const twins = await lab.run.once(`twins: ${state}`, async (): Promise<Untouched> => {
    const invoices = await twinsIn(lab, state);
    return { invoices, since: performance.now() };
  });
  return await haveStayed(lab, twins, state, withinMs);
}

/** A usual invoice, and those that a rule may treat in its own way. */
async function twinsIn(lab: Lab, state: InvoiceState): Promise<Invoice[]> {
  const usual = await Promise.all([{}, ...extremes(lab)].map((changes) => reach(lab, state, changes)));
  const unusual = unusualSums(state).map((amount) => whereReachable(() => reach(lab, state, { amount })));
  return [...usual, ...(await Promise.all(unusual)).flat()];
}

/** One watch for all who ask, and another where that one was too short. */
async function vigil(lab: Lab, vigils: Vigils, state: InvoiceState, withinMs: number): Promise<string | null> {
  for (;;) {
    const known = vigils.get(state);
    const kept = await known;
    if (kept && (kept.became !== null || kept.watchedMs >= withinMs)) return kept.became;
    // Somebody may have begun a longer one meanwhile.
    if (vigils.get(state) === known) vigils.set(state, watch(lab, state, watchFor(withinMs)));
  }
}

/** Twice as long again and again, so that hardly anybody needs another watch. */
function watchFor(withinMs: number): number {
  let watched = LEAST_WATCH_MS;
  while (watched < withinMs) watched *= 2;
  return watched;
}

/** Large payments are no matter of course: they take what others want to pay with. */
function unusualSums(state: InvoiceState): string[] {
  return state === 'SETTLED' ? [LITTLE_SUM] : [SMALL_SUMS[0], LITTLE_SUM, LARGE_SUM];
}

/** What becomes of invoices while the kit does nothing at all. */
async function watch(lab: Lab, state: InvoiceState, withinMs: number): Promise<Vigil> {
  return await actingQuietly(lab, async () => {
    return { watchedMs: withinMs, became: await firstMoved(lab, await twinsIn(lab, state), state, withinMs) };
  });
}
