import type { InvoiceState } from '../specs/lifecycle.ts';
import { accepted } from './accepted.ts';
import type { Answer } from './answers.ts';
import { expectAccepted } from './expect.ts';
import { type Invoice, isState, keepTrack, reach } from './invoices.ts';
import type { Lab } from './lab.ts';
import { look, lookUntil } from './look.ts';
import { notApplicable } from './not-judged.ts';
import { actingQuietly } from './quietly.ts';

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

/** An action that the state of an invoice offers is accepted. Throws NotApplicable when the invoice had left that state by itself. */
export async function expectOffered(lab: Lab, invoice: Invoice, answer: Answer, what: string): Promise<void> {
  const moved = !accepted(answer) && (await look(lab, invoice.id)).record?.status !== invoice.state;
  if (moved) await expectStayed(lab, invoice, answer.sentAt);
  expectAccepted(lab, answer, what);
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
  const vigils: Vigils = await lab.run.once('by itself', async () => new Map());
  const seen = await Promise.all(
    states.map(async (state) => [state, await vigil(lab, vigils, state, withinMs)] as const),
  );
  for (const [state, became] of seen) {
    if (became === null) continue;
    lab.observe('moves-by-itself', `${state}: ${became}`);
    notApplicable(`an invoice in ${state} that nobody touches becomes ${became} by itself here`);
  }
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

/** What becomes of an invoice while the kit does nothing at all. */
async function watch(lab: Lab, state: InvoiceState, withinMs: number): Promise<Vigil> {
  return await actingQuietly(lab, async () => {
    const twin = await reach(lab, state);
    const { held, record } = await lookUntil(lab, twin.id, (found) => found?.status !== state, withinMs);
    if (held && isState(record?.status)) keepTrack(lab, { id: twin.id, state: record.status });
    return { watchedMs: withinMs, became: held ? String(record?.status ?? 'gone') : null };
  });
}
