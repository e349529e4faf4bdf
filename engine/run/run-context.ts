import { requirements } from '../../specs/catalogue.ts';
import type { ObservationId } from '../../specs/generated/ids.ts';
import { type ActorName, isOperationName, type OperationName, type Target } from '../../specs/target.ts';
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
import type { JsonValue } from '../model/json-value.ts';
import { type ApiResponse, bodyMember, isSuccess, type Operation } from '../model/messages.ts';
import { Interrupted } from '../model/outcomes.ts';
import { ReadWriteLock } from '../scheduling/read-write-lock.ts';
import { RequestBudget } from '../scheduling/request-budget.ts';
import { RequestLimiter } from '../scheduling/request-limiter.ts';
import type { Need } from '../target/capabilities.ts';
import { addTargetSecrets, targetSecrets } from '../target/target-secrets.ts';
import { LateEffectProbe } from './late-effects.ts';
import { Preconditions } from './preconditions.ts';
import { ResponseObservations } from './response-observations.ts';
import type { RunPlan } from './run-plan.ts';

const CLEAN_UP_MS = 10_000;
const OUTAGE_TIMEOUT_MS = 10_000;
/** No server that is asked the same shows so many different ones. */
const MAX_OBSERVED_VALUES = 1000;
const MAX_RECORDED_VALUES = 100;

interface Leftover {
  what: string;
  /** Why it stays; null where nothing more is to be done about it, such as for a cancelled invoice. */
  reason: string | null;
  /** Whether an operation that would have removed it was refused, or failed. */
  isRefused?: boolean;
}

/** One run against one target: everything that its checks share. */
export class RunContext {
  readonly plan: RunPlan;
  readonly redactor = new Redactor();
  readonly journal: Journal;
  readonly client: Client;
  readonly rules: RuleRunner;
  readonly keyEnds: KeyRevocation;
  readonly permissions = new Permissions();
  readonly preconditions: Preconditions;
  readonly lateness: LateEffectProbe;
  /** Moved by withdrawals, and by whatever changes an invoice. */
  readonly funds = new ReadWriteLock();
  /** Moved by whatever creates, changes or removes an invoice. */
  readonly invoices = new ReadWriteLock();
  readonly intermediaries = new IntermediaryLog();
  private readonly sightings = new ResponseObservations();
  private readonly stopping = new AbortController();
  private readonly shared = new Map<string, Promise<unknown>>();
  private readonly observed = new Map<ObservationId, Set<string>>();
  private readonly leftBehind = new Map<string, Leftover>();
  private withdrawn: { sum: string; runsLeft: number | null } | null = null;
  private readonly removedByKind = new Map<string, number>();
  private readonly closing: (() => Promise<void>)[] = [];
  private serialNumber = 0;
  private readonly examined = new Set<Operation>();
  /** By operation or actor: what is wrong with it in the target file, in words. */
  readonly withheld = new Map<Need, string>();
  /** What the target file describes, without the operations and actors that were found to be wrong. */
  target: Target;
  private readonly pace: RequestLimiter;
  private readonly budget: RequestBudget;
  /** Why it was ended early; null while it was not. */
  stopReason: string | null = null;

  constructor(plan: RunPlan, rules: readonly ExchangeRule[] = []) {
    this.plan = plan;
    this.target = plan.target;
    for (const actor of plan.refusedActors ?? []) this.withholdActor(actor);
    for (const { id, state } of plan.made ?? [])
      this.leave(id, `invoice ${state}`, 'made by the preflight, not removed');
    const { limits } = plan.target;
    this.lateness = new LateEffectProbe(limits.settleWithinMs);
    this.pace = new RequestLimiter(limits);
    if (plan.spent) this.pace.continues(plan.spent);
    this.budget = new RequestBudget(limits.maxRequests, plan.spent, plan.made?.length);
    addTargetSecrets(plan.target, this.redactor);
    this.journal = Journal.append(plan.journal, this.redactor);
    const changes = new ChangedRecords();
    this.rules = new RuleRunner(
      {
        organizationOf: (actor) => plan.organizations[actor],
        changedRecords: (response) => changes.in(response),
        secrets: targetSecrets(plan.target),
      },
      rules,
    );
    this.preconditions = new Preconditions((id, exchanges) => this.rules.isBrokenBy(id, exchanges));
    this.client = this.openClient(this.stopping.signal, 'x', OUTAGE_TIMEOUT_MS);
    this.keyEnds = new KeyRevocation(plan.target, this.client);
    for (const actor of plan.acceptedActors ?? []) this.keyEnds.accept(actor);
  }

