import { findForbiddenRequest, missingPermission } from '../../engine/diagnosis/permissions.ts';
import { runState } from '../../engine/ledger/run-ledger.ts';
import { type ApiResponse, bodyMember, describeResponse } from '../../engine/model/messages.ts';
import { Blocked, DisturbedByOthers, NotApplicable } from '../../engine/model/outcomes.ts';
import { isObject, type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import { type InvoiceAction, lifecycle } from '../../specs/contract/lifecycle.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { hasModuleCode, isBusinessRule, mayBeBusinessRule } from '../api/responses.ts';
import type { CheckContext } from '../context/check.ts';

/**
 * The requirement applies to a situation that does not occur on this server and that the kit cannot create. `judgedBy`
 * is the check that judges why.
 */
export function notApplicable(reason: string, options: { judgedBy?: CheckId } = {}): never {
  throw new NotApplicable(reason, options);
}

/** Other users of the sandbox changed what the check compares. In a shard, the check runs again when they pause. */
export function disturbedByOthers(reason: string): never {
  throw new DisturbedByOthers(reason);
}

/** The check cannot run, because of a defect that another check judges. */
export function blockedBy(check: CheckId, reason: string): never {
  throw new Blocked(check, reason);
}

/** What the check looks at may appear later than the target file says. */
export function blockedBySettleLimit(reason: string): never {
  const field = 'limits.settleWithinMs of the target file';
  throw new Blocked(field, `${reason}: increase limits.settleWithinMs if a change may take so long to show`);
}

/** Throws Blocked by the actor whose key gets a 403. The contract does not say which key may do what. */
export function blockIfForbidden(response: ApiResponse): void {
  const forbidden = findForbiddenRequest(response);
  if (forbidden) throw missingPermission(forbidden);
}

/**
 * The Blocked outcome after a rejection: by the key if it lacks the permission, by the server if it seems to have reached a limit,
 * otherwise by the check that judges such a request.
 */
export function blockedByRejection(
  ctx: CheckContext,
  rejection: ApiResponse,
  check: Blocked['blockedBy'],
  reason: string,
): Blocked {
  const forbidden = findForbiddenRequest(rejection);
  if (forbidden && !ctx.run.permissions.isGranted(forbidden)) return missingPermission(forbidden);
  return limitReached(ctx, rejection) ?? new Blocked(check, `${reason}: ${describeResponse(rejection)}`);
}

/** Returns a list response that has `items`. Throws Blocked otherwise. */
export function blockUnlessHasItems(response: ApiResponse): ApiResponse {
  if (isObject(response.json) && Array.isArray(response.json.items)) return response;
  return blockedBy(
    'LIST-01.items',
    `the list has no items: ${response.requestLine} returned ${describeResponse(response)}`,
  );
}

/** The records of a list. Throws Blocked if the response has no `items`. */
export function readListItems(response: ApiResponse): JsonObject[] {
  return listItems(blockUnlessHasItems(response));
}

const CREATION_REMEDY =
  'raise this limit for the sandbox, remove older invoices (conformance cleanup, or the dashboard), or judge the checks in parts with --shard, one after the other, because each part removes its invoices';

/** The first reason for each operation, so that the report shows one line for one limit. */
const limitReasons = runState(() => new Map<string, string>());

/**
 * The Blocked outcome if the server rejects a valid creation or action with a code of its own, as with a maximum of open invoices or
 * of open disputes. Null for a rejection that another check judges. A 409 may also mean the state of an invoice, so it counts only for
 * an operation that the server has accepted.
 */
export function limitReached({ run }: CheckContext, rejection: ApiResponse): Blocked | null {
  const { actor, operation } = rejection.request;
  const hasSucceeded = run.permissions.hasSucceededWith(actor, operation);
  const action = lifecycle.actions.find((each) => each === operation);
  const isConflict = hasSucceeded && rejection.status === 409 && hasModuleCode(rejection);
  const mayBeLimit = action
    ? (isBusinessRule(rejection) && bodyMember(rejection, 'code') !== 'TREAS007') || isConflict
    : operation === 'create' && hasSucceeded && mayBeBusinessRule(rejection) && hasModuleCode(rejection);
  if (!mayBeLimit) return null;
  const known = limitReasons(run).get(operation);
  const reason = known ?? (action ? actionReason(action, rejection, hasSucceeded) : creationReason(rejection));
  limitReasons(run).set(operation, reason);
  return new Blocked('target', reason);
}

function creationReason(rejection: ApiResponse): string {
  return `the server accepted ${rejection.requestLine} earlier in this run and rejects it now: ${describeResponse(rejection)}. It seems to limit the number of invoices: ${CREATION_REMEDY}`;
}

function actionReason(action: InvoiceAction, rejection: ApiResponse, hasSucceeded: boolean): string {
  const to = lifecycle.leadsTo[action];
  const limit = to ? `, such as a maximum of ${to} invoices` : '';
  const said = describeResponse(rejection);
  return hasSucceeded
    ? `the server accepted the ${action} action earlier in this run and rejects it now on another invoice, with a code of its own: ${said}. It seems to have a limit${limit}: raise it for the sandbox; otherwise these checks cannot be judged on this server`
    : `a rule of the server rejects the ${action} action in ${stateOf(action)}, where it is offered: ${said}. If it is a limit${limit}, raise it for the sandbox, or clean up in the dashboard what earlier runs left there; otherwise these checks cannot be judged on this server`;
}

function stateOf(action: InvoiceAction): string {
  return lifecycle.states.find((state) => lifecycle.offered[state].includes(action)) ?? 'its state';
}
