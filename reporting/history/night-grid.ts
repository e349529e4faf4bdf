import type { Requirement } from '../../specs/catalogue/requirement.ts';
import type { Night } from '../../specs/formats/night.ts';
import { type CheckVerdict, isRed } from '../../specs/verdicts.ts';
import { worstVerdict } from '../report/verdict.ts';
import { groupBy } from '../text/group-by.ts';

/** The verdicts of a requirement or a check in each night; null for a night that did not execute it. */
export interface GridRow {
  readonly id: string;
  readonly title: string;
  readonly verdicts: readonly (CheckVerdict | null)[];
  /** Whether every night had the same verdict, and no failure. */
  readonly isSteady: boolean;
}

export interface RequirementRow extends GridRow {
  /** Its checks that failed or had a warning in any night. */
  readonly failedChecks: readonly GridRow[];
}

export interface GridArea {
  readonly area: string;
  readonly rows: readonly RequirementRow[];
}

/** The area of requirements that the kit no longer has. */
const RETIRED_AREA = 'retired';

type Catalogue = readonly Pick<Requirement, 'id' | 'area' | 'statement' | 'checks'>[];

/** Requirements over nights, in the order of the catalogue. Requirements that no night executed have no row. */
export function nightGrid(nights: readonly Night[], catalogue: Catalogue): GridArea[] {
  const known = new Map(catalogue.map((requirement) => [requirement.id, requirement]));
  const titles = new Map(catalogue.flatMap(({ checks }) => checks.map(({ id, title }) => [id, title])));
  const executed = [...new Set(nights.flatMap(({ checks }) => Object.keys(checks)))];
  const checksOf = groupBy(executed, requirementOf);
  const retired = [...checksOf.keys()].filter((id) => !known.has(id));
  const rows = [...known.keys(), ...retired].flatMap((id) => {
    const checks = checksOf.get(id);
    if (checks === undefined) return [];
    const { area = RETIRED_AREA, statement = '' } = known.get(id) ?? {};
    const failedChecks = checks
      .filter((check) => nights.some(({ checks: verdicts }) => isRed({ verdict: verdicts[check] ?? 'pass' })))
      .map((check) => gridRow(check, titles.get(check) ?? '', nights, [check]));
    return [{ area, ...gridRow(id, statement, nights, checks), failedChecks }];
  });
  return [...groupBy(rows, ({ area }) => area)].map(([area, all]) => ({ area, rows: all }));
}

/** `LIFE-02` of `LIFE-02.approved-cancel`. */
function requirementOf(check: string): string {
  return check.split('.')[0] ?? check;
}

function gridRow(id: string, title: string, nights: readonly Night[], checks: readonly string[]): GridRow {
  const verdicts = nights.map((night) => {
    const own = checks.flatMap((check) => night.checks[check] ?? []);
    return own.length === 0 ? null : worstVerdict(own);
  });
  const distinct = new Set(verdicts.filter((verdict) => verdict !== null));
  const hasFailure = [...distinct].some((verdict) => verdict !== 'pass' && verdict !== 'not-applicable');
  return { id, title, verdicts, isSteady: distinct.size <= 1 && !hasFailure };
}
