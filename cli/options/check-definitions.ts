import type { Check } from '../../helpers/context/check.ts';
import type { CheckId } from '../../specs/generated/ids.ts';

/** All checks. Their modules take half a second to load, so a command loads them after it has read its options. */
export async function loadChecks(): Promise<readonly Check[]> {
  return (await import('../../suites/all.ts')).allChecks;
}

/** What each check that sends requests needs. */
export async function loadNeeds(): Promise<ReadonlyMap<CheckId, Check['needs']>> {
  return new Map((await loadChecks()).map(({ id, needs }) => [id, needs]));
}
