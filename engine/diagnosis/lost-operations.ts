import type { ActorName } from '../../specs/target.ts';
import { isOperationName } from '../../specs/target.ts';
import { type ApiResponse, bodyMember, describeResponse, type Operation } from '../model/messages.ts';
import type { Blocked } from '../model/outcomes.ts';
import { isEndpointMissing } from './list-response.ts';
import { missingOperationReason } from './operation-binding.ts';
import { findForbiddenRequest, type Permissions } from './permissions.ts';

/** An answer that may mean that an operation is gone, or that a key may not use it any more. */
export interface SuspectOperation {
  /** Null where it was asked without valid credentials. */
  actor: ActorName | null;
  operation: Operation;
}

/** What has changed since the run began, and where in the target file it shows. */
export interface TargetChange {
  blockedBy: Blocked['blockedBy'];
  reason: string;
}

/** A valid use of an operation by an actor; null where there is none to be had. */
export type OperationProbe = (suspect: SuspectOperation) => Promise<ApiResponse | null>;

/** How often a valid use must be refused in a row: a gateway may slip once. */
const CONFIRMATION_PROBES = 2;
/** A use that was accepted holds for all that fails so soon after it. */
const SUCCESS_VALID_MS = 2000;

/** The suspect of an answer; null where the service gives such an answer for other reasons, or the operation never worked. */
export function findSuspect(response: ApiResponse, permissions: Permissions): SuspectOperation | null {
  const { actor, operation } = response.request;
  if (response.status < 400 || !permissions.hasSucceeded(operation)) return null;
  return findChange(response) && { actor, operation };
}

function findChange(response: ApiResponse): TargetChange | null {
  const { request, requestLine, status } = response;
  if (findForbiddenRequest(response)) {
    const because = `actors.${request.actor}: its key was accepted for ${requestLine} earlier in this run and may not send it now (403): a permission was taken from it`;
    return { blockedBy: `actors.${request.actor} of the target file`, reason: because };
  }
  const { operation } = request;
  if (isOperationName(operation)) {
    const why = missingOperationReason(operation, response);
    const because = `operations.${operation}: ${requestLine} worked earlier in this run, and now it ${why}`;
    return why === null ? null : { blockedBy: `operations.${operation} of the target file`, reason: because };
  }
  if (operation === 'create' && String(bodyMember(response, 'code') ?? '').startsWith('CONN')) {
    const because = `actors.buyer: invoices from the seller to the buyer were accepted earlier in this run and are refused now (${describeResponse(response)}): the connection was suspended or removed`;
    return { blockedBy: 'actors.buyer of the target file', reason: because };
  }
  if (!isEndpointMissing(response)) return null;
  return {
    blockedBy: 'target',
    reason: `${requestLine} worked earlier in this run and answers ${status} now: it is gone`,
  };
}

/**
 * Finds out whether an operation that worked is gone for good, or for one key: somebody has deployed another version, changed a route
 * or taken a permission during the run. What is asked from then on says nothing of the server.
 */
export class LostOperations {
  private readonly validUntil = new Map<string, number>();
  private readonly pending = new Map<string, Promise<TargetChange | null>>();

  /** The change, where a valid use of what the suspect names is refused likewise; null where it is accepted, or cannot be tried. */
  async confirm(suspect: SuspectOperation, use: OperationProbe): Promise<TargetChange | null> {
    const key = `${suspect.actor} ${suspect.operation}`;
    if (performance.now() < (this.validUntil.get(key) ?? 0)) return null;
    const asking = this.pending.get(key) ?? confirmChange(suspect, use);
    this.pending.set(key, asking);
    const change = await asking;
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
