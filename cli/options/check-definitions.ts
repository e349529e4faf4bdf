import type { Check } from '../../helpers/context/check.ts';

/** All checks. Their modules take half a second to load, so a command loads them after it has read its options. */
export async function loadChecks(): Promise<readonly Check[]> {
  return (await import('../../suites/all.ts')).allChecks;
}
