import { readFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';

const source = new URL('../specs/openapi.yaml', import.meta.url);

/** The TypeScript types of specs/openapi.yaml, as specs/generated/openapi.ts holds them. */
export async function openapiTypes(): Promise<string> {
  const types = astToString(await openapiTypescript(readFileSync(source, 'utf8')));
  return `// Generated from specs/openapi.yaml by \`npm run generate\`.\n${types}`;
}
