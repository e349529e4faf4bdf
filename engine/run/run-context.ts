import type { CheckId } from '../../specs/generated/ids.ts';
import { type ActorName, isOperationName, type OperationName, type Target } from '../../specs/target-file/target.ts';
import { IntermediaryLog } from '../diagnosis/intermediary-log.ts';
import { KeyRevocation } from '../diagnosis/key-revocation.ts';
import { missingOperationReason } from '../diagnosis/operation-binding.ts';
import { Permissions } from '../diagnosis/permissions.ts';
import { Journal } from '../evidence/journal.ts';
import { Redactor } from '../evidence/redactor.ts';
import { Client } from '../http/client.ts';
import { ChangedRecords } from '../judges/changed-records.ts';
import type { ExchangeRule } from '../judges/exchange-rule.ts';
import { RuleRunner } from '../judges/rule-runner.ts';
import { LateEffectProbe } from '../ledger/late-effects.ts';
import { Leftovers } from '../ledger/leftovers.ts';
import { Observations } from '../ledger/observations.ts';
import { PaymentClock } from '../ledger/payment-clock.ts';
import { ResponseObservations } from '../ledger/response-observations.ts';
import { RunLedger } from '../ledger/run-ledger.ts';
import { type ApiResponse, bodyMember, isSuccess, type Operation } from '../model/messages.ts';
import { Interrupted } from '../model/outcomes.ts';
import { BalanceLock } from '../scheduling/balance-lock.ts';
import type { LockOwner } from '../scheduling/lock-owner.ts';
import { ReadWriteLock } from '../scheduling/read-write-lock.ts';
import { RequestBudget } from '../scheduling/request-budget.ts';
import { RequestLimiter } from '../scheduling/request-limiter.ts';
import type { Need } from '../target/capabilities.ts';
import { addTargetSecrets, targetSecrets } from '../target/target-secrets.ts';
import { Preconditions } from './preconditions.ts';
import type { RunPlan } from './run-plan.ts';

const CLEAN_UP_MS = 10_000;
const OUTAGE_TIMEOUT_MS = 10_000;
/** One run against one target: the state that its checks share. */
export class RunContext {
  readonly plan: RunPlan;
  readonly redactor = new Redactor();
  readonly journal: Journal;
  readonly client: Client;
  readonly rules: RuleRunner;
  readonly keyRevocation: KeyRevocation;
  readonly permissions = new Permissions();
  readonly paymentClock = new PaymentClock();
  readonly preconditions: Preconditions;
  readonly lateEffects: LateEffectProbe;
  readonly balanceLock = new BalanceLock();
  /** For invoices: creations, changes and removals share it. */
  readonly invoiceLock = new ReadWriteLock();
  readonly intermediaryLog = new IntermediaryLog();
  private readonly responseObservations = new ResponseObservations();
  private readonly stopController = new AbortController();
  /** The facts and shared results of the checks. */
  readonly ledger = new RunLedger();
  readonly observations = new Observations();
  readonly leftovers = new Leftovers();
  private readonly closeCallbacks: (() => Promise<void>)[] = [];
  private serialNumber = 0;
  private readonly confirmedBindings = new Set<Operation>();
  /** By operation or actor: the problem in the target file. */
  readonly disabledReasons = new Map<Need, string>();
  /** The target without the operations and actors that were found to be wrong. */
  target: Target;
  private readonly limiter: RequestLimiter;
  private readonly budget: RequestBudget;
  /** Why the run was stopped early; null otherwise. */
  stopReason: string | null = null;
  /** Called when a response first breaks an exchange rule, whose verdict follows at the end of the run. */
  onRuleBreach: (id: CheckId, reason: string) => void = () => {};

  constructor(plan: RunPlan, rules: readonly ExchangeRule[] = []) {
    this.plan = plan;
    this.target = plan.target;
    for (const actor of plan.rejectedActors ?? []) if (actor !== 'revoked') this.disableActor(actor);
    for (const { id, state } of plan.trialInvoices ?? [])
      this.leftovers.recordCreated(id, `invoice ${state}`, 'created by the preflight, not removed');
    const { limits } = plan.target;
    this.lateEffects = new LateEffectProbe(limits.settleWithinMs);
    this.limiter = new RequestLimiter(limits);
    if (plan.requestsSpent) this.limiter.recordPrevious(plan.requestsSpent);
    this.budget = new RequestBudget(limits.maxRequests, {
      limitedBy: plan.requestLimit,
      spent: plan.requestsSpent,
      made: plan.trialInvoices?.length,
    });
    addTargetSecrets(plan.target, this.redactor);
    this.journal = Journal.append(plan.journalPath, this.redactor);
    const changes = new ChangedRecords();
    this.rules = new RuleRunner(
      {
        organizationOf: (actor) => plan.organizations[actor],
        changedRecords: (response) => changes.changesIn(response),
        secrets: targetSecrets(plan.target),
        settleWithinMs: limits.settleWithinMs,
        roundingMs: 0,
      },
      rules,
      (id, reason) => {
        if (plan.selected.includes(id)) this.onRuleBreach(id, this.redactor.maskDeep(reason));
      },
    );
    this.preconditions = new Preconditions((id, exchanges) => this.rules.isBrokenBy(id, exchanges));
    this.client = this.createClient(this.stopController.signal, 'x', OUTAGE_TIMEOUT_MS);
    this.keyRevocation = new KeyRevocation(plan.target, this.client);
    for (const actor of plan.acceptedActors ?? []) this.keyRevocation.markAccepted(actor);
  }

