import type { CheckNeeds } from '../../engine/run/check-definition.ts';
import { CHECK_NEEDS } from '../../specs/generated/check-needs.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** What each check that sends requests needs, without its suite: the suites take half a second to load. */
export const checkNeeds: readonly CheckNeeds[] = Object.entries(CHECK_NEEDS).map(([id, needs]) => ({
  id: id as CheckId,
  needs,
}));

/** The same by check. */
export const needsByCheck: ReadonlyMap<CheckId, CheckNeeds['needs']> = new Map(
  checkNeeds.map(({ id, needs }) => [id, needs]),
);
