import type { ActorName } from '../../specs/target-file/target.ts';
import {
  type ApiResponse,
  bodyMember,
  describeResponse,
  isSuccess,
  type Operation,
  shorten,
} from '../model/messages.ts';
import { Blocked } from '../model/outcomes.ts';

const MAX_SHOWN_CHARACTERS = 160;

/** A request with a valid key that was rejected with 403. */
export interface ForbiddenRequest {
  actor: ActorName;
  operation: Operation;
  requestLine: string;
  /** The status and the body, which may name the reason, such as a suspended organization. */
  said: string;
}

/** A 403 that may mean a missing permission. The contract's codes for a 403 (`GW_…`) have another cause. */
export function findForbiddenRequest(response: ApiResponse): ForbiddenRequest | null {
  const { status, requestLine, request } = response;
  const byGateway = String(bodyMember(response, 'code') ?? '').startsWith('GW_');
  if (status !== 403 || request.actor === null || byGateway) return null;
  const said = shorten(describeResponse(response), MAX_SHOWN_CHARACTERS);
  return { actor: request.actor, operation: request.operation, requestLine, said };
}

/** The operations that each key was allowed to use in this run. The contract does not define permissions. */
export class Permissions {
  private readonly granted = new Set<string>();
  private readonly successfulOperations = new Set<Operation>();
  private readonly successes = new Set<string>();
  private readonly servedActors = new Set<ActorName>();
  private readonly forbidden = new Set<string>();

  observe(response: ApiResponse): void {
    const forbidden = findForbiddenRequest(response);
    if (forbidden) this.forbidden.add(`${forbidden.actor} ${forbidden.operation}`);
    if (!isSuccess(response)) return;
    this.grant(response);
    const { actor, operation } = response.request;
    this.successfulOperations.add(operation);
    this.successes.add(`${actor} ${operation}`);
    if (actor !== null) this.servedActors.add(actor);
  }

  /** Whether any request with an actor's valid key succeeded. */
  hasAnyPermission(actor: ActorName): boolean {
    return this.servedActors.has(actor);
  }

  /** Whether any request for an operation succeeded. */
  hasSucceeded(operation: Operation): boolean {
    return this.successfulOperations.has(operation);
  }

  /** Whether a request for an operation succeeded with the valid key of an actor. */
  hasSucceededWith(actor: ActorName | null, operation: Operation): boolean {
    return this.successes.has(`${actor} ${operation}`);
  }

  /** Whether a request for an operation was rejected with 403 with the valid key of an actor. */
  wasForbidden(actor: ActorName, operation: Operation): boolean {
    return this.forbidden.has(`${actor} ${operation}`);
  }

  /** Records that a response other than 403 shows the permission of a key, such as 404 for an id that never existed. */
  grant({ request: { actor, operation } }: Pick<ApiResponse, 'request'>): void {
    if (actor !== null) this.granted.add(`${actor} ${operation}`);
  }

  isGranted({ actor, operation }: Pick<ForbiddenRequest, 'actor' | 'operation'>): boolean {
    return this.granted.has(`${actor} ${operation}`);
  }
}

/** A request line that is the same for every invoice, so that a report shows the reason once. */
function withoutIds(requestLine: string): string {
  return requestLine.replaceAll(/\/(?=[\w-]*\d)[\w-]{6,}(?=[/?]|$)/g, '/{id}');
}

/** The outcome of a check that cannot be judged with this key. */
export function missingPermission({ actor, requestLine, said }: Omit<ForbiddenRequest, 'operation'>): Blocked {
  const remedy =
    actor === 'revoked'
      ? 'it must be rejected with 401; write a key that was revoked'
      : 'use a key that may, or grant this key the permission';
  return new Blocked(
    `actors.${actor} of the target file`,
    `the key of actors.${actor} may not send ${withoutIds(requestLine)} (${said}); ${remedy}`,
  );
}
