import { setTimeout as pause } from 'node:timers/promises';
import { Blocked, Breach } from '../../engine/model/outcomes.ts';
import { type Attempt, LONGEST_BETWEEN_TRIES_MS, persistently } from '../assert/repeat-experiment.ts';
import { expectCalm, LAST_LOOKS, looksLeft, movesByItself, watchTotal } from '../assert/stable-total.ts';
import type { Lab } from '../context/check-context.ts';
import { createQuietly } from '../invoices/exclusively.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { totalOf } from '../invoices/list-page.ts';

/** Enough for a walk over several pages. */
const MADE = 7;
/** Later than any due date the kit gives otherwise, so that these invoices stand together. */
const LATEST_DUE_DATE_DAYS = 340;
/** A list may show later what was done before: whoever saw a breach looks again in a stillness that lasts longer. */
const LEAST_PATIENCE_MS = 500;
const LONGEST_PATIENCE_MS = 3 * LEAST_PATIENCE_MS;

/** What a check looks at before and after a few creations, while nothing else of the kit's moves. */
export interface Look<Before> {
  before: (dueDate: string) => Promise<Before>;
  after: (made: readonly Invoice[], before: Before) => Promise<void>;
}

interface Stretch {
  /** Whether the total moved although the kit changed nothing. */
  isDisturbed: boolean;
  /** How long nothing had moved before each look, in milliseconds. */
  patienceMs: number;
}

interface Guest {
  lab: Lab;
  /** False for who only reads. */
  wantsInvoices: boolean;
  /** How long nothing has moved before each look, in milliseconds. */
  patienceMs: number;
  before: (dueDate: string) => Promise<void>;
  after: (made: readonly Invoice[], stretch: Stretch) => Promise<void>;
  done: () => void;
  failed: (reason: unknown) => void;
}

/**
 * One quiet stretch for all the checks that wait for one: each looks, a few invoices are created for all of them, each looks
 * again. So the run comes to a standstill once, and not for every check.
 */
class Gathering {
  private waiting: Guest[] = [];
  private stretches = 0;

  async attend(guest: Omit<Guest, 'done' | 'failed'>): Promise<void> {
    await new Promise<void>((done, failed) => {
      this.waiting.push({ ...guest, done, failed });
      // Whoever comes first waits for all who come meanwhile.
      if (this.waiting.length === 1) guest.lab.run.invoices.quiet(guest.lab.asking.id, () => this.hold()).catch(failed);
    });
  }

  private async hold(): Promise<void> {
    // Other checks that have failed join the same long stretch, instead of asking for one of their own.
    if (this.waiting.some(({ lab, patienceMs }) => patienceMs >= mostPatience(lab)))
      await pause(LONGEST_BETWEEN_TRIES_MS);
    const guests = this.waiting.splice(0);
    this.stretches += 1;
    const days = LATEST_DUE_DATE_DAYS + this.stretches;
    // A date of its own for each stretch: what an earlier one left would change the pages.
    const dueDate = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const patienceMs = Math.max(...guests.map((guest) => guest.patienceMs));
    const isDisturbed = await this.isMoving(guests, patienceMs);
    const ready = await remaining(guests, ({ before }) => before(dueDate));
    const host = ready.find(({ wantsInvoices }) => wantsInvoices);
    let made: readonly Invoice[] = [];
    try {
      if (host) made = await createdFor(host.lab, dueDate);
    } catch (error) {
      for (const { failed } of ready) failed(error);
      return;
    }
    for (const { lab, wantsInvoices } of ready) {
      if (wantsInvoices && lab !== host?.lab) lab.shares(made.map(({ created }) => created));
    }
    // Where nothing was created, all that may show late has had its time already.
    if (made.length > 0) await pause(patienceMs);
    for (const { done } of await remaining(ready, ({ after }) => after(made, { isDisturbed, patienceMs }))) done();
  }

  /** Waits, and tells whether the total has moved meanwhile. */
  private async isMoving([first]: readonly Guest[], patienceMs: number): Promise<boolean> {
    if (!first || patienceMs === 0) return false;
    const [totals] = await Promise.all([
      watchTotal(() => totalOf(first.lab), patienceMs).catch(unlistable),
      pause(patienceMs),
    ]);
    return totals.size > 1;
  }
}

/** Due so late that they stand together, where the server lets them. */
async function createdFor(lab: Lab, dueDate: string): Promise<Invoice[]> {
  try {
    return await createQuietly(lab, MADE, { dueDate });
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    return await createQuietly(lab, MADE);
  }
}

/** Lets all guests do something at once, and tells who got through it. */
async function remaining(guests: readonly Guest[], act: (guest: Guest) => Promise<void>): Promise<Guest[]> {
  const through = await Promise.all(
    guests.map(async (guest) => {
      try {
        await act(guest);
        return [guest];
      } catch (error) {
        guest.failed(error);
        return [];
      }
    }),
  );
  return through.flat();
}

/** Where the list cannot be had, whoever looks at it says so. */
function unlistable(error: unknown): ReadonlySet<number> {
  if (error instanceof Blocked) return new Set();
  throw error;
}

/** The last try is as patient as the target file says that one has to be. */
function patience(lab: Lab, { number, isLast }: Attempt): number {
  return isLast ? mostPatience(lab) : (number - 1) * LEAST_PATIENCE_MS;
}

function mostPatience(lab: Lab): number {
  return Math.max(LONGEST_PATIENCE_MS, lab.target.limits.settleWithinMs);
}

const gatheringOf = (lab: Lab) => lab.run.once('gathering', async () => new Gathering());

/** Looks before and after a few creations, together with all checks that want to. What fails every time is a breach. */
export async function aroundCreations<Before>(lab: Lab, look: Look<Before>): Promise<void> {
  const gathering = await gatheringOf(lab);
  await persistently(lab, async (attempt) => {
    lab.insistOnPreconditions();
    let seen: Before;
    await gathering.attend({
      lab,
      wantsInvoices: true,
      patienceMs: patience(lab, attempt),
      before: async (dueDate) => {
        seen = await look.before(dueDate);
      },
      after: (made, stretch) => unlessDisturbed(lab, attempt, stretch, () => look.after(made, seen)),
    });
  });
}

/** Looks at a few invoices made just before. */
export async function afterCreations(lab: Lab, after: (made: readonly Invoice[]) => Promise<void>): Promise<void> {
  await aroundCreations(lab, { before: async () => {}, after });
}

/** Looks while nothing of the kit's moves; creates nothing itself. */
export async function meanwhileUnmoved(lab: Lab, look: () => Promise<void>): Promise<void> {
  const gathering = await gatheringOf(lab);
  await persistently(lab, async (attempt) => {
    lab.insistOnPreconditions();
    await gathering.attend({
      lab,
      wantsInvoices: false,
      patienceMs: patience(lab, attempt),
      before: async () => {},
      after: (_, stretch) => unlessDisturbed(lab, attempt, stretch, look),
    });
  });
}

/** What looks like a breach says nothing where others create and delete all the time: throws NotApplicable then. */
async function unlessDisturbed(
  lab: Lab,
  attempt: Attempt,
  { isDisturbed, patienceMs }: Stretch,
  look: () => Promise<void>,
): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof Breach)) throw error;
    if (isDisturbed) movesByItself(lab, 'it changed while the kit waited');
    // A later try in a stretch as long as that of the last try is as good as the last.
    if (attempt.number > 1 && patienceMs >= mostPatience(lab)) attempt.isLast = true;
    if (attempt.isLast) await expectCalm(lab, () => totalOf(lab), looksLeft(LAST_LOOKS, patienceMs));
    throw error;
  }
}
