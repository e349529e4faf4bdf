import { findForbiddenRequest, missingPermission } from '../../engine/diagnosis/permissions.ts';
import { type ApiResponse, describeResponse } from '../../engine/model/messages.ts';
import { Blocked, NotApplicable } from '../../engine/model/outcomes.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import type { CheckContext } from '../context/check-context.ts';

/** The sentence speaks of a situation that this server never shows and the kit cannot bring about. */
export function notApplicable(reason: string): never {
  throw new NotApplicable(reason);
}

/** The question cannot be put, because of what another check judges. */
export function blockedBy(check: CheckId, reason: string): never {
  throw new Blocked(check, reason);
}

/** Throws Blocked by the actor whose key is answered with 403: the contract does not show which key may do what. */
export function blockIfForbidden(response: ApiResponse): void {
  const forbidden = findForbiddenRequest(response);
  if (forbidden) throw missingPermission(forbidden);
}

/** A check cannot go on after a refusal: Blocked by the key that may not, otherwise by the check that judges such a request. */
export function blockedByRejection(
  ctx: CheckContext,
  refusal: ApiResponse,
  check: Blocked['blockedBy'],
  reason: string,
): Blocked {
  const forbidden = findForbiddenRequest(refusal);
  if (forbidden && !ctx.run.permissions.isGranted(forbidden)) return missingPermission(forbidden);
  return new Blocked(check, `${reason}: ${describeResponse(refusal)}`);
}
