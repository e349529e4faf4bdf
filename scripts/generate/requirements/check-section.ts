import { faultsCaughtBy, needsOf, profilesWith, uncatchableReason } from '../../../cli/explain/check-facts.ts';
import { anchorOfId } from '../../../cli/explain/page-link.ts';
import { requiredFields } from '../../../engine/target/capabilities.ts';
import { capitalize, joinNames, pluralize } from '../../../reporting/text/wording.ts';
import { checkOrder } from '../../../specs/catalogue/check-order.ts';
import type { Requirement } from '../../../specs/catalogue/requirement.ts';
import { readSignatures } from '../../../specs/fault-signatures.ts';
import { codeList, escapeText } from './markdown.ts';

/** More faults are counted only. */
const MAX_OTHER_FAULTS = 3;

const requestsByCheck = new Map<string, number>(checkOrder.map(({ check, requests }) => [check, requests]));

/** What the pages say about a check: its title, what it needs and costs, and the faults that prove it. */
export function checkSection(
  { id, title }: Requirement['checks'][number],
  requirement: Pick<Requirement, 'id' | 'checks'>,
): string {
  const lines = [factsLine(id, commonNeeds(requirement) === null), ...faultLines(id, requirement.id)];
  return `<a id="${anchorOfId(id)}"></a>\n**${id}** ${escapeText(title)}.\n\n${lines.map((line) => `- ${line}`).join('\n')}\n`;
}

/** `needs …`, if all checks of a requirement need the same and the pages say so once; null if they differ. */
export function commonNeeds({ checks }: Pick<Requirement, 'checks'>): string | null {
  const [first, ...others] = new Set(checks.map(({ id }) => needsText(id)));
  return others.length === 0 && checks.length > 1 ? (first ?? null) : null;
}

function factsLine(id: string, showsNeeds: boolean): string {
  const requests = requestsByCheck.get(id);
  return [
    ...(showsNeeds ? [`${capitalize(needsText(id))}.`] : []),
    `In ${profilesWith(id).join(', ')}${requests === undefined ? '' : `; ${pluralize(requests, 'request')}`}.`,
  ].join(' ');
}

function needsText(id: string): string {
  const needs = needsOf(id);
  if (needs === null) return 'is judged on every exchange of the run';
  const fields = codeList([...new Set(needs.flatMap(requiredFields))]);
  const bound = needs.includes('boundOperations') ? 'every bound operation' : '';
  const all = [fields, bound].filter((part) => part !== '').join(' and ');
  return all === '' ? 'needs any actor' : `needs ${all}`;
}

function faultLines(id: string, requirement: string): string[] {
  const proof = faultsCaughtBy(id);
  const reason = uncatchableReason(id);
  const others = otherFaults(id, requirement);
  return [
    ...proof.map(({ id: fault, defect }) => `\`${fault}\`: ${escapeText(defect)}`),
    ...(reason === undefined ? [] : [`No fault: ${escapeText(reason)}`]),
    ...(others.length === 0 ? [] : [`Also fails with ${joinNames(others, MAX_OTHER_FAULTS)}.`]),
  ];
}

/** The other faults of the requirement that the check was measured to fail with, those first that few checks fail with. */
function otherFaults(id: string, own: string): string[] {
  const proof = new Set(faultsCaughtBy(id).map(({ id: fault }) => fault));
  return readSignatures()
    .filter(({ fault, requirement, red }) => requirement === own && id in red && !proof.has(fault))
    .toSorted((one, other) => Object.keys(one.red).length - Object.keys(other.red).length)
    .map(({ fault }) => `\`${fault}\``);
}
