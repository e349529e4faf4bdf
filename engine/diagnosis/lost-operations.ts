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
  by: Blocked['by'];
  because: string;
}

/** A valid use of an operation by an actor; null where there is none to be had. */
export type OperationProbe = (suspect: SuspectOperation) => Promise<ApiResponse | null>;

/** How often a valid use must be refused in a row: a gateway may slip once. */
const CONFIRMATION_PROBES = 2;
/** A use that was accepted holds for all that fails so soon after it. */
const SUCCESS_VALID_MS = 2000;

/** The suspect of an answer; null where the service gives such an answer for other reasons, or the operation never worked. */
export function findSuspect(answer: ApiResponse, permissions: Permissions): SuspectOperation | null {
  const { actor, operation } = answer.ask;
  if (answer.status < 400 || !permissions.worked(operation)) return null;
  return findChange(answer) && { actor, operation };
}

function findChange(answer: ApiResponse): TargetChange | null {
  const { ask, request, status } = answer;
  if (findForbiddenRequest(answer)) {
    const because = `actors.${ask.actor}: its key was accepted for ${request} earlier in this run and may not send it now (403): a permission was taken from it`;
    return { by: `actors.${ask.actor} of the target file`, because };
  }
  const { operation } = ask;
  if (isOperationName(operation)) {
    const why = missingOperationReason(operation, answer);
    const because = `operations.${operation}: ${request} worked earlier in this run, and now it ${why}`;
    return why === null ? null : { by: `operations.${operation} of the target file`, because };
  }
  if (operation === 'create' && String(bodyMember(answer, 'code') ?? '').startsWith('CONN')) {
    const because = `actors.buyer: invoices from the seller to the buyer were accepted earlier in this run and are refused now (${describeResponse(answer)}): the connection was suspended or removed`;
    return { by: 'actors.buyer of the target file', because };
  }
  if (!isEndpointMissing(answer)) return null;
  return { by: 'target', because: `${request} worked earlier in this run and answers ${status} now: it is gone` };
}

/**
 * Finds out whether an operation that worked is gone for good, or for one key: somebody has deployed another version, changed a route
 * or taken a permission during the run. What is asked from then on says nothing of the server.
 */
export class LostOperations {
  private readonly goodUntil = new Map<string, number>();
  private readonly asking = new Map<string, Promise<TargetChange | null>>();

  /** The change, where a valid use of what the suspect names is refused likewise; null where it is accepted, or cannot be tried. */
  async confirmed(suspect: SuspectOperation, use: OperationProbe): Promise<TargetChange | null> {
    const key = `${suspect.actor} ${suspect.operation}`;
    if (performance.now() < (this.goodUntil.get(key) ?? 0)) return null;
    const asking = this.asking.get(key) ?? confirmChange(suspect, use);
    this.asking.set(key, asking);
    const change = await asking;
    if (change === null) {
      this.asking.delete(key);
      this.goodUntil.set(key, performance.now() + SUCCESS_VALID_MS);
    }
    return change;
  }
}

async function confirmChange(suspect: SuspectOperation, use: OperationProbe): Promise<TargetChange | null> {
  let change: TargetChange | null = null;
  for (let uses = 0; uses < CONFIRMATION_PROBES; uses += 1) {
    const answer = await use(suspect);
    change = answer && findChange(answer);
    if (change === null) return null;
  }
  return change;
}
