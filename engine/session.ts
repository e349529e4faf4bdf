import { catalogueCheck } from '../specs/catalogue.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import type { CheckRecord } from '../specs/journal.ts';
import { missingField } from './capabilities.ts';
import { type Asking, askingFor, type CheckDefinition } from './definition.ts';
import { JournalFailure } from './journal.ts';
import { allJudges } from './judges/bench.ts';
import { Blocked, Breach, Interrupted } from './outcome.ts';
import { type Phase, Phases } from './phases.ts';
import type { Plan } from './plan.ts';
import { Run } from './run.ts';
import { Slots } from './slots.ts';
import { passed, verdictOf } from './verdict-of-check.ts';

/** Checks at work at once, for each request that may be under way. */
const CHECKS_PER_REQUEST = 2;
/** How often a check is tried whose every try met a request that had to be repeated. */
const DOUBTFUL_TRIES = 3;

export interface Repertoire<Lab> {
  definitions: readonly CheckDefinition<Lab>[];
  labFor: (run: Run, asking: Asking) => Lab;
  /** Awaited before each check that creates invoices; the first of them makes it happen. */
  firstInvoice: (lab: Lab) => Promise<void>;
  /** Removes what the checks made, once the last of them that needs it has ended. */
  tidyUp: (run: Run) => Promise<void>;
}

interface Part {
  phase: Phase;
  body: (asking: Asking) => Promise<void>;
}

/**
 * The selected checks of one run. `perform` them all, at once: the phases see to their order, the slots to their number.
 */
export class Session<Lab> {
  readonly run: Run;
  private readonly parts: ReadonlyMap<CheckId, Part>;
  private readonly phases: Phases;
  private readonly slots: Slots;
  private deadline: NodeJS.Timeout | undefined;

  constructor(plan: Plan, repertoire: Repertoire<Lab>) {
    const { definitions, tidyUp } = repertoire;
    this.run = new Run(plan);
    this.slots = new Slots(plan.target.limits.concurrency * CHECKS_PER_REQUEST);
    const chosen = new Set(plan.selected);
    const asked = definitions.map((definition) => [definition.id, this.asked(definition, repertoire)] as const);
    const judged = allJudges.map(({ id }) => [id, this.judged(id)] as const);
    this.parts = new Map([...asked, ...judged].filter(([id]) => chosen.has(id)));
    const phases = [...this.parts.values()].map(({ phase }) => phase);
    this.phases = new Phases(phases, async (phase) => {
      if (phase === 'late') await tidyUp(this.run);
    });
  }

  get ids(): CheckId[] {
    return [...this.parts.keys()];
  }

  start(): void {
    const { deadlineAt, target } = this.run.plan;
    if (deadlineAt !== undefined) {
      const seconds = Number(target.limits.deadlineMs) / 1000;
      const stop = () => this.run.stop(`its ${seconds} s (limits.deadlineMs, --deadline) had passed`);
      this.deadline = setTimeout(stop, Math.max(0, deadlineAt - Date.now()));
    }
    this.phases.start();
  }

  /** The verdict of one check, already in the journal; null when the run was stopped before there was one. */
  async perform(id: CheckId): Promise<CheckRecord | null> {
    const part = this.parts.get(id);
    if (!part) throw new Error(`${id} is not part of this run`);
    try {
      await this.phases.begins(part.phase);
      const record = await this.judge(id, part);
      if (record) this.run.journal.write(record);
      return record && this.run.redactor.deep(record);
    } catch (error) {
      // Said once, when the run closes: every other check would only repeat it.
      if (error instanceof JournalFailure) return null;
      throw error;
    } finally {
      this.phases.ended(part.phase);
    }
  }

  async close(): Promise<void> {
    await this.phases.settled();
    clearTimeout(this.deadline);
    await this.run.close(this.run.stopReason);
  }

  private asked({ phase, needs, body }: CheckDefinition<Lab>, { labFor, firstInvoice }: Repertoire<Lab>): Part {
    const { target, organizations } = this.run.plan;
    return {
      phase,
      body: async (asking) => {
        const missing = needs.map((need) => missingField(need, target, organizations)).find((field) => field !== null);
        if (missing) throw new Blocked(missing, `it needs ${missing}`);
        const lab = labFor(this.run, asking);
        if (needs.includes('connection')) await firstInvoice(lab);
        await this.slots.hold(() => body(lab));
      },
    };
  }

  private judged(id: CheckId): Part {
    return {
      phase: 'closing',
      body: async () => {
        this.run.bench.verdict(id);
      },
    };
  }

  private async judge(id: CheckId, part: Part): Promise<CheckRecord | null> {
    const started = performance.now();
    const exchanges: string[] = [];
    for (let tries = 1; ; tries += 1) {
      const asking = { ...askingFor(id), exchanges };
      let thrown = await this.outcome(asking, part);
      if (thrown instanceof JournalFailure) this.run.stop('its evidence could not be written');
      if (thrown instanceof JournalFailure || thrown instanceof Interrupted) return null;
      if (thrown instanceof Breach && asking.doubtful) {
        // What looks like a breach may be the echo of a change that was asked for once and made twice.
        if (tries < DOUBTFUL_TRIES) continue;
        const why = `each of ${tries} tries had to repeat a change whose answer got lost; the last one ended with`;
        thrown = new Blocked('target', `${why}: ${thrown.message}`);
      }
      const verdict = thrown === null ? passed : verdictOf(thrown, catalogueCheck(id).level, this.run.plan.strict);
      const durationMs = Math.round((performance.now() - started) * 10) / 10;
      return {
        kind: 'check',
        id,
        ...verdict,
        durationMs,
        exchanges: [...new Set([...exchanges, ...verdict.decisive])],
      };
    }
  }

  /** What the check's body threw, or null. */
  private async outcome(asking: Asking, { phase, body }: Part): Promise<unknown> {
    try {
      if (this.run.stopped) throw new Interrupted('the run was interrupted');
      await body(asking).catch((thrown: unknown) => this.unlessKeysEnded(asking, phase, thrown));
      return null;
    } catch (thrown) {
      return thrown;
    }
  }

  /** Rejects with what was thrown, or with Blocked where a key that was needed has ended from outside. */
  private async unlessKeysEnded({ turnedAway }: Asking, phase: Phase, thrown: unknown): Promise<never> {
    // From there on the kit itself ends keys, and judges whether they live.
    const kitsOwn = phase === 'reset' || phase === 'closing';
    const actor = thrown instanceof Breach && !kitsOwn ? await this.run.keyEnds.among(turnedAway) : null;
    if (!actor) throw thrown;
    const why =
      'its key was accepted in this run and is refused now (401): the sandbox was reset, or the key revoked or locked';
    throw new Blocked(`actors.${actor} of the target file`, `actors.${actor}: ${why}`);
  }
}
