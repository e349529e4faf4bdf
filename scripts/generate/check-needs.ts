import { writeFileSync } from 'node:fs';
import { allChecks } from '../../suites/all.ts';

const outputFile = new URL('../../specs/generated/check-needs.ts', import.meta.url);

/** The text of specs/generated/check-needs.ts for the current suites. */
export function generatedCheckNeeds(): string {
  const lines = allChecks
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, needs }) => `  '${id}': [${needs.map((need) => `'${need}'`).join(', ')}],\n`);
  return `// Generated from suites/ by \`npm run generate\`.
import type { CheckId } from './ids.ts';

export const CHECK_NEEDS = {
${lines.join('')}} as const satisfies Partial<Record<CheckId, readonly string[]>>;
`;
}

export function writeCheckNeeds(): void {
  writeFileSync(outputFile, generatedCheckNeeds());
}
