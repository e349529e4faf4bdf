import { type ActorName, isOperationName } from '../../specs/target-file/target.ts';
import { type ApiResponse, bodyMember, describeResponse, type Operation } from '../model/messages.ts';
import type { Blocked } from '../model/outcomes.ts';
import { isEndpointMissing } from './list-response.ts';
import { missingOperationReason } from './operation-binding.ts';
import { findForbiddenRequest, type Permissions } from './permissions.ts';

/** An operation that may no longer exist, or that a key may no longer use. */
export interface SuspectOperation {
  /** Null without valid credentials. */
  actor: ActorName | null;
  operation: Operation;
}

/** A change since the run began, and the field of the target file that it concerns. */
export interface TargetChange {
  blockedBy: Blocked['blockedBy'];
  reason: string;
}

/** Uses an operation in a valid way as an actor; null if that is not possible. */
export type OperationProbe = (suspect: SuspectOperation) => Promise<ApiResponse | null>;

/** How many valid uses in a row must be rejected, because a gateway may fail once. */
const CONFIRMATION_PROBES = 2;
/** How long an accepted use clears later failures. */
const SUCCESS_VALID_MS = 2000;

/** The suspect of a response; null if the service sends such responses for other reasons, or the operation never succeeded. */
export function findSuspect(response: ApiResponse, permissions: Permissions): SuspectOperation | null {
  const { actor, operation } = response.request;
  if (response.status < 400 || !permissions.hasSucceeded(operation)) return null;
  // Another key may have a permission that this one never had.
  if (findForbiddenRequest(response) && !permissions.hasSucceededWith(actor, operation)) return null;
  return findChange(response) && { actor, operation };
}

function findChange(response: ApiResponse): TargetChange | null {
  const { request, requestLine, status } = response;
  if (findForbiddenRequest(response)) {
    const because = `actors.${request.actor}: the server accepted ${requestLine} with this key earlier in this run and rejects it now (${describeResponse(response)}): the key has lost a permission, or a limit of the server is reached`;
    return { blockedBy: `actors.${request.actor} of the target file`, reason: because };
  }
  const { operation } = request;
  if (isOperationName(operation)) {
    const why = missingOperationReason(operation, response);
    const because = `operations.${operation}: ${requestLine} succeeded earlier in this run, and now it ${why}`;
    return why === null ? null : { blockedBy: `operations.${operation} of the target file`, reason: because };
  }
  if (operation === 'create' && String(bodyMember(response, 'code') ?? '').startsWith('CONN')) {
    const because = `actors.buyer: invoices from the seller to the buyer were accepted earlier in this run and are rejected now (${describeResponse(response)}): the connection was suspended or removed`;
    return { blockedBy: 'actors.buyer of the target file', reason: because };
  }
  if (!isEndpointMissing(response)) return null;
  return {
    blockedBy: 'target',
    reason: `${requestLine} succeeded earlier in this run and returns ${status} now: the operation no longer exists`,
  };
}

/**
 * Finds out whether an operation no longer exists, or is forbidden to one key, after it succeeded in this run: a deployment, a
 * route or a permission has changed. Responses from then on say nothing about the server.
 */
export class LostOperations {
  private readonly validUntil = new Map<string, number>();
  private readonly pending = new Map<string, Promise<TargetChange | null>>();

  /** The change if a valid use of the operation is rejected in the same way; null if it is accepted or cannot be tried. */
  async confirm(suspect: SuspectOperation, use: OperationProbe): Promise<TargetChange | null> {
    const key = `${suspect.actor} ${suspect.operation}`;
    if (performance.now() < (this.validUntil.get(key) ?? 0)) return null;
    const probing = this.pending.get(key) ?? confirmChange(suspect, use);
    this.pending.set(key, probing);
    const change = await probing;
    if (change === null) {
      this.pending.delete(key);
      this.validUntil.set(key, performance.now() + SUCCESS_VALID_MS);
    }
    return change;
  }
}

async function confirmChange(suspect: SuspectOperation, use: OperationProbe): Promise<TargetChange | null> {
  let change: TargetChange | null = null;
  for (let uses = 0; uses < CONFIRMATION_PROBES; uses += 1) {
    const response = await use(suspect);
    change = response && findChange(response);
    if (change === null) return null;
  }
  return change;
}
