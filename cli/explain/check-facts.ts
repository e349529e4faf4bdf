import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Need } from '../../engine/target/capabilities.ts';
import { allFaults } from '../../reference/faults/all.ts';
import type { Fault } from '../../reference/faults/fault.ts';
import { uncatchableChecks } from '../../reference/faults/uncatchable-checks.ts';
import type { Requirement } from '../../specs/catalogue/requirement.ts';
import { checksOfProfile, profileNames } from '../../specs/catalogue/selection.ts';
import { packageRoot } from '../../specs/code-location.ts';
import { allChecks, suites } from '../../suites/all.ts';
import { ruleFiles } from '../../suites/every-exchange/all-rules.ts';

export const LEVEL_MEANINGS: Record<Requirement['level'], string> = {
  required: 'required: the contract says so; a breach fails the run',
  implied: 'implied: deduced from the contract; a breach is a warning, and a failure with --strict',
  observed: 'observed: the contract leaves it open; recorded, never judged',
};

/** `suites/lifecycle/rejected-actions.ts`: the file of a check, relative to the package. */
export function checkFile(id: string): string {
  return relative(packageRoot, absoluteFile(id));
}

/** `suites/lifecycle/rejected-actions.ts:38`: the line of the id, or of the list if a table generates the check. */
export function checkLocation(id: string): string {
  const lines = readFileSync(absoluteFile(id), 'utf8').split('\n');
  const literal = lines.findIndex((line) => line.includes(`'${id}'`));
  const at = literal >= 0 ? literal : lines.findIndex((line) => line.startsWith('export const'));
  return `${checkFile(id)}:${at + 1}`;
}

function absoluteFile(id: string): string {
  const files = Object.entries<readonly { id: string }[]>({ ...suites, ...ruleFiles });
  const [path = ''] = files.find(([, checks]) => checks.some((check) => check.id === id)) ?? [];
  return join(packageRoot, `suites/${path}.ts`);
}

/** The faults that the check must catch. */
export function faultsCaughtBy(id: string): readonly Fault[] {
  return allFaults.filter(({ caughtBy }) => (caughtBy as readonly string[]).includes(id));
}

/** Why no server can turn the check red; undefined if one can. */
export function uncatchableReason(id: string): string | undefined {
  return uncatchableChecks.find(({ check }) => check === id)?.reason;
}

/** What the check needs from the target file; null for an exchange rule, which is judged on every exchange of the run. */
export function needsOf(id: string): readonly Need[] | null {
  const check = allChecks.find((each) => each.id === id);
  return check ? [...new Set(check.needs)] : null;
}

let checksByProfile: ReadonlyMap<string, ReadonlySet<string>> | null = null;

/** The profiles that contain the check. Reads the profiles at the first call only. */
export function profilesWith(id: string): string[] {
  checksByProfile ??= new Map(profileNames.map((name) => [name, new Set(checksOfProfile(name))]));
  return [...checksByProfile].filter(([, checks]) => checks.has(id)).map(([name]) => name);
}
