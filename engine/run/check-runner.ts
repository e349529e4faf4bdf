import { catalogueCheck, isCheckId } from '../../specs/catalogue/catalogue.ts';
import { addedRequests, isLong } from '../../specs/catalogue/check-order.ts';
import type { CheckRecord, CustomCheckRecord } from '../../specs/formats/journal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { isOperationName, type OperationName } from '../../specs/target-file/target.ts';
import { NO_RESPONSE } from '../../specs/verdicts.ts';
import { JournalError } from '../evidence/journal.ts';
import { unansweredRequests } from '../ledger/unanswered-requests.ts';
import { Blocked, Breach, DisturbedByOthers, Interrupted, NoResponse } from '../model/outcomes.ts';
import { CheckPermits } from '../scheduling/check-permits.ts';
import { type Phase, Phases } from '../scheduling/phases.ts';
import { blockUnlessNeedsMet, type Need, operationsToVerify } from '../target/capabilities.ts';
import { BreachAttribution } from './breach-attribution.ts';
import { type CheckDefinition, type CheckExecution, needsOf, newCheckExecution } from './check-definition.ts';
import type { CheckSuite } from './check-suite.ts';
import { passVerdict, type Verdict, verdictOf } from './check-verdict.ts';
import { customVerdictOf, scheduledId } from './custom-check.ts';
import { QuietPeriod } from './quiet-period.ts';
import { RunContext } from './run-context.ts';
import type { RunPlan } from './run-plan.ts';

/** Concurrent checks for each permitted concurrent request. */
const CHECKS_PER_REQUEST = 2;
/** Maximum number of attempts of a check whose requests had to be resent. */
const MAX_EXECUTIONS = 3;

const NEEDS_OF_ALL_BINDINGS: readonly Need[] = ['connection', 'boundOperations', 'treasuryWithdraw'];

/** In these phases the kit itself resets the sandbox and invalidates keys. */
const RESET_PHASES: ReadonlySet<Phase> = new Set<Phase>(['reset', 'production-reset', 'closing']);

interface ScheduledCheck {
  phase: Phase;
  body: (execution: CheckExecution) => Promise<void>;
}

const isBreach = ({ verdict }: CheckRecord) => verdict === 'fail' || verdict === 'warn';

/**
 * The selected checks of one run. Call `runCheck` for all of them at once: phases define the order, permits the concurrency.
 */
export class CheckRunner<Context> {
  readonly run: RunContext;
  private readonly scheduledChecks: ReadonlyMap<CheckId, ScheduledCheck>;
  /** Titles of the custom checks. */
  private readonly customTitles: ReadonlyMap<CheckId, string>;
  private readonly phases: Phases;
  private readonly permits: CheckPermits;
  /** The operations that the checks of the run may use. */
  private neededOperations: readonly OperationName[];
  private readonly attribution: BreachAttribution<Context>;
  private readonly quietPeriod: QuietPeriod;
  private deadlineTimer: NodeJS.Timeout | undefined;

  constructor(plan: RunPlan, suite: CheckSuite<Context>) {
    const { definitions, customChecks, rules, cleanUp } = suite;
    this.run = new RunContext(plan, rules);
    this.attribution = new BreachAttribution(this.run, suite);
    const countInvoices = () => suite.countInvoices(suite.createContext(this.run, newCheckExecution(null)));
    this.quietPeriod = new QuietPeriod(plan.shard, countInvoices);
    this.permits = new CheckPermits(plan.target.limits.concurrency * CHECKS_PER_REQUEST);
    const chosen = new Set(plan.selected);
    this.customTitles = new Map(customChecks.map((each) => [scheduledId(each), each.title]));
    const needs = new Set([...needsOf(definitions, plan.selected), ...customChecks.flatMap((each) => each.needs)]);
    this.neededOperations = operationsToVerify(plan.target, needs);
    const asked = definitions.map(
      (definition, place) => [definition.id, this.activeCheck(definition, suite, place)] as const,
    );
    const judged = rules.map(({ id }) => [id, this.exchangeRuleCheck(id)] as const);
    const judging = [...asked, ...judged].filter(([id]) => chosen.has(id));
    const custom = customChecks.map(
      (each, at) =>
        [
          scheduledId(each),
          this.activeCheck({ ...each, phase: 'custom', priority: 'normal' }, suite, definitions.length + at),
        ] as const,
    );
    this.scheduledChecks = new Map([...judging, ...custom]);
    this.run.preconditions.select(judging.map(([id]) => id));
    const companions = definitions.filter(({ id, phase }) => phase === 'main' && plan.companions?.includes(id));
    const phases = [...this.scheduledChecks.values()].map(({ phase }) => phase);
    const later = this.ids.filter((id) => this.scheduledCheck(id).phase !== 'main');
    if (plan.budget !== undefined) this.run.keepRequestsForLaterPhases(addedRequests(later));
    this.phases = new Phases(phases, async (phase) => {
      if (phase === 'main') {
        this.run.keepRequestsForLaterPhases(0);
        await this.runCompanions(companions, suite);
      }
      if (phase === 'custom') await cleanUp(this.run);
    });
  }

