import { catalogueCheck, checkCatalogue } from '../../specs/catalogue.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { CheckRecord } from '../../specs/journal.ts';
import { lifecycle } from '../../specs/lifecycle.ts';
import { isOperationName, type OperationName } from '../../specs/target.ts';
import { LostOperations, type OperationProbe, type SuspectOperation } from '../diagnosis/lost-operations.ts';
import { type ForbiddenRequest, missingPermission } from '../diagnosis/permissions.ts';
import { TargetChangeProbe } from '../diagnosis/target-change-probe.ts';
import { JournalError } from '../evidence/journal.ts';
import type { ExchangeRule } from '../judges/exchange-rule.ts';
import type { ApiResponse, Operation } from '../model/messages.ts';
import { Blocked, Breach, InsufficientFunds, Interrupted, isUnjudged, NotApplicable } from '../model/outcomes.ts';
import { type Phase, Phases } from '../scheduling/phases.ts';
import { Semaphore } from '../scheduling/semaphore.ts';
import { blockUnlessNeedsMet, type Need, operationsToVerify } from '../target/capabilities.ts';
import { type CheckDefinition, type CheckExecution, needsOf, newCheckExecution } from './check-definition.ts';
import { passVerdict, verdictOf } from './check-verdict.ts';
import { RunContext } from './run-context.ts';
import type { RunPlan } from './run-plan.ts';

/** Concurrent checks for each permitted concurrent request. */
const CHECKS_PER_REQUEST = 2;
/** Maximum number of attempts of a check whose requests had to be resent. */
const MAX_EXECUTIONS = 3;

const KEY_REVOKED =
  'the server accepted this key earlier in this run and rejects it now (401): the sandbox was reset, or the key was revoked or locked';

export interface CheckSuite<Lab> {
  definitions: readonly CheckDefinition<Lab>[];
  /** The exchange rules. */
  rules: readonly ExchangeRule[];
  createContext: (run: RunContext, asking: CheckExecution) => Lab;
  /** Awaited before each check that creates invoices; the first of them makes it happen. */
  beforeFirstCreation: (ctx: Lab) => Promise<void>;
  /** Verifies once that bound operations do what their bindings name; disables the others. */
  verifyBindings: (run: RunContext, names: readonly OperationName[]) => Promise<void>;
  /** Tests whether the key may use the operation, if the run has not shown it yet. */
  probePermission: (ctx: Lab, forbidden: ForbiddenRequest) => Promise<void>;
  /** Uses an operation once in a valid way; null if that is not possible. */
  probeOperation: (ctx: Lab, suspect: SuspectOperation) => Promise<ApiResponse | null>;
  /** The reason if somebody has emptied the sandbox since the run began; null otherwise. */
  emptiedSandboxReason: (ctx: Lab) => Promise<string | null>;
  /** Removes the records of the checks after the last check that needs them. */
  cleanUp: (run: RunContext) => Promise<void>;
}

/** In these phases the kit itself resets the sandbox and invalidates keys. */
const RESET_PHASES: ReadonlySet<Phase> = new Set<Phase>(['reset', 'production-reset', 'closing']);

interface ScheduledCheck {
  phase: Phase;
  body: (asking: CheckExecution) => Promise<void>;
}

const isBreach = ({ verdict }: CheckRecord) => verdict === 'fail' || verdict === 'warn';

/**
 * The selected checks of one run. Call `runCheck` for all of them at once: phases define the order, a semaphore the concurrency.
 */
export class CheckRunner<Lab> {
  readonly run: RunContext;
  private readonly scheduledChecks: ReadonlyMap<CheckId, ScheduledCheck>;
  private readonly phases: Phases;
  private readonly semaphore: Semaphore;
  /** The operations that the checks of the run may use. */
  private neededOperations: readonly OperationName[];
  private readonly targetChangeProbe: TargetChangeProbe;
  private readonly lostOperations = new LostOperations();
  private readonly probeOperation: OperationProbe;
  /** Whether a reset phase has begun. From then on the kit itself may have caused missing invoices and invalid keys. */
  private hasResetBegun = false;
  private readonly probePermission: (asking: CheckExecution, forbidden: ForbiddenRequest) => Promise<void>;
  private deadlineTimer: NodeJS.Timeout | undefined;

