import { requirements } from '../specs/catalogue.ts';
import type { ObservationId } from '../specs/generated/ids.ts';
import type { Answer } from './answer.ts';
import { Budget } from './budget.ts';
import { Client } from './client.ts';
import { Journal } from './journal.ts';
import type { JsonValue } from './json.ts';
import { Bench } from './judges/bench.ts';
import { News } from './judges/news.ts';
import { KeyEnds } from './key-ends.ts';
import { Interrupted } from './outcome.ts';
import { Pace } from './pace.ts';
import type { Plan } from './plan.ts';
import { Quiet } from './quiet.ts';
import { Redactor } from './redaction.ts';
import { Sightings } from './sightings.ts';
import { concealTarget, targetSecrets } from './target/secrets.ts';

const FAREWELL_MS = 10_000;
const PATIENCE_MS = 10_000;
const VALUES_KEPT = 20;

/** One run against one target: everything that its checks share. */
export class Run {
  readonly plan: Plan;
  readonly redactor = new Redactor();
  readonly journal: Journal;
  readonly client: Client;
  readonly bench: Bench;
  readonly keyEnds: KeyEnds;
  /** Moved by withdrawals, and by whatever changes an invoice. */
  readonly funds = new Quiet();
  /** Moved by whatever creates, changes or removes an invoice. */
  readonly invoices = new Quiet();
  private readonly sightings = new Sightings();
  private readonly stopping = new AbortController();
  private readonly shared = new Map<string, Promise<unknown>>();
  private readonly observed = new Map<ObservationId, Set<string>>();
  private readonly leftBehind = new Map<string, { what: string; reason: string }>();
  private readonly closing: (() => Promise<void>)[] = [];
  private serialNumber = 0;
  private readonly pace: Pace;
  private readonly budget: Budget;
  /** Why it was ended early; null while it was not. */
  stopReason: string | null = null;

  constructor(plan: Plan) {
    this.plan = plan;
    const { limits } = plan.target;
    this.pace = new Pace(limits);
    if (plan.spent) this.pace.continues();
    this.budget = new Budget(limits.maxRequests, plan.spent);
    concealTarget(plan.target, this.redactor);
    this.journal = Journal.append(plan.journal, this.redactor);
    const news = new News();
    this.bench = new Bench({
      organizationOf: (actor) => plan.organizations[actor],
      newsIn: (answer) => news.in(answer),
      secrets: targetSecrets(plan.target),
    });
    this.client = this.openClient(this.stopping.signal, 'x', PATIENCE_MS);
    this.keyEnds = new KeyEnds(plan.target, this.client);
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

  /** A client for tidying up, which neither a stop nor an earlier silence ends; it has 10 seconds. */
  farewellClient(): Client {
    return this.openClient(AbortSignal.timeout(FAREWELL_MS), 'z', this.client.gaveUp ? 0 : PATIENCE_MS);
  }

  /** The same result for everybody who asks for the same key, made once. A failure is shared, too. */
  once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.shared.get(key) as Promise<T> | undefined;
    if (known) return known;
    const made = make();
    this.shared.set(key, made);
    return made;
  }

  /** 1, 2, 3 … for values that must not repeat within the run. */
  serial(): number {
    this.serialNumber += 1;
    return this.serialNumber;
  }

  /** Records what the target does where the contract leaves it open. Different values of one question add up. */
  observe(id: ObservationId, value: JsonValue): void {
    const values = this.observed.get(id) ?? new Set();
    if (values.size < VALUES_KEPT) values.add(JSON.stringify(value));
    this.observed.set(id, values);
  }

  /** Whether whoever asks for a check is in a quiet stretch of any kind. */
  isWithin(check: string | null): boolean {
    return this.invoices.within(check) || this.funds.within(check);
  }

  /** Remembers something the kit has made; `resolve` it when it is gone again. */
  leave(id: string, what: string, reason: string): void {
    this.leftBehind.set(id, { what, reason });
  }

  /** Notes what has become of something that the kit has made; nothing for what others have. */
  became(id: string, what: string, reason: string): void {
    if (this.leftBehind.has(id)) this.leave(id, what, reason);
  }

  removed(id: string): void {
    this.leftBehind.delete(id);
  }

  leftovers(): [string, { what: string; reason: string }][] {
    return [...this.leftBehind];
  }

  /** Closes something that the checks have opened, when the run ends. */
  atEnd(close: () => Promise<void>): void {
    this.closing.push(close);
  }

  /** Writes what was observed and left behind, and the footer. */
  async close(interrupted: string | null): Promise<void> {
    await this.client.close();
    for (const close of this.closing) await close();
    for (const [id, value] of this.sightings.observations()) this.observe(id, value);
    for (const [id, values] of this.observed) {
      const list = [...values].sort().map((value) => JSON.parse(value) as JsonValue);
      const value = list.length === 1 ? (list[0] as JsonValue) : list;
      this.journal.write({ kind: 'observation', id, question: questionOf(id), value });
    }
    for (const [id, { what, reason }] of this.leftBehind) this.journal.write({ kind: 'leftover', id, what, reason });
    this.journal.write({ kind: 'footer', finishedAt: new Date().toISOString(), interrupted });
    this.journal.close();
  }

  private openClient(stop: AbortSignal, idPrefix: string, patienceMs: number): Client {
    const { target, mutations } = this.plan;
    const onAnswer = (answer: Answer) => {
      this.bench.see(answer);
      this.sightings.see(answer);
      this.keyEnds.see(answer);
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
  if (!entry) throw new Error(`specs/requirements.yaml declares no observation ${id}`);
  return entry.statement;
}
