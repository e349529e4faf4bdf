import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { AREAS } from '../../specs/catalogue/requirement.ts';

interface RequirementEntry {
  checks?: { id: string }[];
  observations?: string[];
}

const requirementsFile = (area: string) => new URL(`../../specs/requirements/${area}.yaml`, import.meta.url);
const openPointsFile = new URL('../../specs/contract/open-points.yaml', import.meta.url);
const outputFile = new URL('../../specs/generated/ids.ts', import.meta.url);

/** The text of specs/generated/ids.ts for the current requirements and open points. */
export function generatedIds(): string {
  const entries = AREAS.flatMap((area) => parse(readFileSync(requirementsFile(area), 'utf8')) as RequirementEntry[]);
  const points = parse(readFileSync(openPointsFile, 'utf8')) as { id: string }[];
  const union = (ids: string[]) => ids.map((id) => `\n  | '${id}'`).join('');
  return `// Generated from specs/requirements/ and specs/contract/open-points.yaml by \`npm run generate\`.
export type CheckId =${union(entries.flatMap((entry) => entry.checks?.map(({ id }) => id) ?? []))};

export type ObservationId =${union(entries.flatMap((entry) => entry.observations ?? []))};

export type OpenPointId =${union(points.map(({ id }) => id))};
`;
}

export function writeIds(): void {
  writeFileSync(outputFile, generatedIds());
}