  constructor(plan: RunPlan, repertoire: CheckSuite<Lab>) {
    const { definitions, rules, cleanUp, createContext, probePermission, probeOperation, emptiedSandboxReason } =
      repertoire;
    this.run = new RunContext(plan, rules);
    this.targetChangeProbe = new TargetChangeProbe(plan.target, this.run.client, async () =>
      this.hasResetBegun
        ? null
        : ((await this.sellerRevokedReason()) ??
          (await emptiedSandboxReason(createContext(this.run, newCheckExecution(null))))),
    );
    this.probeOperation = (suspect) => probeOperation(createContext(this.run, newCheckExecution(null)), suspect);
    this.probePermission = (asking, forbidden) => probePermission(createContext(this.run, asking), forbidden);
    this.semaphore = new Semaphore(plan.target.limits.concurrency * CHECKS_PER_REQUEST);
    const chosen = new Set(plan.selected);
    this.neededOperations = operationsToVerify(plan.target, needsOf(definitions, plan.selected));
    const asked = definitions.map((definition) => [definition.id, this.activeCheck(definition, repertoire)] as const);
    const judged = rules.map(({ id }) => [id, this.exchangeRuleCheck(id)] as const);
    this.scheduledChecks = new Map([...asked, ...judged].filter(([id]) => chosen.has(id)));
    this.run.preconditions.select([...this.scheduledChecks.keys()]);
    const companions = definitions.filter(({ id, phase }) => phase === 'main' && plan.companions?.includes(id));
    const phases = [...this.scheduledChecks.values()].map(({ phase }) => phase);
    this.phases = new Phases(phases, async (phase) => {
      if (phase === 'main') await this.runCompanions(companions, repertoire);
      if (phase === 'late') await cleanUp(this.run);
    });
  }

