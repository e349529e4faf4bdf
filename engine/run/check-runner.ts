import { catalogueCheck, checkCatalogue } from '../../specs/catalogue.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { CheckRecord } from '../../specs/journal.ts';
import { lifecycle } from '../../specs/lifecycle.ts';
import { isOperationName, type OperationName } from '../../specs/target.ts';
import { LostOperations, type OperationProbe, type SuspectOperation } from '../diagnosis/lost-operations.ts';
import { type ForbiddenRequest, missingPermission } from '../diagnosis/permissions.ts';
import { TargetChangeProbe } from '../diagnosis/service-displacement.ts';
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

/** Checks at work at once, for each request that may be under way. */
const CHECKS_PER_REQUEST = 2;
/** How often a check is tried whose every try met a request that had to be repeated. */
const MAX_EXECUTIONS = 3;

const KEY_REVOKED =
  'its key was accepted in this run and is refused now (401): the sandbox was reset, or the key revoked or locked';

export interface CheckSuite<Lab> {
  definitions: readonly CheckDefinition<Lab>[];
  /** The rules about every exchange. */
  rules: readonly ExchangeRule[];
  labFor: (run: RunContext, asking: CheckExecution) => Lab;
  /** Awaited before each check that creates invoices; the first of them makes it happen. */
  firstInvoice: (lab: Lab) => Promise<void>;
  /** Proves that bound operations are the ones that their bindings name, each once; withholds those that are not. */
  proveBindings: (run: RunContext, names: readonly OperationName[]) => Promise<void>;
  /** Tries whether the key may use the operation at all, where the run has not seen that it may. */
  tryPermission: (lab: Lab, forbidden: ForbiddenRequest) => Promise<void>;
  /** Uses an operation once as the contract offers it; null where that cannot be tried. */
  validUse: (lab: Lab, suspect: SuspectOperation) => Promise<ApiResponse | null>;
  /** Says so when somebody has emptied the sandbox since the run began; null otherwise. */
  emptied: (lab: Lab) => Promise<string | null>;
  /** Removes what the checks made, once the last of them that needs it has ended. */
  tidyUp: (run: RunContext) => Promise<void>;
}

/** In these phases the kit itself resets the sandbox and ends keys. */
const RESET_PHASES: ReadonlySet<Phase> = new Set<Phase>(['reset', 'production-reset', 'closing']);

interface ScheduledCheck {
  phase: Phase;
  body: (asking: CheckExecution) => Promise<void>;
}

const isBreach = ({ verdict }: CheckRecord) => verdict === 'fail' || verdict === 'warn';

/**
 * The selected checks of one run. `perform` them all, at once: the phases see to their order, the slots to their number.
 */
export class CheckRunner<Lab> {
  readonly run: RunContext;
  private readonly parts: ReadonlyMap<CheckId, ScheduledCheck>;
  private readonly phases: Phases;
  private readonly slots: Semaphore;
  /** The operations that the checks of the run may use. */
  private needed: readonly OperationName[];
  private readonly displacement: TargetChangeProbe;
  private readonly losses = new LostOperations();
  private readonly use: OperationProbe;
  /** Whether one of those phases has begun: missing invoices and ended keys are the kit's own doing then. */
  private endsItself = false;
  private readonly tryPermission: (asking: CheckExecution, forbidden: ForbiddenRequest) => Promise<void>;
  private deadline: NodeJS.Timeout | undefined;

