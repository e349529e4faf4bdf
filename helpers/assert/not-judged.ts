import { findForbiddenRequest, missingPermission } from '../../engine/diagnosis/permissions.ts';
import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { Blocked, DisturbedByOthers, NotApplicable } from '../../engine/model/outcomes.ts';
import { isObject, type JsonObject, listItems } from '../../engine/records/invoice-records.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { CheckContext } from '../context/check.ts';
import { limitReached } from './reached-limit.ts';

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
