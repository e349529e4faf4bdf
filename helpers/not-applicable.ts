import { NotApplicable } from '../engine/outcome.ts';

/** The sentence speaks of a situation that this server never shows and the kit cannot bring about. */
export function notApplicable(reason: string): never {
  throw new NotApplicable(reason);
}
