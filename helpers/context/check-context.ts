import { createHash } from 'node:crypto';
import type { Faker } from '@faker-js/faker';
import { findSuspect } from '../../engine/diagnosis/lost-operations.ts';
import { findForbiddenRequest } from '../../engine/diagnosis/permissions.ts';
import type { Client } from '../../engine/http/client.ts';
import { type Credentials, credentialsOf } from '../../engine/model/credentials.ts';
import type { JsonValue } from '../../engine/model/json-value.ts';
import type { ApiRequest, ApiResponse } from '../../engine/model/messages.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import { type CheckExecution, newCheckExecution } from '../../engine/run/check-definition.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { ObservationId } from '../../specs/generated/ids.ts';
import type { ActorName, Target } from '../../specs/target.ts';
import { seededFaker } from './seeded-faker.ts';

/** Anything shorter, such as the bare prefix of a key, gives nothing away. */
const MIN_SECRET_LENGTH = 12;

/** What one check works with: the target's actors, a client that keeps evidence in its name, and seeded data. */
export class CheckContext {
  readonly run: RunContext;
  readonly asking: CheckExecution;
  private readonly client: Client;
  private pieces = 0;

  constructor(run: RunContext, asking: CheckExecution, client: Client = run.client) {
    this.run = run;
    this.asking = asking;
    this.client = client;
  }

  get target(): Target {
    return this.run.target;
  }

  /** One of the same check, whose exchanges are kept apart. */
  apart(): CheckContext {
    return new CheckContext(this.run, newCheckExecution(this.asking.id), this.client);
  }

  /** For what is done once for all checks, and is the evidence of none. */
  ofNoCheck(): CheckContext {
    return new CheckContext(this.run, newCheckExecution(null), this.client);
  }

  /** Realistic data, the same for the same seed and check. Ask for it once for each piece: others ask, too. */
  get faker(): Faker {
    this.pieces += 1;
    const digest = createHash('sha256').update(`${this.run.plan.seed} ${this.asking.id} ${this.pieces}`).digest();
    return seededFaker(digest.readUInt32BE());
  }

  /** An actor's valid credentials. Throws Blocked when the target file does not hold the actor. */
  who(name: ActorName): Credentials {
    return credentialsOf(this.target, name);
  }

  /** Those of the actors that the target file names. */
  known<Name extends ActorName>(...names: readonly Name[]): Name[] {
    return names.filter((name) => this.target.actors[name]);
  }

  /** An actor's organization id, given or discovered. Throws Blocked when it is not known. */
  organization(name: ActorName): string {
    const id = this.run.plan.organizations[name];
    if (!id)
      throw new Blocked(`actors.${name}.organizationId of the target file`, `the organization of ${name} is not known`);
    return id;
  }

  /** Sends one request and keeps it as this check's evidence; `onDeparture` is told when it leaves. */
  async send(ask: ApiRequest, onDeparture?: () => void): Promise<ApiResponse> {
    this.conceal(ask);
    return this.noted(await this.client.send(ask, this.asking.id, this.keep, onDeparture));
  }

  /** Sends requests that arrive at the same moment. */
  async volley(asks: readonly ApiRequest[]): Promise<ApiResponse[]> {
    for (const ask of asks) this.conceal(ask);
    const answers = await this.client.volley(asks, this.asking.id, this.keep);
    return answers.map((answer) => this.noted(answer));
  }

  /** Takes answers that another check got for part of what it looks at. */
  shares(answers: readonly ApiResponse[]): void {
    for (const answer of answers) this.keep(this.noted(answer).exchange);
  }

  private readonly keep = (exchange: string): void => {
    this.asking.exchanges.push(exchange);
  };

  private noted(answer: ApiResponse): ApiResponse {
    this.asking.doubtful ||= answer.repeated;
    if (answer.status === 401 && answer.ask.actor) this.asking.turnedAway.add(answer.ask.actor);
    const forbidden = findForbiddenRequest(answer);
    if (forbidden) this.asking.forbidden.set(answer.exchange, forbidden);
    const suspect = findSuspect(answer, this.run.permissions);
    if (suspect) this.asking.suspects.set(answer.exchange, suspect);
    return answer;
  }

  private conceal({ as, credentials }: ApiRequest): void {
    for (const [name, value] of credentials) {
      if (value.length >= MIN_SECRET_LENGTH) this.run.redactor.conceal(value, `${as}: ${name}`);
    }
  }

  /** Throws Blocked where a breach of what the check rests on was found by now: looking again would tell nothing. */
  insistOnPreconditions(): void {
    this.run.preconditions.insist(this.asking.id);
  }

  observe(id: ObservationId, value: JsonValue): void {
    this.run.observe(id, value);
  }

  /** A caller-unique value that is no UUID, neither short nor longer than one. */
  requestId(): string {
    return `conf-${this.run.plan.runId.slice(0, 8)}-${String(this.run.serial()).padStart(8, '0')}`;
  }
}
