import { setTimeout as pause } from 'node:timers/promises';
import { Blocked, Breach } from '../../engine/model/outcomes.ts';
import { confirmBreach, type ExperimentAttempt, MAX_RETRY_DELAY_MS } from '../assert/repeat-experiment.ts';
import {
  FINAL_SAMPLES,
  remainingSamples,
  sampleTotals,
  skipForUnstableTotal,
  skipUnlessTotalStable,
} from '../assert/stable-total.ts';
import type { CheckContext } from '../context/check-context.ts';
import { createInvoices } from '../invoices/exclusive-section.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { readTotal } from '../invoices/list-page.ts';

/** Enough for a walk over several pages. */
const INVOICES_PER_ROUND = 7;
/** Later than any due date the kit gives otherwise, so that these invoices stand together. */
const LATEST_DUE_DATE_DAYS = 340;
/** A list may show later what was done before: whoever saw a breach looks again in a stillness that lasts longer. */
const PAUSE_STEP_MS = 500;
const MIN_FINAL_PAUSE_MS = 3 * PAUSE_STEP_MS;

/** What a check looks at before and after a few creations, while nothing else of the kit's moves. */
export interface SnapshotSteps<Before> {
  before: (dueDate: string) => Promise<Before>;
  after: (made: readonly Invoice[], before: Before) => Promise<void>;
}

interface SnapshotRound {
  /** Whether the total moved although the kit changed nothing. */
  isDisturbed: boolean;
  /** How long nothing had moved before each look, in milliseconds. */
  patienceMs: number;
}

interface SnapshotCheck {
  ctx: CheckContext;
  /** False for who only reads. */
  wantsInvoices: boolean;
  /** How long nothing has moved before each look, in milliseconds. */
  patienceMs: number;
  before: (dueDate: string) => Promise<void>;
  after: (made: readonly Invoice[], stretch: SnapshotRound) => Promise<void>;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

/**
 * One quiet stretch for all the checks that wait for one: each looks, a few invoices are created for all of them, each looks
 * again. So the run comes to a standstill once, and not for every check.
 */
class SnapshotRunner {
  private waiting: SnapshotCheck[] = [];
  private rounds = 0;

  async add(guest: Omit<SnapshotCheck, 'resolve' | 'reject'>): Promise<void> {
    await new Promise<void>((done, failed) => {
      this.waiting.push({ ...guest, resolve: done, reject: failed });
      // Whoever comes first waits for all who come meanwhile.
      if (this.waiting.length === 1)
        guest.ctx.run.invoiceLock.exclusiveSection(guest.ctx.execution.id, () => this.runRound()).catch(failed);
    });
  }

  private async runRound(): Promise<void> {
    // Other checks that have failed join the same long stretch, instead of asking for one of their own.
    if (this.waiting.some(({ ctx, patienceMs }) => patienceMs >= maxPauseMs(ctx))) await pause(MAX_RETRY_DELAY_MS);
    const guests = this.waiting.splice(0);
    this.rounds += 1;
    const days = LATEST_DUE_DATE_DAYS + this.rounds;
    // A date of its own for each stretch: what an earlier one left would change the pages.
    const dueDate = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const patienceMs = Math.max(...guests.map((guest) => guest.patienceMs));
    const isDisturbed = await this.hasTotalChanged(guests, patienceMs);
    const ready = await runSuccessful(guests, ({ before }) => before(dueDate));
    const host = ready.find(({ wantsInvoices }) => wantsInvoices);
    let made: readonly Invoice[] = [];
    try {
      if (host) made = await createRoundInvoices(host.ctx, dueDate);
    } catch (error) {
      for (const { reject } of ready) reject(error);
      return;
    }
    for (const { ctx, wantsInvoices } of ready) {
      if (wantsInvoices && ctx !== host?.ctx) ctx.addEvidence(made.map(({ created }) => created));
    }
    // Where nothing was created, all that may show late has had its time already.
    if (made.length > 0) await pause(patienceMs);
    for (const { resolve } of await runSuccessful(ready, ({ after }) => after(made, { isDisturbed, patienceMs })))
      resolve();
  }

