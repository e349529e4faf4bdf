import { writeFileSync } from 'node:fs';
import { allFaults } from '../../reference/faults/all.ts';
import { requirements } from '../../specs/catalogue/catalogue.ts';
import { AREAS } from '../../specs/catalogue/requirement.ts';

const to = new URL('../../docs/coverage.md', import.meta.url);

/** The text of docs/coverage.md: the defects that the proof shows the kit to find, by requirement. */
export function coveragePage(): string {
  const areas = AREAS.map((area) => {
    const parts = requirements
      .filter((each) => each.area === area)
      .flatMap(({ id, statement }) => defectsOf(id, statement));
    return parts.length === 0 ? '' : `## ${area}\n\n${parts.join('\n\n')}\n`;
  });
  return `# What the kit finds

Generated from \`reference/faults/\` by \`npm run generate\`. Each line is a defect that a server team could ship. If the reference
service has only this defect, the checks at the end of the line must fail; see [the proof](proof.md).

${areas.filter((text) => text !== '').join('\n')}`;
}

function defectsOf(id: string, statement: string): string[] {
  const faults = allFaults.filter(({ requirement }) => requirement === id);
  if (faults.length === 0) return [];
  const lines = faults.map(
    ({ defect, caughtBy }) => `- ${defect} ${caughtBy.map((check) => `\`${check}\``).join(', ')}`,
  );
  return [`### ${id}\n\n${statement}\n\n${lines.join('\n')}`];
}

export function writeCoveragePage(): void {
  writeFileSync(to, coveragePage());
}
