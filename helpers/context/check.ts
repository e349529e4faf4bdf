import { createHash } from 'node:crypto';
import type { Faker } from '@faker-js/faker';
// The main entry point of the package loads about seventy languages, which takes longer than loading all suites.
import { faker } from '@faker-js/faker/locale/en';
import { findSuspect } from '../../engine/diagnosis/lost-operations.ts';
import { findForbiddenRequest } from '../../engine/diagnosis/permissions.ts';
import type { Client } from '../../engine/http/client.ts';
import { type Credentials, credentialsOf } from '../../engine/model/credentials.ts';
import type { JsonValue } from '../../engine/model/json-value.ts';
import type { ApiRequest, ApiResponse } from '../../engine/model/messages.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import {
  type CheckDefinition,
  type CheckExecution,
  newCheckExecution,
  type Priority,
} from '../../engine/run/check-definition.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import { LockOwner } from '../../engine/scheduling/lock-owner.ts';
import type { Phase } from '../../engine/scheduling/phases.ts';
import type { Need } from '../../engine/target/capabilities.ts';
import type { CheckId, ObservationId } from '../../specs/generated/ids.ts';
import type { ActorName, Target } from '../../specs/target-file/target.ts';
import { recordShownStates } from './invoice-history.ts';

export type Check = CheckDefinition<CheckContext>;

/** When a check runs. */
export interface Schedule {
  phase: Phase;
  priority: Priority;
}

/** A check that runs in the main phase. */
export function check(id: CheckId, needs: readonly Need[], body: (ctx: CheckContext) => Promise<void>): Check {
  return { id, needs, phase: 'main', priority: 'normal', body };
}

/** A check that runs in another phase, or before the others of its phase. */
export function checkInPhase(
  schedule: Phase | Schedule,
  id: CheckId,
  needs: readonly Need[],
  body: (ctx: CheckContext) => Promise<void>,
): Check {
  const { phase, priority } =
    typeof schedule === 'string' ? { phase: schedule, priority: 'normal' as const } : schedule;
  return { id, needs, phase, priority, body };
}

/** Before the other checks of the main phase. */
export const FIRST_IN_MAIN: Schedule = { phase: 'main', priority: 'high' };

/** The late phase, before its other checks: these checks use the invoices or the funds for a while. */
export const FIRST_IN_LATE: Schedule = { phase: 'late', priority: 'high' };

/** The same checks with another priority; a check with a priority of its own keeps it. */
export function withPriority(priority: Priority, checks: readonly Check[]): readonly Check[] {
  return checks.map((each) => (each.priority === 'normal' ? { ...each, priority } : each));
}

/** A shorter value, such as the prefix of a key, reveals no secret. */
const MIN_SECRET_LENGTH = 12;

/** The tools of one check: the actors of the target, a client that records the check's evidence, and seeded data. */
export class CheckContext {
  readonly run: RunContext;
  readonly execution: CheckExecution;
  /** On whose behalf the context takes locks. */
  readonly lockOwner: LockOwner;
  private readonly client: Client;

  constructor(
    run: RunContext,
    execution: CheckExecution,
    { client = run.client, lockOwner = new LockOwner() }: { client?: Client; lockOwner?: LockOwner } = {},
  ) {
    this.run = run;
    this.execution = execution;
    this.client = client;
    this.lockOwner = lockOwner;
  }

  get target(): Target {
    return this.run.target;
  }

  /** A context of the same check that records its exchanges separately. */
  withSeparateEvidence(): CheckContext {
    const { id, isCustom, isUrgent, activity, allowLatePhase } = this.execution;
    const { client, lockOwner } = this;
    const execution = { ...newCheckExecution(id), isCustom, isUrgent, activity, allowLatePhase };
    return new CheckContext(this.run, execution, { client, lockOwner });
  }

  /** A context of the same check for a part of its work that opens exclusive sections of its own. */
  forPart(): CheckContext {
    return new CheckContext(this.run, this.execution, { client: this.client, lockOwner: this.lockOwner.part() });
  }