  get ids(): CheckId[] {
    return [...this.scheduledChecks.keys()];
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
      const stop = () => this.run.stop(`its ${seconds} s (limits.deadlineMs, --deadline) had passed`);
      this.deadlineTimer = setTimeout(stop, Math.max(0, deadlineAt - Date.now()));
    }
    this.phases.start();
  }

  /** The verdict of one check, already in the journal; null if the run was stopped before. */
  async runCheck(id: CheckId): Promise<CheckRecord | null> {
    const part = this.scheduledCheck(id);
    let record: CheckRecord | null = null;
    try {
      record = await this.runInPhase(id, part);
      if (record) this.run.journal.write(record);
      return record && this.run.redactor.maskDeep(record);
    } catch (error) {
      // Reported once, when the run closes.
      if (error instanceof JournalError) return null;
      throw error;
    } finally {
      this.run.preconditions.recordVerdict(id, record);
    }
  }

  /** Runs other checks without recording their verdicts if a selected exchange rule has no response to judge yet. */
  private async runCompanions(companions: readonly CheckDefinition<Lab>[], repertoire: CheckSuite<Lab>): Promise<void> {
    if (!this.ids.some((id) => this.run.rules.isWaiting(id))) return;
    const { target } = this.run.plan;
    const ids = companions.map(({ id }) => id);
    this.neededOperations = [
      ...new Set([...this.neededOperations, ...operationsToVerify(target, needsOf(companions, ids))]),
    ];
    await Promise.all(
      companions.map(
        async (definition) =>
          await this.executeOnce(newCheckExecution(definition.id), this.activeCheck(definition, repertoire)),
      ),
    );
  }

  private async runInPhase(id: CheckId, part: ScheduledCheck): Promise<CheckRecord | null> {
    let record: CheckRecord | null;
    try {
      await this.phases.waitForPhase(part.phase);
      this.hasResetBegun ||= RESET_PHASES.has(part.phase);
      record = await this.execute(id, part);
      if (record && isBreach(record) && part.phase !== 'closing') this.run.preconditions.markSuspected(id);
    } finally {
      this.phases.markCheckEnded(part.phase);
    }
    return record && (await this.orBlockedByPrecondition(id, record));
  }

  /** Replaces a breach by Blocked if it depends on a breach that another check has found. */
  private async orBlockedByPrecondition(id: CheckId, record: CheckRecord): Promise<CheckRecord> {
    // The check that blocks this one may itself depend on a failed check.
    const byCheck = record.blockedBy !== null && checkCatalogue.has(record.blockedBy as CheckId);
    if (!isBreach(record) && !byCheck) return record;
    const blocked = await this.run.preconditions.findFailedPrecondition(id, record);
    if (!blocked) return record;
    return { ...record, ...verdictOf(blocked, catalogueCheck(id).level, this.run.plan.strict) };
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

  private activeCheck({ phase, needs, body }: CheckDefinition<Lab>, repertoire: CheckSuite<Lab>): ScheduledCheck {
    const { createContext, beforeFirstCreation } = repertoire;
    return {
      phase,
      body: async (asking) => {
        blockUnlessNeedsMet(needs, this.run);
        const ctx = createContext(this.run, asking);
        if (needs.includes('connection')) await beforeFirstCreation(ctx);
        await this.waitForBindings(needs, repertoire);
        blockUnlessNeedsMet(needs, this.run);
        await this.semaphore.withPermit(async () => {
          this.run.preconditions.blockIfPreconditionBroken(asking.id);
          await body(ctx);
        });
      },
    };
  }

  /** A check that creates invoices may use any operation; others wait for those that they need. */
  private async waitForBindings(needs: readonly Need[], { verifyBindings }: CheckSuite<Lab>): Promise<void> {
    const usesAny = needs.includes('connection') || needs.includes('boundOperations');
    const names = usesAny ? this.neededOperations : needs.filter(isOperationName);
    if (names.length > 0) await verifyBindings(this.run, names);
  }

  private exchangeRuleCheck(id: CheckId): ScheduledCheck {
    return {
      phase: 'closing',
      body: async () => {
        this.run.rules.verdict(id);
      },
    };
  }

  private async execute(id: CheckId, part: ScheduledCheck): Promise<CheckRecord | null> {
    const started = performance.now();
    const exchanges: string[] = [];
    for (let tries = 1; ; tries += 1) {
      const asking = { ...newCheckExecution(id), exchanges };
      let thrown = await this.executeOnce(asking, part);
      if (thrown instanceof JournalError) this.run.stop('its evidence could not be written');
      if (thrown instanceof JournalError || thrown instanceof Interrupted) return null;
      if (thrown instanceof Breach && asking.mayHaveDuplicatedMutation) {
        // An apparent breach may result from a change that was requested once and made twice.
        if (tries < MAX_EXECUTIONS) continue;
        const why = `each of ${tries} attempts had to resend a change whose response was lost; the last one ended with`;
        thrown = new Blocked('target', `${why}: ${thrown.message}`);
      }
      const verdict = thrown === null ? passVerdict : verdictOf(thrown, catalogueCheck(id).level, this.run.plan.strict);
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
  private async executeOnce(asking: CheckExecution, { body }: ScheduledCheck): Promise<unknown> {
    try {
      if (this.run.isStopped) throw new Interrupted('the run was interrupted');
      await body(asking)
        .catch((thrown: unknown) => this.unlessKeyRevoked(asking, thrown))
        .catch((thrown: unknown) => this.unlessOperationLost(asking, thrown))
        .catch((thrown: unknown) => this.unlessForbidden(asking, thrown))
        .catch((thrown: unknown) => this.unlessEffectLate(asking, thrown))
        .catch((thrown: unknown) => this.unlessTargetChanged(thrown));
      return null;
    } catch (thrown) {
      return thrown instanceof InsufficientFunds ? this.insufficientFundsOutcome(thrown) : thrown;
    }
  }

  /** Without any successful payment the treasury needs funds, so the check is blocked; otherwise it is not applicable. */
  private insufficientFundsOutcome(thrown: InsufficientFunds): Error {
    if (this.run.permissions.hasSucceeded('settle')) return thrown;
    const remedy = 'add funds to the sandbox treasury that pays, or declare operations.settle not-offered';
    return new Blocked('actors.buyer of the target file', `actors.buyer: ${thrown.message}; ${remedy}`);
  }

  /** Rejects with the error, or with Blocked if it depends on a 403 for a key that may not use the operation. */
  private async unlessForbidden(asking: CheckExecution, thrown: unknown): Promise<never> {
    const refusal = forbiddenCause(asking, thrown);
    if (!refusal || this.run.permissions.isGranted(refusal)) throw thrown;
    if (thrown instanceof Breach) await this.probePermission(asking, refusal);
    throw this.run.permissions.isGranted(refusal) ? thrown : missingPermission(refusal);
  }

  /** Rejects with the error, or with Blocked if the awaited effect appears later than the target file allows. */
  private async unlessEffectLate({ id, missedEffects }: CheckExecution, thrown: unknown): Promise<never> {
    const isOwn = thrown instanceof Breach && !this.run.preconditions.restsOnBrokenRule(id, thrown.exchanges);
    const late = isOwn ? await this.run.lateEffects.findLate(missedEffects.slice(-1)) : null;
    throw late ?? thrown;
  }

  /** Rejects with the error, or with Blocked if the target has changed since the run began. */
  private async unlessTargetChanged(thrown: unknown): Promise<never> {
    const rests = thrown instanceof Breach || isBlockedByCheck(thrown);
    const told = rests ? await this.targetChangeProbe.findChange() : null;
    throw told === null ? thrown : new Blocked(told.blockedBy, told.reason);
  }

  /** Rejects with the error, or with Blocked if an operation no longer exists or is now forbidden to the key. */
  private async unlessOperationLost(asking: CheckExecution, thrown: unknown): Promise<never> {
    const shown =
      thrown instanceof Breach ? thrown.exchanges : isBlockedByCheck(thrown) ? asking.exchanges.slice(-1) : [];
    const suspect = shown.map((id) => asking.suspectOperations.get(id)).find((each) => each !== undefined);
    const change =
      suspect && !this.hasResetBegun ? await this.lostOperations.confirm(suspect, this.probeOperation) : null;
    if (!change) throw thrown;
    this.targetChangeProbe.recordChange(change);
    throw new Blocked(change.blockedBy, change.reason);
  }

  /** The reason if the seller's key was invalidated from outside; otherwise null. */
  private async sellerRevokedReason(): Promise<string | null> {
    try {
      return (await this.run.keyRevocation.findRevoked(['seller'])) && `actors.seller: ${KEY_REVOKED}`;
    } catch (error) {
      // Without a response, the state of the key is unknown.
      if (isUnjudged(error)) return null;
      throw error;
    }
  }

  /** Rejects with the error, or with Blocked if a required key was invalidated from outside. */
  private async unlessKeyRevoked({ actorsAnswered401 }: CheckExecution, thrown: unknown): Promise<never> {
    const actor =
      thrown instanceof Breach && !this.hasResetBegun
        ? await this.run.keyRevocation.findRevoked(actorsAnswered401)
        : null;
    if (!actor) throw thrown;
    throw new Blocked(`actors.${actor} of the target file`, `actors.${actor}: ${KEY_REVOKED}`);
  }
}

function isBlockedByCheck(thrown: unknown): boolean {
  return thrown instanceof Blocked && checkCatalogue.has(thrown.blockedBy as CheckId);
}

/** The 403 that a breach judges, or after which a check gave up. */
function forbiddenCause(
  { exchanges, forbiddenRequests }: CheckExecution,
  thrown: unknown,
): ForbiddenRequest | undefined {
  const judged = thrown instanceof Breach ? thrown.exchanges : thrown instanceof NotApplicable ? exchanges : [];
  const last = forbiddenRequests.get(judged.at(-1) ?? '');
  if (!last || isExpectedRejection(last)) return undefined;
  // Checks find out by trying which party may act, so a 403 may only mean the wrong party.
  return thrown instanceof NotApplicable && isAction(last.operation) ? undefined : last;
}

/** The server is expected to reject all changes with a read-only key. */
function isExpectedRejection({ actor, operation }: ForbiddenRequest): boolean {
  return actor === 'readOnly' && operation !== 'list' && operation !== 'read';
}

function isAction(operation: Operation): boolean {
  return (lifecycle.actions as readonly Operation[]).includes(operation);
}
