import { setTimeout as pause } from 'node:timers/promises';
import { Blocked, Breach } from '../engine/outcome.ts';
import { expectCalm, MANY_LOOKS } from './calm.ts';
import type { Invoice } from './invoices.ts';
import type { Lab } from './lab.ts';
import { totalOf } from './lists.ts';
import { persistently, TRIES } from './persistently.ts';
import { createQuietly } from './quietly.ts';

/** Enough for a walk over several pages. */
const MADE = 7;
/** Later than any due date the kit gives otherwise, so that these invoices stand together. */
const LATEST_DUE_DATE_DAYS = 340;
/** A list may show later what was done before: whoever saw a breach looks again in a stillness that lasts longer. */
const LEAST_PATIENCE_MS = 500;

/** What a check looks at before and after a few creations, while nothing else of the kit's moves. */
export interface Look<Before> {
  before: (dueDate: string) => Promise<Before>;
  after: (made: readonly Invoice[], before: Before) => Promise<void>;
}

interface Guest {
  lab: Lab;
  /** False for who only reads. */
  wantsInvoices: boolean;
  /** How long nothing has moved before each look, in milliseconds. */
  patienceMs: number;
  before: (dueDate: string) => Promise<void>;
  after: (made: readonly Invoice[]) => Promise<void>;
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
    const guests = this.waiting.splice(0);
    this.stretches += 1;
    const days = LATEST_DUE_DATE_DAYS + this.stretches;
    // A date of its own for each stretch: what an earlier one left would change the pages.
    const dueDate = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const patienceMs = Math.max(...guests.map((guest) => guest.patienceMs));
    await pause(patienceMs);
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
    await pause(patienceMs);
    for (const { done } of await remaining(ready, ({ after }) => after(made))) done();
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

/** The last try is as patient as the target file says that one has to be. */
const patience = (lab: Lab, tries: number) =>
  (tries - 1) * Math.max(LEAST_PATIENCE_MS, lab.target.limits.settleWithinMs / (TRIES - 1));

const gatheringOf = (lab: Lab) => lab.run.once('gathering', async () => new Gathering());

/** Looks before and after a few creations, together with all checks that want to. What fails every time is a breach. */
export async function aroundCreations<Before>(lab: Lab, look: Look<Before>): Promise<void> {
  const gathering = await gatheringOf(lab);
  await persistently(async (tries) => {
    let seen: Before;
    await gathering.attend({
      lab,
      wantsInvoices: true,
      patienceMs: patience(lab, tries),
      before: async (dueDate) => {
        seen = await look.before(dueDate);
      },
      after: (made) => unlessDisturbed(lab, tries, () => look.after(made, seen)),
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
  await persistently((tries) =>
    gathering.attend({
      lab,
      wantsInvoices: false,
      patienceMs: patience(lab, tries),
      before: async () => {},
      after: () => unlessDisturbed(lab, tries, look),
    }),
  );
}

/** What looks like a breach says nothing where others create and delete all the time: throws NotApplicable then. */
async function unlessDisturbed(lab: Lab, tries: number, look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (error instanceof Breach) await expectCalm(lab, () => totalOf(lab), tries === TRIES ? MANY_LOOKS : undefined);
    throw error;
  }
}
