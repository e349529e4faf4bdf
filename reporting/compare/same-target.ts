import type { HeaderRecord } from '../../specs/formats/journal.ts';

type NamedTarget = Pick<HeaderRecord['target'], 'name' | 'baseUrl'>;

/** Either field is enough: the embedded reference service has a new port in every run, and the host of a named target may change. */
export function isSameTarget(before: NamedTarget, now: NamedTarget): boolean {
  return before.name === now.name || before.baseUrl === now.baseUrl;
}
