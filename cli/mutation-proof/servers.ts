import { allFaults } from '../../reference/faults/all.ts';
import type { Fault } from '../../reference/faults/fault.ts';
import type { ConformingServer, ServerOverrides } from '../../reference/overrides/server-overrides.ts';
import { allVariations } from '../../reference/variations/all.ts';
import { composeOverrides } from '../../reference/variations/support/compose.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { checksOfProfile } from '../../specs/selection.ts';
import { allRules } from '../../suites/every-exchange/all-rules.ts';

/** The reference service as it is: the first of the servers that must pass. */
export const plainServer: ConformingServer = {
  id: 'plain',
  openPoint: null,
  choice: 'the reference service as it ships',
};

export const conformingServers: readonly ConformingServer[] = [plainServer, ...allVariations];

/** A server of the proof, by what is told to another thread; a composition names its variations, joined by `+`. */
export interface ServerName {
  kind: 'fault' | 'variation' | 'composition';
  id: string;
}

/** Throws when there is no such server. */
export function findServer({ kind, id }: ServerName): ServerOverrides {
  if (kind === 'composition') {
    return composeOverrides(id.split('+').map((part) => findServer({ kind: 'variation', id: part })));
  }
  const among: readonly (ServerOverrides & { id: string })[] = kind === 'fault' ? allFaults : conformingServers;
  const found = among.find((each) => each.id === id);
  if (!found) throw new Error(`no ${kind} ${id}`);
  return found;
}

const exchangeRuleIds: ReadonlySet<CheckId> = new Set(allRules.map(({ id }) => id));

/** The checks that a fault names, and those that it needs besides. */
export function checksForFault({ caughtBy, alsoRun = [] }: Fault): CheckId[] {
  return withSmokeChecks([...caughtBy, ...alsoRun]);
}

/** These checks; with a rule among them the smoke profile, too, because a rule sends no requests itself. */
export function withSmokeChecks(checks: readonly CheckId[]): CheckId[] {
  const carriers = checks.some((id) => exchangeRuleIds.has(id)) ? checksOfProfile('smoke') : [];
  const wanted = new Set<CheckId>([...checks, ...carriers]);
  return checksOfProfile('full').filter((id) => wanted.has(id));
}
