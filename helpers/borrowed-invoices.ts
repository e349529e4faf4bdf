import { setTimeout as pause } from 'node:timers/promises';
import type { Run } from '../engine/run.ts';
import { type InvoiceState, lifecycle } from '../specs/lifecycle.ts';
import { actionTrial } from './binding-proof.ts';
import { type Invoice, reach } from './invoices.ts';
import type { Lab } from './lab.ts';
import { look } from './look.ts';

/** An invoice that checks use one after the other. */
interface Shelf {
  invoice: Invoice | null;
  /** Settles when whoever uses it has ended. */
  turn: Promise<void>;
  /** A check that used it did not pass: each takes an invoice of its own from then on, and waits for nobody. */
  closed: boolean;
}

const shelves = new WeakMap<Run, Map<string, Shelf>>();

/** Nothing removes an invoice in these states: each that is made for one check alone stays behind. */
const SHARED: ReadonlySet<InvoiceState> = new Set(['APPROVED', 'SETTLED']);
/** Whoever has waited so long for a turn, in milliseconds, takes an invoice of its own. */
const LONGEST_WAIT_MS = 5000;

/** What is lent: how to make it, and what may be there already. */
export interface Lendable {
  /** By which those that ask for the same kind know each other. */
  kind: string;
  state: InvoiceState;
  make: () => Promise<Invoice>;
  atHand?: () => Promise<Invoice | null>;
}

/** Lends an invoice in a state to a check that leaves it there, or says that it is under way; one of its own where it can be removed. */
export async function borrowing(
  lab: Lab,
  state: InvoiceState,
  use: (invoice: Invoice) => Promise<void>,
): Promise<void> {
  const make = () => reach(lab, state);
  if (!SHARED.has(state)) return await use(await make());
  await borrowingOf(lab, { kind: state, state, make, atHand: () => ofTrial(lab, state) }, use);
}

/**
 * Lends an invoice to a check that leaves it in its state. Checks that get the same one use it one after the other, and only as long as
 * all of them pass: a server that moves it in spite of a refusal disturbs none but the check that asked for it.
 */
export async function borrowingOf<T>(lab: Lab, lendable: Lendable, use: (invoice: Invoice) => Promise<T>): Promise<T> {
  return await inTurn(lab, lendable.kind, async (shelf) => {
    const invoice = (shelf && (await taken(lab, shelf, lendable))) ?? (await lendable.make());
    return { used: await use(invoice), invoice };
  });
}

/** Lets a check use an invoice that it makes itself, while nobody uses another of that kind; others may have it afterwards. */
export async function lendingOwn(lab: Lab, kind: string, use: () => Promise<Invoice>): Promise<void> {
  await inTurn(lab, kind, async () => ({ used: undefined, invoice: await use() }));
}

/** `work` gets no shelf where it has to take an invoice of its own, which nobody gets afterwards. */
async function inTurn<T>(
  lab: Lab,
  kind: string,
  work: (shelf: Shelf | null) => Promise<{ used: T; invoice: Invoice }>,
): Promise<T> {
  const shelf = shelfOf(lab.run, kind);
  const before = shelf.turn;
  let done = () => {};
  shelf.turn = new Promise((resolve) => {
    done = resolve;
  });
  try {
    const isOurs = await Promise.race([before.then(() => true), pause(LONGEST_WAIT_MS, false, { ref: false })]);
    if (shelf.closed) done();
    if (shelf.closed || !isOurs) return (await work(null)).used;
    const { used, invoice } = await work(shelf);
    shelf.invoice = invoice.isUnderWay ? null : invoice;
    return used;
  } catch (error) {
    shelf.closed = true;
    throw error;
  } finally {
    void before.then(done);
  }
}

function shelfOf(run: Run, kind: string): Shelf {
  const known = shelves.get(run) ?? new Map<string, Shelf>();
  shelves.set(run, known);
  const shelf = known.get(kind) ?? { invoice: null, turn: Promise.resolve(), closed: false };
  known.set(kind, shelf);
  return shelf;
}

/** The invoice of the shelf, where it is still in its state. */
async function taken(lab: Lab, shelf: Shelf, { state, atHand }: Lendable): Promise<Invoice | null> {
  const { invoice } = shelf;
  shelf.invoice = null;
  const candidate = invoice ?? (await atHand?.());
  if (!candidate) return null;
  return (await look(lab, candidate.id)).record?.status === state ? candidate : null;
}

/** The invoice by which the action that leads to a state was tried. */
async function ofTrial(lab: Lab, state: InvoiceState): Promise<Invoice | null> {
  const action = lifecycle.actions.find((each) => lifecycle.leadsTo[each] === state);
  const trial =
    action && (await lab.run.once(`trial lent: ${state}`, async () => ({ left: await actionTrial(lab, action) })));
  if (!trial?.left) return null;
  const { invoice } = trial.left;
  trial.left = null;
  return { ...invoice, state };
}