  constructor(plan: RunPlan, repertoire: CheckSuite<Lab>) {
    const { definitions, rules, tidyUp, labFor, tryPermission, validUse, emptied } = repertoire;
    this.run = new RunContext(plan, rules);
    this.displacement = new TargetChangeProbe(plan.target, this.run.client, async () =>
      this.endsItself
        ? null
        : ((await this.sellerEnded()) ?? (await emptied(labFor(this.run, newCheckExecution(null))))),
    );
    this.use = (suspect) => validUse(labFor(this.run, newCheckExecution(null)), suspect);
    this.tryPermission = (asking, forbidden) => tryPermission(labFor(this.run, asking), forbidden);
    this.slots = new Semaphore(plan.target.limits.concurrency * CHECKS_PER_REQUEST);
    const chosen = new Set(plan.selected);
    this.needed = operationsToVerify(plan.target, needsOf(definitions, plan.selected));
    const asked = definitions.map((definition) => [definition.id, this.asked(definition, repertoire)] as const);
    const judged = rules.map(({ id }) => [id, this.judged(id)] as const);
    this.parts = new Map([...asked, ...judged].filter(([id]) => chosen.has(id)));
    this.run.preconditions.select([...this.parts.keys()]);
    const companions = definitions.filter(({ id, phase }) => phase === 'main' && plan.companions?.includes(id));
    const phases = [...this.parts.values()].map(({ phase }) => phase);
    this.phases = new Phases(phases, async (phase) => {
      if (phase === 'main') await this.accompany(companions, repertoire);
      if (phase === 'late') await tidyUp(this.run);
    });
  }

  get ids(): CheckId[] {
    return [...this.parts.keys()];
  }

  /** Begins; nothing waits for checks that nobody will ask to perform. */
  start(leftOut: readonly CheckId[] = []): void {
    for (const id of leftOut) {
      this.phases.leaveOut(this.partOf(id).phase);
      this.run.preconditions.conclude(id, null);
    }
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
    const part = this.partOf(id);
    let record: CheckRecord | null = null;
    try {
      record = await this.performed(id, part);
      if (record) this.run.journal.write(record);
      return record && this.run.redactor.deep(record);
    } catch (error) {
      // Said once, when the run closes: every other check would only repeat it.
      if (error instanceof JournalError) return null;
      throw error;
    } finally {
      this.run.preconditions.conclude(id, record);
    }
  }

  /** Runs other checks without recording their verdicts when a selected rule about every exchange has no answer to judge yet. */
  private async accompany(companions: readonly CheckDefinition<Lab>[], repertoire: CheckSuite<Lab>): Promise<void> {
    if (!this.ids.some((id) => this.run.rules.isWaiting(id))) return;
    const { target } = this.run.plan;
    const ids = companions.map(({ id }) => id);
    this.needed = [...new Set([...this.needed, ...operationsToVerify(target, needsOf(companions, ids))])];
    await Promise.all(
      companions.map(
        async (definition) => await this.outcome(newCheckExecution(definition.id), this.asked(definition, repertoire)),
      ),
    );
  }

  private async performed(id: CheckId, part: ScheduledCheck): Promise<CheckRecord | null> {
    let record: CheckRecord | null;
    try {
      await this.phases.begins(part.phase);
      this.endsItself ||= RESET_PHASES.has(part.phase);
      record = await this.judge(id, part);
      if (record && isBreach(record) && part.phase !== 'closing') this.run.preconditions.suspect(id);
    } finally {
      this.phases.ended(part.phase);
    }
    return record && (await this.unlessPreconditionFailed(id, record));
  }

  /** A breach that rests on what another check has found broken is none of its own. */
  private async unlessPreconditionFailed(id: CheckId, record: CheckRecord): Promise<CheckRecord> {
    // What a check is blocked by may itself turn out to rest on something that failed.
    const byCheck = record.blockedBy !== null && checkCatalogue.has(record.blockedBy as CheckId);
    if (!isBreach(record) && !byCheck) return record;
    const blocked = await this.run.preconditions.failureBefore(id, record);
    if (!blocked) return record;
    return { ...record, ...verdictOf(blocked, catalogueCheck(id).level, this.run.plan.strict) };
  }

  private partOf(id: CheckId): ScheduledCheck {
    const part = this.parts.get(id);
    if (!part) throw new Error(`${id} is not part of this run`);
    return part;
  }

