import { readFileSync } from 'node:fs';
import openapiTypescript, { astToString } from 'openapi-typescript';

const source = new URL('../../specs/contract/openapi.yaml', import.meta.url);

/** The TypeScript types of specs/contract/openapi.yaml, as specs/generated/openapi.ts holds them. */
export async function openapiTypes(): Promise<string> {
  const types = astToString(await openapiTypescript(readFileSync(source, 'utf8')));
  return `// Generated from specs/contract/openapi.yaml by \`npm run generate\`.\n${types}`;
}
