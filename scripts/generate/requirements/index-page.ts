import { anchorOfId } from '../../../cli/explain/page-link.ts';
import { pluralize } from '../../../reporting/text/wording.ts';
import { checkCatalogue, requirements } from '../../../specs/catalogue/catalogue.ts';
import { AREAS, type Requirement } from '../../../specs/catalogue/requirement.ts';
import { profileNames, profileTitle } from '../../../specs/catalogue/selection.ts';
import { areaTitle, escapeText } from './markdown.ts';

/** The text of docs/requirements/README.md: how to read the pages, and all requirements with links. */
export function indexPage(): string {
  return `# The requirements and their checks

${pluralize(requirements.length, 'requirement')} in ${AREAS.length} areas, with ${pluralize(checkCatalogue.size, 'check')}. Each area has a page. The anchor of a check is its id in lower
case with a hyphen for the dot: [AUTH-03.wrong](authentication.md#auth-03-wrong).

Generated from \`specs/requirements/\`, \`suites/\` and \`reference/faults/\` by \`npm run generate\`. \`conformance explain ID\` prints the
entry of a requirement or a check, and its place in these pages.

## How to read the pages

A requirement is one normative sentence of the contract. Its entry shows:

- **Level**: how the contract supports it. [Verdicts](../verdicts.md) defines the levels.
- **Contract**: the places in the contract, separated by semicolons.
- **Derived**: a rule that a reader deduces from the statement, the reason, and whether it follows necessarily. Some checks judge such a
  rule.
- **Usual fix**: what to change in a server that fails a check of this requirement, for the most usual causes.
- **Left open**: what the contract leaves open at this place. [The open points](../open-points.md) explain what servers may do.
- **Recorded as**: the observations in the report that show what the server does.

A check is one experiment. The title says what it expects of the server. Its entry shows:

- **Needs**: the fields of [the target file](../target-file.md) without which the check is blocked. If all checks of a requirement
  need the same fields, the entry of the requirement lists them. Checks that need \`actors.seller\` and \`actors.buyer\` also need
  an active connection between the two organizations.
- **In**: the profiles that contain the check.
- The **requests** that it adds to a run after the checks that run before it, with their clean-up. They were measured against the
  reference service. A check can use invoices of earlier checks, so a run of one check may send more requests.
- A **fault** with its defect: a reference service with this defect must fail the check. \`conformance prove --fault ID\` shows it.
  A server that fails the check may have the same defect.
- **Also fails with**: other faults of the same requirement with which the check failed when the proof was measured.

The profiles are:

${profileNames.map((name) => `- \`${name}\`: ${escapeText(profileTitle(name))}.`).join('\n')}

## Areas

| area | requirements | checks |
| --- | --- | --- |
${AREAS.map(areaRow).join('\n')}

${AREAS.map(areaTable).join('\n')}`;
}

function requirementsOf(area: string): Requirement[] {
  return requirements.filter((each) => each.area === area);
}

function areaRow(area: string): string {
  const own = requirementsOf(area);
  const checks = own.reduce((sum, each) => sum + each.checks.length, 0);
  return `| [${areaTitle(area)}](${area}.md) | ${own.length} | ${checks} |`;
}

function areaTable(area: string): string {
  const rows = requirementsOf(area).map(
    ({ id, statement, level, checks }) =>
      `| [${id}](${area}.md#${anchorOfId(id)}) | ${escapeText(statement)} | ${level} | ${checks.length} |`,
  );
  return `## ${areaTitle(area)}

| requirement | statement | level | checks |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}