  async close(): Promise<void> {
    await this.phases.settled();
    clearTimeout(this.deadline);
    await this.run.close(this.run.stopReason);
  }

  private asked({ phase, needs, body }: CheckDefinition<Lab>, repertoire: CheckSuite<Lab>): ScheduledCheck {
    const { labFor, firstInvoice } = repertoire;
    return {
      phase,
      body: async (asking) => {
        blockUnlessNeedsMet(needs, this.run);
        const lab = labFor(this.run, asking);
        if (needs.includes('connection')) await firstInvoice(lab);
        await this.bindingsProved(needs, repertoire);
        blockUnlessNeedsMet(needs, this.run);
        await this.slots.hold(async () => {
          this.run.preconditions.insist(asking.id);
          await body(lab);
        });
      },
    };
  }

  /** A check that creates invoices may use any operation; others wait for those that they need. */
  private async bindingsProved(needs: readonly Need[], { proveBindings }: CheckSuite<Lab>): Promise<void> {
    const usesAny = needs.includes('connection') || needs.includes('boundOperations');
    const names = usesAny ? this.needed : needs.filter(isOperationName);
    if (names.length > 0) await proveBindings(this.run, names);
  }

  private judged(id: CheckId): ScheduledCheck {
    return {
      phase: 'closing',
      body: async () => {
        this.run.rules.verdict(id);
      },
    };
  }

  private async judge(id: CheckId, part: ScheduledCheck): Promise<CheckRecord | null> {
    const started = performance.now();
    const exchanges: string[] = [];
    for (let tries = 1; ; tries += 1) {
      const asking = { ...newCheckExecution(id), exchanges };
      let thrown = await this.outcome(asking, part);
      if (thrown instanceof JournalError) this.run.stop('its evidence could not be written');
      if (thrown instanceof JournalError || thrown instanceof Interrupted) return null;
      if (thrown instanceof Breach && asking.doubtful) {
        // What looks like a breach may be the echo of a change that was asked for once and made twice.
        if (tries < MAX_EXECUTIONS) continue;
        const why = `each of ${tries} tries had to repeat a change whose answer got lost; the last one ended with`;
        thrown = new Blocked('target', `${why}: ${thrown.message}`);
      }
      const verdict = thrown === null ? passVerdict : verdictOf(thrown, catalogueCheck(id).level, this.run.plan.strict);
      const durationMs = Math.round((performance.now() - started) * 10) / 10;
      return this.run.intermediaries.told({
        kind: 'check',
        id,
        ...verdict,
        durationMs,
        exchanges: [...new Set([...exchanges, ...verdict.decisive])],
      });
    }
  }

  /** What the check's body threw, or null. */
  private async outcome(asking: CheckExecution, { body }: ScheduledCheck): Promise<unknown> {
    try {
      if (this.run.stopped) throw new Interrupted('the run was interrupted');
      await body(asking)
        .catch((thrown: unknown) => this.unlessKeysEnded(asking, thrown))
        .catch((thrown: unknown) => this.unlessLost(asking, thrown))
        .catch((thrown: unknown) => this.unlessForbidden(asking, thrown))
        .catch((thrown: unknown) => this.unlessLate(asking, thrown))
        .catch((thrown: unknown) => this.unlessDisplaced(thrown));
      return null;
    } catch (thrown) {
      return thrown instanceof InsufficientFunds ? this.unpaid(thrown) : thrown;
    }
  }

  /** A treasury from which nothing was ever paid is to be filled; one that covers some payments and not others is not shown. */
  private unpaid(thrown: InsufficientFunds): Error {
    if (this.run.permissions.worked('settle')) return thrown;
    const remedy = 'fill the sandbox treasury that pays, or declare operations.settle not-offered';
    return new Blocked('actors.buyer of the target file', `actors.buyer: ${thrown.message}; ${remedy}`);
  }

