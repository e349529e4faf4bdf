import { checkFile, LEVEL_MEANINGS } from '../../../cli/explain/check-facts.ts';
import { derivationText, placeText } from '../../../reporting/text/requirement-text.ts';
import { pluralize } from '../../../reporting/text/wording.ts';
import { requirements } from '../../../specs/catalogue/catalogue.ts';
import type { AREAS, Requirement } from '../../../specs/catalogue/requirement.ts';
import { checkSection, commonNeeds } from './check-section.ts';
import { areaTitle, codeList, escapeText } from './markdown.ts';
import { openPointLink, openPointsOf, openPointsOfParts } from './open-point-links.ts';

/** The text of docs/requirements/<area>.md. */
export function areaPage(area: (typeof AREAS)[number]): string {
  const own = requirements.filter((each) => each.area === area);
  const checks = own.flatMap((each) => each.checks);
  return `# ${areaTitle(area)}

${pluralize(own.length, 'requirement')}, ${pluralize(checks.length, 'check')}. The list of a check names
the defects of a server that it detects. [The index](README.md#how-to-read-the-pages) explains the entries.

Generated from \`specs/requirements/${area}.yaml\`, \`suites/\` and \`reference/faults/\` by \`npm run generate\`.

${own.map(requirementSection).join('\n')}${openPointsSection(area, own)}`;
}

function requirementSection(entry: Requirement): string {
  return `## ${entry.id}

${escapeText(entry.statement)}

${requirementLines(entry)
  .map((line) => `- ${line}`)
  .join('\n')}

${entry.checks.map((check) => `${checkSection(check, entry)}\n`).join('')}`.replace(/\n+$/, '\n');
}

function requirementLines(entry: Requirement): string[] {
  const files = [...new Set(entry.checks.map(({ id }) => checkFile(id)))];
  const common = commonNeeds(entry);
  const needs = common === null ? '' : ` Each ${common}.`;
  return [
    `Level ${LEVEL_MEANINGS[entry.level]}.`,
    `Contract: ${escapeText(placeText(entry.place))}.`,
    ...entry.derived.map((each) => `Derived: ${escapeText(derivationText(each))}`),
    ...entry.fixes.map((fix) => `Usual fix: ${escapeText(fix)}`),
    ...openPointsOf(entry).map((point) => `Left open: ${openPointLink(point)}.`),
    ...(entry.unjudged === undefined ? [] : [`Not judged: ${escapeText(entry.unjudged)}`]),
    ...(entry.observations.length === 0 ? [] : [`Recorded as ${codeList(entry.observations)}.`]),
    ...(files.length === 0 ? [] : [`Checks: ${files.map((file) => `\`${file}\``).join(' and ')}.${needs}`]),
  ];
}

function openPointsSection(area: string, own: readonly Requirement[]): string {
  const linked = new Set(own.flatMap((entry) => openPointsOf(entry)));
  const rest = openPointsOfParts(area).filter((point) => !linked.has(point));
  if (rest.length === 0) return '';
  return `
## Also left open

The contract leaves these points open in the parts to which most of the requirements belong:

${rest.map((point) => `- ${openPointLink(point)}`).join('\n')}
`;
}