  get stopped(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Ends the run early: requests under way are dropped and no check sends another. */
  stop(reason = 'it was stopped from outside'): void {
    this.stopReason ??= reason;
    this.stopping.abort(new Interrupted('the run was interrupted'));
  }

  /** Whether nothing more is asked in the name of a check: the run was stopped, or the target is silent. */
  get over(): boolean {
    return this.stopped || this.client.gaveUp;
  }

  /** Requests that its budget still allows. */
  get requestsLeft(): number {
    return this.budget.left;
  }

  /** Work that may spend the requests which were kept aside for it. */
  async tidyingUp(work: () => Promise<void>): Promise<void> {
    this.budget.tidyingUp = true;
    await work().finally(() => {
      this.budget.tidyingUp = false;
    });
  }

  /** A client for tidying up, which neither a stop nor an earlier silence ends; it has 10 seconds. */
  farewellClient(): Client {
    return this.openClient(AbortSignal.timeout(CLEAN_UP_MS), 'z', this.client.gaveUp ? 0 : OUTAGE_TIMEOUT_MS);
  }

  /** The same result for everybody who asks for the same key, made once. A failure is shared, too. */
  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.shared.get(key) as Promise<T> | undefined;
    if (known) return known;
    const made = make();
    this.shared.set(key, made);
    return made;
  }

  /** An operation was seen to be the one that its binding names: its answers are judged from now on. */
  confirmBinding(name: OperationName): void {
    this.examined.add(name);
  }

  /** A binding was found to be wrong: the run goes on as if there was none, and says why. */
  withholdBinding(name: OperationName, why: string): void {
    const { [name]: _, ...operations } = this.target.operations;
    this.target = { ...this.target, operations };
    this.withheld.set(name, why);
  }

  /** Nothing that has this need is put to the target any more, for this reason. */
  withhold(need: 'connection', why: string): void {
    this.withheld.set(need, why);
  }

  private withholdActor(actor: ActorName): void {
    const { [actor]: _, ...actors } = this.target.actors;
    this.target = { ...this.target, actors };
    this.withheld.set(actor, `actors.${actor}: its key and secret are refused (401); correct them`);
  }

  /** How many requests have left in the name of the run. */
  get requests(): number {
    return this.budget.spent;
  }

  /** 1, 2, 3 … for values that must not repeat within the run. */
  serial(): number {
    this.serialNumber += 1;
    return this.serialNumber;
  }

  /** Records what the target does where the contract leaves it open. Different values of one question add up. */
  observe(id: ObservationId, value: JsonValue): void {
    const values = this.observed.get(id) ?? new Set();
    if (values.size < MAX_OBSERVED_VALUES) values.add(JSON.stringify(value));
    this.observed.set(id, values);
  }

  /** Whether whoever asks for a check is in a quiet stretch of any kind. */
  isWithin(check: string | null): boolean {
    return this.invoices.within(check) || this.funds.within(check);
  }

  /** Remembers something the kit has made; `resolve` it when it is gone again. */
  leave(id: string, what: string, reason: string | null): void {
    this.leftBehind.set(id, { what, reason });
  }

  /** Notes that an operation which would have removed something the kit has made did not work; nothing for what others have. */
  refused(id: string, reason: string): void {
    const left = this.leftBehind.get(id);
    if (left) this.leftBehind.set(id, { what: left.what, reason, isRefused: true });
  }

