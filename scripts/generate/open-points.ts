import { writeFileSync } from 'node:fs';
import { allVariations } from '../../reference/variations/all.ts';
import { type OpenPoint, openPoints } from '../../specs/contract/open-points.ts';

const outputFile = new URL('../../docs/open-points.md', import.meta.url);

/** The text of docs/open-points.md for the current open points and variations. */
export function openPointsPage(): string {
  const tried = openPoints.filter(({ unexercised }) => unexercised === undefined).length;
  return `# What the contract leaves open

A server is free to choose in each of these points, and the kit never fails it for the choice. Every point shows the words of the
contract, what conforming servers do (the choice of the reference service comes first), how the kit handles the choice, the
observation that records it in the report, and the variations of \`conformance prove\` that make another choice.

${openPoints.length} points, ${tried} of them tried with ${allVariations.length} variations of the reference service. Generated from
\`specs/contract/open-points.yaml\` and \`reference/variations/\` by \`npm run generate\`.

${openPoints.map(openPointSection).join('\n')}`;
}

function openPointSection(point: OpenPoint): string {
  const { id, section, quote, question, choices, copes, observations, unrecorded, unexercised } = point;
  const variations = allVariations
    .filter(({ openPoint }) => openPoint === id)
    .map(({ id: variation, choice }) => `\`${variation}\` (${choice})`);
  return `## ${id} ${question}

${quote ? `${section}: "${quote}"` : `${section}: the contract does not say.`}

- Conforming servers: ${choices.join('; ')}.
- The kit: ${copes}
- Recorded: ${observations.length > 0 ? observations.map((each) => `\`${each}\``).join(', ') : `in no observation. ${unrecorded}`}
- Tried with: ${variations.length > 0 ? `${variations.join(', ')}.` : `no variation. ${unexercised}`}
`;
}

export function writeOpenPointsPage(): void {
  writeFileSync(outputFile, openPointsPage());
}
