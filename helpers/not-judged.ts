import { Blocked, NotApplicable } from '../engine/outcome.ts';
import type { CheckId } from '../specs/generated/ids.ts';

/** The sentence speaks of a situation that this server never shows and the kit cannot bring about. */
export function notApplicable(reason: string): never {
  throw new NotApplicable(reason);
}

/** The question cannot be put, because of what another check judges. */
export function blockedBy(check: CheckId, reason: string): never {
  throw new Blocked(check, reason);
}
