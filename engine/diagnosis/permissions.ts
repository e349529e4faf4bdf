import type { ActorName } from '../../specs/target.ts';
import { type ApiResponse, bodyMember, isSuccess, type Operation } from '../model/messages.ts';
import { Blocked } from '../model/outcomes.ts';

/** A request of a valid key that was answered with 403. */
export interface ForbiddenRequest {
  actor: ActorName;
  operation: Operation;
  requestLine: string;
}

/** A 403 that may mean "this key may not": the contract's own codes for a 403 (`GW_…`) have another cause. */
export function findForbiddenRequest(response: ApiResponse): ForbiddenRequest | null {
  const { status, requestLine, request } = response;
  const byGateway = String(bodyMember(response, 'code') ?? '').startsWith('GW_');
  if (status !== 403 || request.actor === null || byGateway) return null;
  return { actor: request.actor, operation: request.operation, requestLine };
}

/** Which operations each key was seen to be allowed in this run. The contract does not show which key may do what. */
export class Permissions {
  private readonly granted = new Set<string>();
  private readonly successfulOperations = new Set<Operation>();
  private readonly servedActors = new Set<ActorName>();

  observe(response: ApiResponse): void {
    if (!isSuccess(response)) return;
    this.grant(response);
    this.successfulOperations.add(response.request.operation);
    if (response.request.actor !== null) this.servedActors.add(response.request.actor);
  }

  /** Whether any answer to an actor's valid key was a success. */
  hasAnyPermission(actor: ActorName): boolean {
    return this.servedActors.has(actor);
  }

  /** Whether any answer to an operation was a success. */
  hasSucceeded(operation: Operation): boolean {
    return this.successfulOperations.has(operation);
  }

  /** Notes that an answer other than 403 shows a key to be allowed, such as 404 for an id that never existed. */
  grant({ request: { actor, operation } }: Pick<ApiResponse, 'request'>): void {
    if (actor !== null) this.granted.add(`${actor} ${operation}`);
  }

  isGranted({ actor, operation }: Pick<ForbiddenRequest, 'actor' | 'operation'>): boolean {
    return this.granted.has(`${actor} ${operation}`);
  }
}

/** The check cannot be judged with this key. */
export function missingPermission({ actor, requestLine }: Pick<ForbiddenRequest, 'actor' | 'requestLine'>): Blocked {
  return new Blocked(
    `actors.${actor} of the target file`,
    `its key may not ${requestLine} (403); give a key that may, or have the permission added`,
  );
}