  /** Rejects with what was thrown, or with Blocked where it rests on a 403 to a key that may not use the operation at all. */
  private async unlessForbidden(asking: CheckExecution, thrown: unknown): Promise<never> {
    const refusal = forbiddenCause(asking, thrown);
    if (!refusal || this.run.permissions.has(refusal)) throw thrown;
    if (thrown instanceof Breach) await this.tryPermission(asking, refusal);
    throw this.run.permissions.has(refusal) ? thrown : missingPermission(refusal);
  }

  /** Rejects with what was thrown, or with Blocked where what the check waited for shows later than the target file allows. */
  private async unlessLate({ id, unheld }: CheckExecution, thrown: unknown): Promise<never> {
    const isOwn = thrown instanceof Breach && !this.run.preconditions.restsOnBrokenRule(id, thrown.exchanges);
    const late = isOwn ? await this.run.lateness.among(unheld.slice(-1)) : null;
    throw late ?? thrown;
  }

  /** Rejects with what was thrown, or with Blocked where the target is no longer the one that the run began with. */
  private async unlessDisplaced(thrown: unknown): Promise<never> {
    const rests = thrown instanceof Breach || isBlockedByCheck(thrown);
    const told = rests ? await this.displacement.told() : null;
    throw told === null ? thrown : new Blocked(told.by, told.because);
  }

  /** Rejects with what was thrown, or with Blocked where an operation that worked is gone, or for the key that asked. */
  private async unlessLost(asking: CheckExecution, thrown: unknown): Promise<never> {
    const shown =
      thrown instanceof Breach ? thrown.exchanges : isBlockedByCheck(thrown) ? asking.exchanges.slice(-1) : [];
    const suspect = shown.map((id) => asking.suspects.get(id)).find((each) => each !== undefined);
    const change = suspect && !this.endsItself ? await this.losses.confirmed(suspect, this.use) : null;
    if (!change) throw thrown;
    this.displacement.found(change);
    throw new Blocked(change.by, change.because);
  }

  /** Why nothing can be looked at any more, where the seller's key has ended from outside. */
  private async sellerEnded(): Promise<string | null> {
    try {
      return (await this.run.keyEnds.among(['seller'])) && `actors.seller: ${KEY_REVOKED}`;
    } catch (error) {
      // Without an answer, nothing is known of the key.
      if (isUnjudged(error)) return null;
      throw error;
    }
  }

  /** Rejects with what was thrown, or with Blocked where a key that was needed has ended from outside. */
  private async unlessKeysEnded({ turnedAway }: CheckExecution, thrown: unknown): Promise<never> {
    const actor = thrown instanceof Breach && !this.endsItself ? await this.run.keyEnds.among(turnedAway) : null;
    if (!actor) throw thrown;
    throw new Blocked(`actors.${actor} of the target file`, `actors.${actor}: ${KEY_REVOKED}`);
  }
}

function isBlockedByCheck(thrown: unknown): boolean {
  return thrown instanceof Blocked && checkCatalogue.has(thrown.by as CheckId);
}

/** The 403 that a breach judges, or after which a check gave up. */
function forbiddenCause({ exchanges, forbidden }: CheckExecution, thrown: unknown): ForbiddenRequest | undefined {
  const judged = thrown instanceof Breach ? thrown.exchanges : thrown instanceof NotApplicable ? exchanges : [];
  const last = forbidden.get(judged.at(-1) ?? '');
  if (!last || isExpectedRejection(last)) return undefined;
  // Which party may act is learned by trying: whoever gives up after a 403 may have asked as the wrong one.
  return thrown instanceof NotApplicable && isAction(last.operation) ? undefined : last;
}

/** A read-only key is there to be refused whatever changes anything. */
function isExpectedRejection({ actor, operation }: ForbiddenRequest): boolean {
  return actor === 'readOnly' && operation !== 'list' && operation !== 'read';
}

function isAction(operation: Operation): boolean {
  return (lifecycle.actions as readonly Operation[]).includes(operation);
}