  get isStopped(): boolean {
    return this.stopController.signal.aborted;
  }

  /** Ends the run early: requests under way are dropped and no check sends another. */
  stop(reason: string): void {
    this.stopReason ??= reason;
    this.stopController.abort(new Interrupted('the run was interrupted'));
  }

  /** Whether checks send no more requests: the run was stopped, or the target does not respond. */
  get isOver(): boolean {
    return this.isStopped || this.client.hasGivenUp;
  }

  /** Requests that the budget still allows. */
  get remainingRequests(): number {
    return this.budget.remaining;
  }

  /** Keeps this number of requests for the checks that run after the main phase; 0 releases them. */
  keepRequestsForLaterPhases(requests: number): void {
    this.budget.keepForLaterPhases(requests);
  }

  /** Runs work that may use the requests reserved for clean-up. */
  async withReservedRequests(work: () => Promise<void>): Promise<void> {
    this.budget.isCleaningUp = true;
    await work().finally(() => {
      this.budget.isCleaningUp = false;
    });
  }

  /** A client for clean-up, which works for 10 seconds even after a stop or an outage. */
  cleanUpClient(): Client {
    return this.createClient(AbortSignal.timeout(CLEAN_UP_MS), 'z', this.client.hasGivenUp ? 0 : OUTAGE_TIMEOUT_MS);
  }

  /** Records that a binding is correct. Responses of this operation are judged from now on. */
  confirmBinding(name: OperationName): void {
    this.confirmedBindings.add(name);
  }

  /** Disables a wrong binding for the rest of the run, with the reason. */
  disableBinding(name: OperationName, why: string): void {
    const { [name]: _, ...operations } = this.target.operations;
    this.target = { ...this.target, operations };
    this.disabledReasons.set(name, why);
  }

  /** Blocks all further checks with this need, for this reason. */
  disable(need: 'connection', why: string): void {
    this.disabledReasons.set(need, why);
  }

  private disableActor(actor: ActorName): void {
    const { [actor]: _, ...actors } = this.target.actors;
    this.target = { ...this.target, actors };
    this.disabledReasons.set(actor, `actors.${actor}: the server rejects this key and secret (401); correct them`);
  }

  /** The number of requests that the run has sent. */
  get requestCount(): number {
    return this.budget.spent;
  }

  /** 1, 2, 3 … for values that must not repeat within the run. */
  nextSerial(): number {
    this.serialNumber += 1;
    return this.serialNumber;
  }

  /** Whether an owner is in an exclusive section of any lock. */
  holdsExclusiveLock(owner: LockOwner): boolean {
    return this.invoiceLock.isHeldBy(owner) || this.balanceLock.isHeldBy(owner);
  }

  /** Ids of the invoices that the preflight created and the run has not removed. No check touches them. */
  remainingTrialIds(): string[] {
    return (this.plan.trialInvoices ?? []).flatMap(({ id }) => (this.leftovers.has(id) ? [id] : []));
  }

  /** Registers a callback for the end of the run. */
  onClose(close: () => Promise<void>): void {
    this.closeCallbacks.push(close);
  }

  /** Writes observations, leftovers and removals, and the footer. */
  async close(interrupted: string | null): Promise<void> {
    await this.client.close();
    for (const close of this.closeCallbacks) await close();
    for (const [id, value] of this.responseObservations.observations()) this.observations.record(id, value);
    this.observations.write(this.journal);
    this.leftovers.write(this.journal);
    const organizations = { ...this.plan.organizations };
    this.journal.write({ kind: 'footer', finishedAt: new Date().toISOString(), interrupted, organizations });
    this.journal.close();
  }

  private isMisbound(answer: ApiResponse): boolean {
    const { operation } = answer.request;
    if (!isOperationName(operation) || this.confirmedBindings.has(operation)) return false;
    // A document of another type, such as a PDF, is outside the contract.
    if (isSuccess(answer) && answer.text !== '' && answer.json === undefined) return true;
    // A rejection without a code may come from a gateway.
    const bare = answer.status >= 400 && typeof bodyMember(answer, 'code') !== 'string';
    return bare || missingOperationReason(operation, answer) !== null;
  }

  private createClient(stop: AbortSignal, idPrefix: string, patienceMs: number): Client {
    const { target, mayMutate, userAgent, unavailable } = this.plan;
    const onAnswer = (answer: ApiResponse) => {
      // The server may have moved money, whatever a layer in front of it responds.
      this.paymentClock.observe(answer);
      // A response to a wrong path in the target file does not come from the service.
      if (this.isMisbound(answer)) return;
      this.rules.observe(answer);
      this.responseObservations.observe(answer);
      this.intermediaryLog.observe(answer);
      this.keyRevocation.observe(answer);
      this.permissions.observe(answer);
    };
    const { journal, redactor, limiter: pace, budget } = this;
    return new Client({
      target,
      journal,
      redactor,
      signal: stop,
      onResponse: onAnswer,
      userAgent,
      unavailable,
      idPrefix,
      mayMutate,
      outageTimeoutMs: patienceMs,
      limiter: pace,
      budget,
    });
  }
}
