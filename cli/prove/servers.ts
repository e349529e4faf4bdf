import { allFaults } from '../../reference/faults/all.ts';
import type { Fault } from '../../reference/faults/fault.ts';
import type { ConformingServer, ServerOverrides } from '../../reference/overrides/server-overrides.ts';
import { allVariations } from '../../reference/variations/all.ts';
import { composeOverrides } from '../../reference/variations/support/compose.ts';
import { checksWithinBudget } from '../../specs/catalogue/check-order.ts';
import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { allRules } from '../../suites/every-exchange/all-rules.ts';

/** The unchanged reference service, the first of the conforming servers. */
export const plainServer: ConformingServer = {
  id: 'plain',
  openPoint: null,
  choice: 'the reference service as it ships',
};

export const conformingServers: readonly ConformingServer[] = [plainServer, ...allVariations];

/** Identifies a server of the proof across processes. The id of a composition is its variation ids, joined by `+`. */
export interface ServerName {
  kind: 'fault' | 'variation' | 'composition';
  id: string;
}

/** The overrides of a server. Throws if there is no such server. */
export function findServer({ kind, id }: ServerName): ServerOverrides {
  if (kind === 'composition') {
    return composeOverrides(id.split('+').map((part) => findServer({ kind: 'variation', id: part })));
  }
  const among: readonly (ServerOverrides & { id: string })[] = kind === 'fault' ? allFaults : conformingServers;
  const found = among.find((each) => each.id === id);
  if (!found) throw new Error(`there is no ${kind} ${id}`);
  return found;
}

const exchangeRuleIds: ReadonlySet<CheckId> = new Set(allRules.map(({ id }) => id));

/** Enough for an exchange of every kind. */
const CARRIER_REQUESTS = 130;

/**
 * The checks that a fault names, with those whose requests it needs to show. With an exchange rule among them also a few checks
 * that send requests of every kind, because rules send none.
 */
export function checksForFault({ caughtBy, alsoRun = [], traffic }: Fault): CheckId[] {
  const named = [...caughtBy, ...alsoRun];
  if (traffic) return inCatalogueOrder([...named, ...checksOfProfile(traffic)]);
  return inCatalogueOrder([
    ...named,
    ...carriersOf(named, checksWithinBudget(checksOfProfile('smoke'), CARRIER_REQUESTS)),
  ]);
}

/** These checks in catalogue order. With an exchange rule among them also the smoke profile, because rules send no requests. */
export function withSmokeChecks(checks: readonly CheckId[]): CheckId[] {
  return inCatalogueOrder([...checks, ...carriersOf(checks, checksOfProfile('smoke'))]);
}

function carriersOf(checks: readonly CheckId[], carriers: readonly CheckId[]): readonly CheckId[] {
  return checks.some((id) => exchangeRuleIds.has(id)) ? carriers : [];
}

function inCatalogueOrder(checks: readonly CheckId[]): CheckId[] {
  const wanted = new Set(checks);
  return checksOfProfile('full').filter((id) => wanted.has(id));
}
