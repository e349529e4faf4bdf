import { setTimeout as pause } from 'node:timers/promises';
import { runState } from '../../engine/ledger/run-ledger.ts';
import { Blocked, Breach } from '../../engine/model/outcomes.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import { JointSection, type Participant, runStep } from '../../engine/scheduling/joint-section.ts';
import { CHANGING_LIST, confirmBreach, type ExperimentAttempt, maxPauseMsOf } from '../assert/confirm-breach.ts';
import { hiddenEffectWaitMs } from '../assert/poll.ts';
import {
  FINAL_SAMPLES,
  remainingSamples,
  sampleTotals,
  skipForUnstableTotal,
  skipUnlessTotalStable,
} from '../assert/stable-total.ts';
import type { CheckContext } from '../context/check.ts';
import { lateDueDate } from '../data/invoice-body.ts';
import { createInvoices } from '../invoices/exclusive-section.ts';
import type { Invoice } from '../invoices/invoices.ts';
import { readTotal } from '../invoices/list-page.ts';

/** Enough invoices to fill several pages. */
const INVOICES_PER_ROUND = 7;
/** Later than every other due date of the kit, so that these invoices are adjacent in a list. */
const LATEST_DUE_DATE_DAYS = 340;
/** A list may be updated late, so each repetition after a breach waits longer. */
const PAUSE_STEP_MS = 500;
const MIN_FINAL_PAUSE_MS = 3 * PAUSE_STEP_MS;

/** The reads of a check before and after some creations, while the kit changes nothing else. */
export interface SnapshotSteps<Before> {
  before: (dueDate: string) => Promise<Before>;
  after: (made: readonly Invoice[], before: Before) => Promise<void>;
}

interface SnapshotRound {
  /** Whether the total changed although the kit changed nothing. */
  isDisturbed: boolean;
  /** The total right before the comparisons. Null in a first attempt, or if the list cannot be read. */
  total: number | null;
  /** The time without changes before each read, in milliseconds. */
  patienceMs: number;
}

interface SnapshotCheck {
  ctx: CheckContext;
  /** False for a check that only reads. */
  wantsInvoices: boolean;
  /** The time without changes before each read, in milliseconds. */
  patienceMs: number;
  before: (dueDate: string) => Promise<void>;
  after: (made: readonly Invoice[], round: SnapshotRound) => Promise<void>;
}

/** A round for all waiting checks: each reads, the runner creates some invoices for all of them, each reads again. */
class SnapshotRunner {
  private readonly section: JointSection<SnapshotCheck>;
  private rounds = 0;
  private readonly run: RunContext;

  constructor(run: RunContext) {
    this.run = run;
    this.section = new JointSection(run.invoiceLock, (participants) => this.runRound(participants));
  }

  async add(check: SnapshotCheck): Promise<void> {
    const { lockOwner, isExclusive } = check.ctx;
    await this.section.join(check, lockOwner, { isInside: isExclusive });
  }

  private async runRound(participants: () => readonly Participant<SnapshotCheck>[]): Promise<void> {
    // Other failed checks join this long section instead of opening their own.
    if (this.section.awaits(({ ctx, patienceMs }) => patienceMs >= maxPauseMs(ctx)))
      await pause(maxPauseMsOf(CHANGING_LIST));
    const checks = participants();
    this.rounds += 1;
    // Each round has its own due date, because invoices of an earlier round would change the pages.
    const dueDate = lateDueDate(this.run, LATEST_DUE_DATE_DAYS, this.rounds);
    const patienceMs = Math.max(...checks.map(({ work }) => work.patienceMs));
    const isDisturbed = await this.hasTotalChanged(checks, patienceMs);
    const ready = await runStep(checks, ({ before }) => before(dueDate));
    const host = ready.find(({ work }) => work.wantsInvoices)?.work;
    let made: readonly Invoice[] = [];
    try {
      if (host) made = await createRoundInvoices(host.ctx, dueDate);
    } catch (error) {
      for (const { reject } of ready) reject(error);
      return;
    }
    for (const { work } of ready) {
      if (work.wantsInvoices && work !== host) work.ctx.addEvidence(made.map(({ created }) => created));
    }
    // Without creations, late effects have already had their time.
    if (made.length > 0) await pause(patienceMs);
    const total = patienceMs > 0 && ready[0] ? await readTotalIfListed(ready[0].work.ctx) : null;
    const round = { isDisturbed, total, patienceMs };
    for (const { resolve } of await runStep(ready, ({ after }) => after(made, round))) resolve();
  }

