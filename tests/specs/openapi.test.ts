import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lint } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { openapiTypes } from '../../scripts/generate/openapi.ts';

const description = new URL('../../specs/contract/openapi.yaml', import.meta.url);

test('the OpenAPI description has no problem under the recommended ruleset', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lint({ ref: fileURLToPath(description), config });
  expect(problems.map((problem) => `${problem.severity} ${problem.ruleId}: ${problem.message}`)).toEqual([]);
});

test('the generated types are up to date', async () => {
  const generated = readFileSync(new URL('../../specs/generated/openapi.ts', import.meta.url), 'utf8');
  expect(generated).toBe(await openapiTypes());
});

test('the OpenAPI description names no host', () => {
  expect(readFileSync(description, 'utf8').match(/https?:\/\/[^\s'"]+/g)).toEqual(['http://localhost']);
});
