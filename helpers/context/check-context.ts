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
  readonly execution: CheckExecution;
  private readonly client: Client;
  private fakerCalls = 0;

  constructor(run: RunContext, asking: CheckExecution, client: Client = run.client) {
    this.run = run;
    this.execution = asking;
    this.client = client;
  }

  get target(): Target {
    return this.run.target;
  }

  /** One of the same check, whose exchanges are kept apart. */
  withSeparateEvidence(): CheckContext {
    return new CheckContext(this.run, newCheckExecution(this.execution.id), this.client);
  }

  /** For what is done once for all checks, and is the evidence of none. */
  withoutCheck(): CheckContext {
    return new CheckContext(this.run, newCheckExecution(null), this.client);
  }

  /** Realistic data, the same for the same seed and check. Ask for it once for each piece: others ask, too. */
  get faker(): Faker {
    this.fakerCalls += 1;
    const digest = createHash('sha256')
      .update(`${this.run.plan.seed} ${this.execution.id} ${this.fakerCalls}`)
      .digest();
    return seededFaker(digest.readUInt32BE());
  }

  /** An actor's valid credentials. Throws Blocked when the target file does not hold the actor. */
  credentials(name: ActorName): Credentials {
    return credentialsOf(this.target, name);
  }

  /** Those of the actors that the target file names. */
  availableActors<Name extends ActorName>(...names: readonly Name[]): Name[] {
    return names.filter((name) => this.target.actors[name]);
  }

  /** An actor's organization id, given or discovered. Throws Blocked when it is not known. */
  organizationId(name: ActorName): string {
    const id = this.run.plan.organizations[name];
    if (!id)
      throw new Blocked(`actors.${name}.organizationId of the target file`, `the organization of ${name} is not known`);
    return id;
  }

  /** Sends one request and keeps it as this check's evidence; `onDispatch` is told when it leaves. */
  async send(ask: ApiRequest, onDeparture?: () => void): Promise<ApiResponse> {
    this.maskCredentials(ask);
    return this.inspectResponse(await this.client.send(ask, this.execution.id, this.recordExchange, onDeparture));
  }

  /** Sends requests that arrive at the same moment. */
  async sendSimultaneously(asks: readonly ApiRequest[]): Promise<ApiResponse[]> {
    for (const ask of asks) this.maskCredentials(ask);
    const responses = await this.client.sendSimultaneously(asks, this.execution.id, this.recordExchange);
    return responses.map((response) => this.inspectResponse(response));
  }

  /** Takes answers that another check got for part of what it looks at. */
  addEvidence(responses: readonly ApiResponse[]): void {
    for (const response of responses) this.recordExchange(this.inspectResponse(response).exchange);
  }

  private readonly recordExchange = (exchange: string): void => {
    this.execution.exchanges.push(exchange);
  };

  private inspectResponse(response: ApiResponse): ApiResponse {
    this.execution.mayHaveDuplicatedMutation ||= response.mayHaveDuplicatedMutation;
    if (response.status === 401 && response.request.actor) this.execution.actorsAnswered401.add(response.request.actor);
    const forbidden = findForbiddenRequest(response);
    if (forbidden) this.execution.forbiddenRequests.set(response.exchange, forbidden);
    const suspect = findSuspect(response, this.run.permissions);
    if (suspect) this.execution.suspectOperations.set(response.exchange, suspect);
    return response;
  }

  private maskCredentials({ actorLabel, credentials }: ApiRequest): void {
    for (const [name, value] of credentials) {
      if (value.length >= MIN_SECRET_LENGTH) this.run.redactor.addSecret(value, `${actorLabel}: ${name}`);
    }
  }

  /** Throws Blocked where a breach of what the check rests on was found by now: looking again would tell nothing. */
  blockIfPreconditionBroken(): void {
    this.run.preconditions.blockIfPreconditionBroken(this.execution.id);
  }

  observe(id: ObservationId, value: JsonValue): void {
    this.run.recordObservation(id, value);
  }

  /** A caller-unique value that is no UUID, neither short nor longer than one. */
  createRequestId(): string {
    return `conf-${this.run.plan.runId.slice(0, 8)}-${String(this.run.nextSerial()).padStart(8, '0')}`;
  }
}