  /** Notes what has become of something that the kit has made; nothing for what others have. */
  became(id: string, what: string, reason: string | null): void {
    if (this.leftBehind.has(id)) this.leave(id, what, reason);
  }

  /** Notes why something that the kit has made stays behind; nothing for what others have. */
  stays(id: string, reason: string): void {
    const left = this.leftBehind.get(id);
    if (left) this.leave(id, left.what, reason);
  }

  removed(id: string): void {
    const left = this.leftBehind.get(id);
    if (left) this.countRemoved(left.what);
    this.leftBehind.delete(id);
  }

  private countRemoved(what: string): void {
    this.removedByKind.set(what, (this.removedByKind.get(what) ?? 0) + 1);
  }

  /** Ids of the invoices that the preflight created and the run has not removed. No check touches them. */
  untouched(): string[] {
    return (this.plan.made ?? []).flatMap(({ id }) => (this.leftBehind.has(id) ? [id] : []));
  }

  leftovers(): [string, Leftover][] {
    return [...this.leftBehind];
  }

  /** Notes what was withdrawn in all, and how many more runs the balance lasts for, where that is known. */
  noteWithdrawn(sum: string, runsLeft: number | null): void {
    this.withdrawn = { sum, runsLeft };
  }

  /** Closes something that the checks have opened, when the run ends. */
  atEnd(close: () => Promise<void>): void {
    this.closing.push(close);
  }

  /** Writes what was observed, left behind and removed, and the footer. */
  async close(interrupted: string | null): Promise<void> {
    await this.client.close();
    for (const close of this.closing) await close();
    for (const [id, value] of this.sightings.observations()) this.observe(id, value);
    for (const [id, values] of this.observed) {
      const list = [...values]
        .sort()
        .slice(0, MAX_RECORDED_VALUES)
        .map((value) => JSON.parse(value) as JsonValue);
      const value = list.length === 1 ? (list[0] as JsonValue) : list;
      this.journal.write({ kind: 'observation', id, question: questionOf(id), value });
    }
    for (const [id, { what, reason }] of this.leftBehind) {
      if (reason === null) this.countRemoved(what);
      else this.journal.write({ kind: 'leftover', id, what, reason });
    }
    for (const [what, count] of this.removedByKind) this.journal.write({ kind: 'removed', what, count });
    if (this.withdrawn) this.journal.write({ kind: 'withdrawn', ...this.withdrawn });
    this.journal.write({ kind: 'footer', finishedAt: new Date().toISOString(), interrupted });
    this.journal.close();
  }

  private looksMisbound(answer: ApiResponse): boolean {
    const { operation } = answer.ask;
    if (!isOperationName(operation) || this.examined.has(operation)) return false;
    // A document of another kind, such as a PDF, is not what the contract speaks of.
    if (isSuccess(answer) && answer.text !== '' && answer.json === undefined) return true;
    // What refuses a wrong path without a code may be a gateway.
    const bare = answer.status >= 400 && typeof bodyMember(answer, 'code') !== 'string';
    return bare || missingOperationReason(operation, answer) !== null;
  }

  private openClient(stop: AbortSignal, idPrefix: string, patienceMs: number): Client {
    const { target, mutations } = this.plan;
    const onAnswer = (answer: ApiResponse) => {
      // A wrong path in the target file is no answer of the service.
      if (this.looksMisbound(answer)) return;
      this.rules.observe(answer);
      this.sightings.see(answer);
      this.intermediaries.see(answer);
      this.keyEnds.see(answer);
      this.permissions.see(answer);
    };
    const { journal, redactor, pace, budget } = this;
    const urgent = (check: string | null) => this.isWithin(check);
    return new Client({
      target,
      journal,
      redactor,
      stop,
      onAnswer,
      idPrefix,
      mutations,
      patienceMs,
      pace,
      budget,
      urgent,
    });
  }
}

function questionOf(id: ObservationId): string {
  const entry = requirements.find(({ observations }) => observations.includes(id));
  if (!entry) throw new Error(`specs/requirements/ declares no observation ${id}`);
  return entry.statement;
}
