import type { ActorName } from '../../specs/target.ts';
import { isOperationName } from '../../specs/target.ts';
import { type ApiResponse, bodyMember, describeResponse, type Operation } from '../model/messages.ts';
import type { Blocked } from '../model/outcomes.ts';
import { isNotThere } from './list-response.ts';
import { absence } from './operation-binding.ts';
import { forbiddenBy, type Permissions } from './permissions.ts';

/** An answer that may mean that an operation is gone, or that a key may not use it any more. */
export interface Suspect {
  /** Null where it was asked without valid credentials. */
  actor: ActorName | null;
  operation: Operation;
}

/** What has changed since the run began, and where in the target file it shows. */
export interface Change {
  by: Blocked['by'];
  because: string;
}

/** A valid use of an operation by an actor; null where there is none to be had. */
export type Use = (suspect: Suspect) => Promise<ApiResponse | null>;

/** How often a valid use must be refused in a row: a gateway may slip once. */
const USES = 2;
/** A use that was accepted holds for all that fails so soon after it. */
const GOOD_FOR_MS = 2000;

/** The suspect of an answer; null where the service gives such an answer for other reasons, or the operation never worked. */
export function suspectIn(answer: ApiResponse, permissions: Permissions): Suspect | null {
  const { actor, operation } = answer.ask;
  if (answer.status < 400 || !permissions.worked(operation)) return null;
  return changeIn(answer) && { actor, operation };
}

function changeIn(answer: ApiResponse): Change | null {
  const { ask, request, status } = answer;
  if (forbiddenBy(answer)) {
    const because = `actors.${ask.actor}: its key was accepted for ${request} earlier in this run and may not send it now (403): a permission was taken from it`;
    return { by: `actors.${ask.actor} of the target file`, because };
  }
  const { operation } = ask;
  if (isOperationName(operation)) {
    const why = absence(operation, answer);
    const because = `operations.${operation}: ${request} worked earlier in this run, and now it ${why}`;
    return why === null ? null : { by: `operations.${operation} of the target file`, because };
  }
  if (operation === 'create' && String(bodyMember(answer, 'code') ?? '').startsWith('CONN')) {
    const because = `actors.buyer: invoices from the seller to the buyer were accepted earlier in this run and are refused now (${describeResponse(answer)}): the connection was suspended or removed`;
    return { by: 'actors.buyer of the target file', because };
  }
  if (!isNotThere(answer)) return null;
  return { by: 'target', because: `${request} worked earlier in this run and answers ${status} now: it is gone` };
}

/**
 * Finds out whether an operation that worked is gone for good, or for one key: somebody has deployed another version, changed a route
 * or taken a permission during the run. What is asked from then on says nothing of the server.
 */
export class LostOperations {
  private readonly goodUntil = new Map<string, number>();
  private readonly asking = new Map<string, Promise<Change | null>>();

  /** The change, where a valid use of what the suspect names is refused likewise; null where it is accepted, or cannot be tried. */
  async confirmed(suspect: Suspect, use: Use): Promise<Change | null> {
    const key = `${suspect.actor} ${suspect.operation}`;
    if (performance.now() < (this.goodUntil.get(key) ?? 0)) return null;
    const asking = this.asking.get(key) ?? ask(suspect, use);
    this.asking.set(key, asking);
    const change = await asking;
    if (change === null) {
      this.asking.delete(key);
      this.goodUntil.set(key, performance.now() + GOOD_FOR_MS);
    }
    return change;
  }
}

async function ask(suspect: Suspect, use: Use): Promise<Change | null> {
  let change: Change | null = null;
  for (let uses = 0; uses < USES; uses += 1) {
    const answer = await use(suspect);
    change = answer && changeIn(answer);
    if (change === null) return null;
  }
  return change;
}
