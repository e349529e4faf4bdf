import type { Answer } from '../engine/answer.ts';
import { Blocked, NotApplicable } from '../engine/outcome.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import type { ActorName } from '../specs/target.ts';

/** The sentence speaks of a situation that this server never shows and the kit cannot bring about. */
export function notApplicable(reason: string): never {
  throw new NotApplicable(reason);
}

/** The question cannot be put, because of what another check judges. */
export function blockedBy(check: CheckId, reason: string): never {
  throw new Blocked(check, reason);
}

/** Which key may do what is not shown. Throws Blocked when a key is told that it may not (403). */
export function expectPermitted({ status, request }: Pick<Answer, 'status' | 'request'>, name: ActorName): void {
  if (status !== 403) return;
  throw new Blocked(
    `actors.${name} of the target file`,
    `its key may not ${request} (403); give a key that may, or have the permission added`,
  );
}