  /** Whether this work is in an exclusive section. */
  get isExclusive(): boolean {
    return this.run.holdsExclusiveLock(this.lockOwner);
  }

  /** A context for work that is done once for all checks and is the evidence of none. */
  withoutCheck(): CheckContext {
    return new CheckContext(this.run, newCheckExecution(null), {
      client: this.client,
      lockOwner: this.lockOwner.part(),
    });
  }

  /**
   * Realistic data, the same for the same seed and check. Read this getter once for each piece, because other code
   * reseeds the same generator.
   */
  get faker(): Faker {
    this.execution.dataDraws += 1;
    const digest = createHash('sha256')
      .update(`${this.run.plan.seed} ${this.execution.id} ${this.execution.dataDraws}`)
      .digest();
    return seededFaker(digest.readUInt32BE());
  }

  /** An actor's valid credentials. Throws Blocked when the target file does not have the actor. */
  credentials(name: ActorName): Credentials {
    return credentialsOf(this.target, name);
  }

  /** The subset of these actors that the target file has. */
  availableActors<Name extends ActorName>(...names: readonly Name[]): Name[] {
    return names.filter((name) => this.target.actors[name]);
  }

  /** An actor's organization id, configured or discovered. Throws Blocked when it is not known. */
  organizationId(name: ActorName): string {
    const id = this.run.plan.organizations[name];
    if (!id)
      throw new Blocked(`actors.${name}.organizationId of the target file`, `the organization of ${name} is not known`);
    return id;
  }

  /** Sends one request and records it as this check's evidence. Calls `onDeparture` when the request leaves. */
  async send(request: ApiRequest, onDeparture?: () => void): Promise<ApiResponse> {
    const sent = this.prepareRequest(request);
    return this.inspectResponse(
      await this.execution.activity.during(this.client.send(sent, this.execution.id, this.recordExchange, onDeparture)),
    );
  }

  /** Sends requests that reach the server at the same moment. Returns the responses in the same order. */
  async sendSimultaneously(requests: readonly ApiRequest[]): Promise<ApiResponse[]> {
    const sent = requests.map((request) => this.prepareRequest(request));
    const responses = await this.execution.activity.during(
      this.client.sendSimultaneously(sent, this.execution.id, this.recordExchange),
    );
    return responses.map((response) => this.inspectResponse(response));
  }

  /** Adds responses that another check received to the evidence of this check. */
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
    if (!this.execution.isCustom) recordShownStates(this.run, response);
    return response;
  }

  private prepareRequest(request: ApiRequest): ApiRequest {
    for (const [name, value] of request.credentials) {
      if (value.length >= MIN_SECRET_LENGTH) this.run.redactor.addSecret(value, `${request.actorLabel}: ${name}`);
    }
    const { id, isCustom } = this.execution;
    // Many checks wait for the work that no check owns.
    const isUrgent = id === null || this.isExclusive || this.execution.isUrgent;
    return { ...request, ...(isCustom && { skipExchangeRules: true }), ...(isUrgent && { isUrgent }) };
  }

  /** Throws Blocked when the run has found a breach of a requirement that this check depends on. */
  blockIfPreconditionBroken(): void {
    this.run.preconditions.blockIfPreconditionBroken(this.execution.id);
  }

  observe(id: ObservationId, value: JsonValue): void {
    this.run.observations.record(id, value);
  }

  /** A caller-unique value that is not a UUID and has the length of one. */
  createRequestId(): string {
    return `conf-${this.run.plan.runId.slice(0, 8)}-${String(this.run.nextSerial()).padStart(8, '0')}`;
  }
}

/** Names for the descriptions of invoices. */
export const productNames: readonly string[] = faker.definitions.commerce.product_name.product;

/**
 * The shared generator of realistic data, reset to this seed. Call this function again for each piece, because all
 * callers share the generator.
 */
export function seededFaker(seed: number): Faker {
  faker.seed(seed);
  return faker;
}
