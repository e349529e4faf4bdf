import { checkCatalogue, requirements } from '../../specs/catalogue/catalogue.ts';
import { checksOfProfile, excludeForbidden, matchChecks, profileNames } from '../../specs/catalogue/selection.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { nearestName } from '../../specs/nearest-name.ts';
import type { Target } from '../../specs/target-file/target.ts';
import { ConfigurationError } from '../model/configuration-error.ts';
import type { CheckNeeds } from './check-definition.ts';

export interface CheckSelection {
  profile: string;
  only?: readonly string[] | undefined;
}

/** The names of the options or variables that a selection was made with. */
export type SelectionLabels = Readonly<Record<keyof CheckSelection, string>>;

/** The checks that profile and filter name together. Throws a ConfigurationError if one of them matches nothing. */
export function selectChecks({ profile, only }: CheckSelection, names: SelectionLabels): CheckId[] {
  if (!profileNames.includes(profile)) {
    const meant = nearestName(profile, profileNames);
    const hint = meant === undefined ? 'the profiles are' : `did you mean ${meant}? The profiles are`;
    throw new ConfigurationError(
      `${names.profile}: no profile is named ${profile}; ${hint} ${profileNames.join(', ')}`,
    );
  }
  const inProfile = checksOfProfile(profile);
  if (!only) return inProfile;
  const unknown = only.filter((pattern) => matchChecks(pattern).length === 0);
  if (unknown.length > 0)
    throw new ConfigurationError(...unknown.map((pattern) => `${names.only}: ${pattern} ${whyUnknown(pattern)}`));
  const named = new Set(only.flatMap((pattern) => matchChecks(pattern)));
  const chosen = inProfile.filter((id) => named.has(id));
  if (chosen.length === 0) {
    throw new ConfigurationError(
      `${names.only}: ${shownFilter(only)} names no check of the profile ${profile}; try ${names.profile} full`,
    );
  }
  return chosen;
}

function whyUnknown(pattern: string): string {
  return requirements.some(({ id }) => id === pattern)
    ? `is a requirement without checks; "conformance explain ${pattern}" says why`
    : `names no check, requirement or area; ${filterHint(pattern)}`;
}

const SHOWN_NAMES = 3;

/** The filter of a repeated run may consist of hundreds of checks. */
function shownFilter(only: readonly string[]): string {
  return [...only.slice(0, SHOWN_NAMES), ...(only.length > SHOWN_NAMES ? ['…'] : [])].join(',');
}

function filterHint(pattern: string): string {
  const titled = [...checkCatalogue.values()].find(({ title }) => title.toLowerCase() === pattern.trim().toLowerCase());
  if (titled !== undefined) return `it is the title of ${titled.id}; write ${titled.id}`;
  if (/[;\s]/.test(pattern)) return 'separate several names with commas';
  return unknownNameHint(pattern, { withAreas: true });
}

/** The advice for a mistyped name of a check or requirement, or of an area where `withAreas` allows one. */
export function unknownNameHint(name: string, { withAreas = false } = {}): string {
  const ids = [...checkCatalogue.keys()];
  const areas = requirements.flatMap(({ id, area }) => [id.split('-')[0] ?? id, area]);
  const names = [...requirements.map(({ id }) => id), ...(withAreas ? areas : [])];
  const meant = nearestName(name, [...new Set(name.includes('.') ? ids : names)]);
  const list = '"conformance list" shows them all';
  return meant === undefined ? list : `did you mean ${meant}? (${list})`;
}

/**
 * Splits off the checks that the target file does not allow. Throws a ConfigurationError if no check remains.
 */
export function allowedChecks(
  checks: readonly CheckId[],
  { profile, only = [] }: CheckSelection,
  target: Pick<Target, 'allow'>,
  names: SelectionLabels,
): ReturnType<typeof excludeForbidden> {
  const split = excludeForbidden(checks, target.allow);
  if (split.selected.length > 0) return split;
  const fields = [...new Set(split.excluded.map(({ allowance }) => `allow.${allowance}`))].join(', ');
  throw new ConfigurationError(
    `${describeSelection({ profile, only }, names)} names only checks that the target file does not allow (${fields}); set ${fields} to true, or name other checks`,
  );
}

/** Throws a ConfigurationError if each of the checks needs an operation that the target file declares `not-offered`. */
export function assertAnyOffered(
  definitions: readonly CheckNeeds[],
  checks: readonly CheckId[],
  choice: CheckSelection,
  { notOffered }: Pick<Target, 'notOffered'>,
  names: SelectionLabels,
): void {
  const needs = new Map(definitions.map((definition) => [definition.id, definition.needs]));
  const absent = checks.map((id) => notOffered.find((name) => needs.get(id)?.includes(name)));
  if (absent.includes(undefined)) return;
  const fields = [...new Set(absent.map((name) => `operations.${name}`))].join(', ');
  throw new ConfigurationError(
    `${describeSelection(choice, names)} names only checks of operations that the target file declares not-offered (${fields}); bind one of them, or name other checks`,
  );
}

function describeSelection({ profile, only = [] }: CheckSelection, names: SelectionLabels): string {
  return only.length > 0 ? `${names.only}: ${shownFilter(only)}` : `${names.profile}: ${profile}`;
}
