import type {
  Agreement,
  ComparedObservation,
  ComparedRequirement,
  Comparison,
} from '../../specs/formats/comparison.ts';
import { requirementVerdict } from '../../specs/verdicts.ts';
import { escapeToSingleLine, truncate } from '../text/escape-control-characters.ts';
import { groupBy } from '../text/group-by.ts';
import { joinNames, VERDICT_LABELS } from '../text/wording.ts';
import { ownBehaviours } from './own-behaviours.ts';
import { scopeLine } from './scope-differences.ts';

/** More behaviours of one server, or longer ones, are not readable in a line. */
const MAX_BEHAVIOURS = 4;
const MAX_BEHAVIOUR_LENGTH = 100;

type Verdict = ComparedRequirement['verdicts'][number];

/** The verdict of one run in words, as in its report. */
export function verdictText(verdict: Verdict, level: ComparedRequirement['level']): string {
  if (verdict === null) return 'not in its catalogue';
  return level === 'observed' && verdict === 'not-applicable' ? 'recorded only' : VERDICT_LABELS[verdict];
}

/** How the runs agree, in words. */
export const AGREEMENT_LABELS: Record<Agreement, string> = {
  different: 'different',
  equal: 'equal',
  incomplete: 'in some runs only',
  'not-selected': 'in no run',
};

/** How many rows have each agreement, such as `2 different · 140 equal · 3 in some runs only`. */
export function agreementCounts(rows: readonly { readonly agreement: Agreement }[]): string {
  const counts = groupBy(rows, ({ agreement }) => agreement);
  const parts = Object.entries(AGREEMENT_LABELS).flatMap(([agreement, label]) => {
    const count = counts.get(agreement as Agreement)?.length ?? 0;
    return count === 0 && agreement !== 'different' && agreement !== 'equal' ? [] : [`${count} ${label}`];
  });
  return parts.join(' · ');
}

/** The comparison for a terminal: the scope, each difference in one line, the counts. */
export function comparisonLines(comparison: Comparison): string[] {
  const labels = comparison.implementations.map(({ label }) => label);
  const scope = scopeLine(comparison);
  const isDifferent = ({ agreement }: { readonly agreement: Agreement }) => agreement === 'different';
  return [
    ...(scope === null ? [] : [scope]),
    ...comparison.requirements.filter(isDifferent).map((each) => requirementLine(each, labels)),
    ...comparison.observations.filter(isDifferent).map((each) => observationLine(each, labels)),
    `requirements: ${agreementCounts(comparison.requirements)}`,
    `unspecified behaviour: ${agreementCounts(comparison.observations)}`,
  ];
}

/** `LIFE-02: failed (Acme) · passed (Reference and Umbrella)`, the worst verdict first. */
function requirementLine({ id, level, verdicts, isSameText }: ComparedRequirement, labels: readonly string[]): string {
  const order: Verdict[] = [...requirementVerdict.options, null];
  const present = order.filter((verdict) => verdicts.includes(verdict));
  const parts = present.map((verdict) => {
    const names = labels.filter((_, at) => verdicts[at] === verdict);
    return `${verdictText(verdict, level)} (${joinNames(names, names.length)})`;
  });
  return `${'requirement'.padEnd(13)}${id}: ${parts.join(' · ')}${isSameText ? '' : '; the catalogues word it differently'}`;
}

/** `initial-state: "DRAFT" (Acme) · "SUBMITTED" (Reference)`, without the behaviour that all share. */
function observationLine(observation: ComparedObservation, labels: readonly string[]): string {
  const texts = ownBehaviours(observation).map((own) => {
    if (own === null) return 'not recorded';
    const values = own.map((value) => truncate(escapeToSingleLine(JSON.stringify(value)), MAX_BEHAVIOUR_LENGTH));
    return values.length === 0 ? 'none of these' : joinNames(values, MAX_BEHAVIOURS);
  });
  const parts = [...new Set(texts)].map((text) => {
    const names = labels.filter((_, at) => texts[at] === text);
    return `${text} (${joinNames(names, names.length)})`;
  });
  return `${'behaviour'.padEnd(13)}${observation.id}: ${parts.join(' · ')}`;
}