  /** Waits, and returns whether the total changed meanwhile. */
  private async hasTotalChanged([first]: readonly Participant<SnapshotCheck>[], patienceMs: number): Promise<boolean> {
    if (!first || patienceMs === 0) return false;
    const [totals] = await Promise.all([
      sampleTotals(() => readTotal(first.work.ctx), patienceMs).catch(ignoreBlockedList),
      pause(patienceMs),
    ]);
    return totals.size > 1;
  }
}

/** With a late due date, so that they are adjacent; with the default one if the server rejects it. */
async function createRoundInvoices(ctx: CheckContext, dueDate: string): Promise<Invoice[]> {
  try {
    return await createInvoices(ctx, INVOICES_PER_ROUND, { dueDate });
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    return await createInvoices(ctx, INVOICES_PER_ROUND);
  }
}

/** The total; null for a list that the server rejects. */
async function readTotalIfListed(ctx: CheckContext): Promise<number | null> {
  const [total = null] = await sampleTotals(() => readTotal(ctx), 0).catch(ignoreBlockedList);
  return total;
}

/** The checks themselves report a list that the server rejects. */
function ignoreBlockedList(error: unknown): ReadonlySet<number> {
  if (error instanceof Blocked) return new Set();
  throw error;
}

/** The last attempt waits as long as a list may take to show a change. */
function pauseBeforeRoundMs(ctx: CheckContext, { number, isLast }: ExperimentAttempt): number {
  return isLast ? maxPauseMs(ctx) : (number - 1) * PAUSE_STEP_MS;
}

/** At most `limits.settleWithinMs`, less if new invoices were listed sooner in this run, but not below a minimum. */
function maxPauseMs({ run, target }: CheckContext): number {
  return Math.max(MIN_FINAL_PAUSE_MS, hiddenEffectWaitMs(run, 'lists a new invoice', target.limits.settleWithinMs));
}

const snapshotRunnerOf = runState((run: RunContext) => new SnapshotRunner(run));

/** Reads before and after some creations, together with all waiting checks. Throws a confirmed Breach. */
export async function aroundCreations<Before>(ctx: CheckContext, steps: SnapshotSteps<Before>): Promise<void> {
  const gathering = snapshotRunnerOf(ctx.run);
  await confirmBreach(ctx, CHANGING_LIST, async (attempt) => {
    ctx.blockIfPreconditionBroken();
    let seen: Before;
    await gathering.add({
      ctx,
      wantsInvoices: true,
      patienceMs: pauseBeforeRoundMs(ctx, attempt),
      before: async (dueDate) => {
        seen = await steps.before(dueDate);
      },
      after: (made, round) => runUnlessDisturbed(ctx, attempt, round, () => steps.after(made, seen)),
    });
  });
}

/** Reads after some creations. */
export async function afterCreations(
  ctx: CheckContext,
  after: (made: readonly Invoice[]) => Promise<void>,
): Promise<void> {
  await aroundCreations(ctx, { before: async () => {}, after });
}

/** Reads while the kit changes nothing, without creations. */
export async function whileUnchanged(ctx: CheckContext, inspect: () => Promise<void>): Promise<void> {
  const gathering = snapshotRunnerOf(ctx.run);
  await confirmBreach(ctx, CHANGING_LIST, async (attempt) => {
    ctx.blockIfPreconditionBroken();
    await gathering.add({
      ctx,
      wantsInvoices: false,
      patienceMs: pauseBeforeRoundMs(ctx, attempt),
      before: async () => {},
      after: (_, round) => runUnlessDisturbed(ctx, attempt, round, inspect),
    });
  });
}

/** Throws NotApplicable instead of a Breach if other users of the sandbox change the total all the time. */
async function runUnlessDisturbed(
  ctx: CheckContext,
  attempt: ExperimentAttempt,
  { isDisturbed, total, patienceMs }: SnapshotRound,
  inspect: () => Promise<void>,
): Promise<void> {
  try {
    await inspect();
  } catch (error) {
    if (!(error instanceof Breach)) throw error;
    if (isDisturbed) skipForUnstableTotal(ctx, 'it changed while the kit waited');
    // The comparisons of all checks in a round may take longer than the wait before them.
    const now = total === null ? null : await readTotalIfListed(ctx);
    if (total !== null && now !== null && now !== total) skipForUnstableTotal(ctx, `it was ${total}, ${now}`);
    // An attempt that waited as long as the last one counts as the last one.
    if (attempt.number > 1 && patienceMs >= maxPauseMs(ctx)) attempt.isLast = true;
    if (attempt.isLast)
      await skipUnlessTotalStable(ctx, () => readTotal(ctx), remainingSamples(FINAL_SAMPLES, patienceMs));
    throw error;
  }
}