  /** Waits, and tells whether the total has moved meanwhile. */
  private async hasTotalChanged([first]: readonly SnapshotCheck[], patienceMs: number): Promise<boolean> {
    if (!first || patienceMs === 0) return false;
    const [totals] = await Promise.all([
      sampleTotals(() => readTotal(first.ctx), patienceMs).catch(ignoreBlockedList),
      pause(patienceMs),
    ]);
    return totals.size > 1;
  }
}

/** Due so late that they stand together, where the server lets them. */
async function createRoundInvoices(ctx: CheckContext, dueDate: string): Promise<Invoice[]> {
  try {
    return await createInvoices(ctx, INVOICES_PER_ROUND, { dueDate });
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    return await createInvoices(ctx, INVOICES_PER_ROUND);
  }
}

/** Lets all guests do something at once, and tells who got through it. */
async function runSuccessful(
  guests: readonly SnapshotCheck[],
  act: (guest: SnapshotCheck) => Promise<void>,
): Promise<SnapshotCheck[]> {
  const through = await Promise.all(
    guests.map(async (guest) => {
      try {
        await act(guest);
        return [guest];
      } catch (error) {
        guest.reject(error);
        return [];
      }
    }),
  );
  return through.flat();
}

/** Where the list cannot be had, whoever looks at it says so. */
function ignoreBlockedList(error: unknown): ReadonlySet<number> {
  if (error instanceof Blocked) return new Set();
  throw error;
}

/** The last try is as patient as the target file says that one has to be. */
function pauseBeforeRoundMs(ctx: CheckContext, { number, isLast }: ExperimentAttempt): number {
  return isLast ? maxPauseMs(ctx) : (number - 1) * PAUSE_STEP_MS;
}

function maxPauseMs(ctx: CheckContext): number {
  return Math.max(MIN_FINAL_PAUSE_MS, ctx.target.limits.settleWithinMs);
}

const snapshotRunnerOf = (ctx: CheckContext) => ctx.run.memoize('gathering', async () => new SnapshotRunner());

/** Looks before and after a few creations, together with all checks that want to. What fails every time is a breach. */
export async function aroundCreations<Before>(ctx: CheckContext, look: SnapshotSteps<Before>): Promise<void> {
  const gathering = await snapshotRunnerOf(ctx);
  await confirmBreach(ctx, async (attempt) => {
    ctx.blockIfPreconditionBroken();
    let seen: Before;
    await gathering.add({
      ctx,
      wantsInvoices: true,
      patienceMs: pauseBeforeRoundMs(ctx, attempt),
      before: async (dueDate) => {
        seen = await look.before(dueDate);
      },
      after: (made, stretch) => runUnlessDisturbed(ctx, attempt, stretch, () => look.after(made, seen)),
    });
  });
}

/** Looks at a few invoices made just before. */
export async function afterCreations(
  ctx: CheckContext,
  after: (made: readonly Invoice[]) => Promise<void>,
): Promise<void> {
  await aroundCreations(ctx, { before: async () => {}, after });
}

/** Looks while nothing of the kit's moves; creates nothing itself. */
export async function whileUnchanged(ctx: CheckContext, look: () => Promise<void>): Promise<void> {
  const gathering = await snapshotRunnerOf(ctx);
  await confirmBreach(ctx, async (attempt) => {
    ctx.blockIfPreconditionBroken();
    await gathering.add({
      ctx,
      wantsInvoices: false,
      patienceMs: pauseBeforeRoundMs(ctx, attempt),
      before: async () => {},
      after: (_, stretch) => runUnlessDisturbed(ctx, attempt, stretch, look),
    });
  });
}

/** What looks like a breach says nothing where others create and delete all the time: throws NotApplicable then. */
async function runUnlessDisturbed(
  ctx: CheckContext,
  attempt: ExperimentAttempt,
  { isDisturbed, patienceMs }: SnapshotRound,
  look: () => Promise<void>,
): Promise<void> {
  try {
    await look();
  } catch (error) {
    if (!(error instanceof Breach)) throw error;
    if (isDisturbed) skipForUnstableTotal(ctx, 'it changed while the kit waited');
    // A later try in a stretch as long as that of the last try is as good as the last.
    if (attempt.number > 1 && patienceMs >= maxPauseMs(ctx)) attempt.isLast = true;
    if (attempt.isLast)
      await skipUnlessTotalStable(ctx, () => readTotal(ctx), remainingSamples(FINAL_SAMPLES, patienceMs));
    throw error;
  }
}