  /** The checks of the contract. */
  get ids(): CheckId[] {
    return [...this.scheduledChecks.keys()].filter((id) => !this.customTitles.has(id));
  }

  get customIds(): CheckId[] {
    return [...this.customTitles.keys()];
  }

  titleOf(id: CheckId): string {
    return this.customTitles.get(id) ?? catalogueCheck(id).title;
  }

  /** Starts the phases. They do not wait for the checks in `leftOut`. */
  start(leftOut: readonly CheckId[] = []): void {
    for (const id of leftOut) {
      this.phases.excludeCheck(this.scheduledCheck(id).phase);
      this.run.preconditions.recordVerdict(id, null);
    }
    const { deadlineAt, target } = this.run.plan;
    if (deadlineAt !== undefined) {
      const seconds = Number(target.limits.deadlineMs) / 1000;
      const stop = () => this.run.stop(`its deadline of ${seconds} s (limits.deadlineMs, --deadline) was reached`);
      this.deadlineTimer = setTimeout(stop, Math.max(0, deadlineAt - Date.now()));
    }
    this.phases.start();
  }

  /** The verdict of one check, already in the journal; null if the run was stopped before. */
  async runCheck(id: CheckId): Promise<CheckRecord | CustomCheckRecord | null> {
    const part = this.scheduledCheck(id);
    let record: CheckRecord | null = null;
    try {
      record = await this.runInPhase(id, part);
      if (!record) return null;
      const written = this.customTitles.has(id) ? { ...record, kind: 'custom-check' as const } : record;
      this.run.journal.write(written);
      return this.run.redactor.maskDeep(written);
    } catch (error) {
      // Reported once, when the run closes.
      if (error instanceof JournalError) return null;
      throw error;
    } finally {
      this.run.preconditions.recordVerdict(id, record);
    }
  }

  /** Runs other checks without recording their verdicts if a selected exchange rule has no response to judge yet. */
  private async runCompanions(
    companions: readonly CheckDefinition<Context>[],
    suite: CheckSuite<Context>,
  ): Promise<void> {
    if (!this.ids.some((id) => this.run.rules.isWaiting(id))) return;
    const { target } = this.run.plan;
    const ids = companions.map(({ id }) => id);
    this.neededOperations = [
      ...new Set([...this.neededOperations, ...operationsToVerify(target, needsOf(companions, ids))]),
    ];
    await Promise.all(
      companions.map(
        async (definition, place) =>
          await this.executeOnce(newCheckExecution(definition.id), this.activeCheck(definition, suite, place)),
      ),
    );
  }

  private async runInPhase(id: CheckId, part: ScheduledCheck): Promise<CheckRecord | null> {
    let record: CheckRecord | null;
    let endsWith = part.phase;
    let hasEnded = false;
    const allowLatePhase = () => {
      // Shared work that a check began may go on after its end.
      if (hasEnded || endsWith !== 'main') return;
      endsWith = 'late';
      this.phases.moveToLatePhase();
    };
    try {
      await this.phases.waitForPhase(part.phase);
      this.attribution.hasResetBegun ||= RESET_PHASES.has(part.phase);
      record = await this.execute(id, part, allowLatePhase);
      if (record && isBreach(record) && !['custom', 'closing'].includes(part.phase))
        this.run.preconditions.markSuspected(id);
    } finally {
      hasEnded = true;
      this.phases.markCheckEnded(endsWith);
    }
    return record && (await this.orBlockedByPrecondition(id, record));
  }

  /** Replaces a breach by Blocked if it depends on a breach that another check has found. */
  private async orBlockedByPrecondition(id: CheckId, record: CheckRecord): Promise<CheckRecord> {
    // The check that blocks this one may itself depend on a failed check.
    if (!isBreach(record) && !isCheckId(record.blockedBy)) return record;
    const blocked = await this.run.preconditions.findFailedPrecondition(id, record);
    if (!blocked) return record;
    return { ...record, ...this.verdictFor(id, blocked) };
  }

  private verdictFor(id: CheckId, thrown: unknown): Verdict {
    if (thrown === null) return passVerdict;
    if (this.customTitles.has(id)) return customVerdictOf(thrown);
    return verdictOf(thrown, catalogueCheck(id).level, this.run.plan.strict);
  }

  private scheduledCheck(id: CheckId): ScheduledCheck {
    const part = this.scheduledChecks.get(id);
    if (!part) throw new Error(`${id} is not part of this run`);
    return part;
  }

