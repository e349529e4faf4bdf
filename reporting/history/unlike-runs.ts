import type { Night } from '../../specs/formats/night.ts';
import { pluralize } from '../text/wording.ts';
import { isSameScope } from './compare-nights.ts';

/** A run and the folder that the user named. */
export interface NamedNight {
  readonly folder: string;
  readonly night: Night;
}

/** What a reader of the comparison must know about the two runs, one line each; empty for two like runs in their order. */
export function unlikeRuns(older: NamedNight, newer: NamedNight): string[] {
  const [before, now] = [older.night, newer.night];
  if (before.run.id === now.run.id) return [`${newer.folder} is the same run as ${older.folder}`];
  const lines: string[] = [];
  if (now.run.startedAt < before.run.startedAt)
    lines.push(`${newer.folder} began before ${older.folder}; write the folder of the earlier run first`);
  if (isSameScope(before, now)) return lines;
  const onlyIn = ({ folder, night }: NamedNight, other: Night) => {
    const count = Object.keys(night.checks).filter((id) => !Object.hasOwn(other.checks, id)).length;
    return `${pluralize(count, 'check')} only in ${folder}`;
  };
  lines.push(`the runs judge different checks: ${onlyIn(older, now)}, ${onlyIn(newer, before)}`);
  return lines;
}
