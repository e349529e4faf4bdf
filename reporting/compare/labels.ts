import type { Report } from '../../specs/formats/report.ts';
import { escapeToSingleLine, truncate } from '../text/escape-control-characters.ts';

/** A column of a table has no room for more. */
const MAX_LABEL_LENGTH = 60;

/** A name for each target, such as `Acme`. Targets with the same name get their position: `Acme (1)`, `Acme (2)`. */
export function labelsOf(targets: readonly Pick<Report['target'], 'name' | 'baseUrl'>[]): string[] {
  const names = targets.map(({ name, baseUrl }) =>
    truncate(escapeToSingleLine(name) || escapeToSingleLine(baseUrl), MAX_LABEL_LENGTH),
  );
  return names.map((name, at) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${at + 1})`));
}