  async close(): Promise<void> {
    await this.phases.waitForCallbacks();
    clearTimeout(this.deadlineTimer);
    await this.run.close(this.run.stopReason);
  }

  private activeCheck(
    { phase, needs, priority, body }: Omit<CheckDefinition<Context>, 'id'>,
    suite: CheckSuite<Context>,
    place: number,
  ): ScheduledCheck {
    const { createContext, beforeFirstCreation } = suite;
    return {
      phase,
      body: async (execution) => {
        blockUnlessNeedsMet(needs, this.run);
        execution.isUrgent = priority === 'high' || (execution.id !== null && isLong(execution.id));
        const ctx = createContext(this.run, execution);
        if (needs.includes('connection')) await beforeFirstCreation(ctx);
        await this.waitForBindings(needs, suite);
        blockUnlessNeedsMet(needs, this.run);
        await this.permits.withPermit(execution.activity, place, async () => {
          this.run.preconditions.blockIfPreconditionBroken(execution.id);
          await body(ctx);
        });
      },
    };
  }

  /**
   * A check that creates invoices may use any operation; others wait for those that they need. A check that withdraws waits for all,
   * because it would delay the lifecycle actions that prove the others.
   */
  private async waitForBindings(needs: readonly Need[], { verifyBindings }: CheckSuite<Context>): Promise<void> {
    const usesAny = NEEDS_OF_ALL_BINDINGS.some((each) => needs.includes(each));
    const names = usesAny ? this.neededOperations : needs.filter(isOperationName);
    if (names.length > 0) await verifyBindings(this.run, names);
  }

  private exchangeRuleCheck(id: CheckId): ScheduledCheck {
    return {
      phase: 'closing',
      body: async () => {
        this.run.rules.verdict(id, () => this.withoutResponses());
      },
    };
  }

  /** The outcome of a rule that applies to no response, because the checks that cause such responses are blocked or were not chosen. */
  private withoutResponses(): Blocked {
    const { budget, companions = [] } = this.run.plan;
    if (budget !== undefined) return new Blocked('--budget', `${NO_RESPONSE}; a larger --budget chooses more checks`);
    const cause = this.run.preconditions.mainBlockingCause();
    if (cause !== null) return new Blocked(cause, `${NO_RESPONSE}, probably because ${cause} blocks other checks`);
    const advice = '; select it together with checks that cause such responses';
    return new Blocked(null, companions.length > 0 ? NO_RESPONSE + advice : NO_RESPONSE);
  }

  private recordUnanswered(requestLine: string, id: CheckId): void {
    const known = unansweredRequests(this.run);
    if (!known.has(requestLine) && !this.customTitles.has(id)) known.set(requestLine, id);
  }

  private async execute(
    id: CheckId,
    part: ScheduledCheck,
    allowLatePhase: CheckExecution['allowLatePhase'],
  ): Promise<CheckRecord | null> {
    const started = performance.now();
    const exchanges: string[] = [];
    let tries = 0;
    for (;;) {
      const execution = { ...newCheckExecution(id), exchanges, isCustom: this.customTitles.has(id), allowLatePhase };
      let thrown = await this.executeOnce(execution, part);
      if (thrown instanceof JournalError) this.run.stop('its evidence could not be written');
      if (thrown instanceof JournalError || thrown instanceof Interrupted) return null;
      if (thrown instanceof Breach && execution.mayHaveDuplicatedMutation) {
        // An apparent breach may result from a change that was requested once and made twice.
        tries += 1;
        if (tries < MAX_EXECUTIONS) continue;
        const why = `each of ${tries} attempts had to resend a change whose response was lost; the last one ended with`;
        thrown = new Blocked('target', `${why}: ${thrown.message}`);
      }
      if (thrown instanceof DisturbedByOthers && (await this.quietPeriod.wait(() => this.run.isStopped))) continue;
      const verdict = this.verdictFor(id, thrown);
      if (thrown instanceof NoResponse && verdict.verdict === 'fail') this.recordUnanswered(thrown.requestLine, id);
      const durationMs = Math.round((performance.now() - started) * 10) / 10;
      return this.run.intermediaryLog.annotate({
        kind: 'check',
        id,
        ...verdict,
        durationMs,
        exchanges: [...new Set([...exchanges, ...verdict.decisive])],
      });
    }
  }

  /** The error of the check's body, or null. */
  private async executeOnce(execution: CheckExecution, { body }: ScheduledCheck): Promise<unknown> {
    try {
      if (this.run.isStopped) throw new Interrupted('the run was interrupted');
      await body(execution).catch((thrown: unknown) => this.attribution.attribute(execution, thrown));
      return null;
    } catch (thrown) {
      return thrown;
    } finally {
      execution.hasEnded = true;
    }
  }
}
