import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generatedCheckNeeds } from '../../scripts/generate/check-needs.ts';
import { coveragePage } from '../../scripts/generate/coverage.ts';
import { figurePages, withFigures } from '../../scripts/generate/figures.ts';
import { generatedIds } from '../../scripts/generate/ids.ts';
import { openPointsPage } from '../../scripts/generate/open-points.ts';
import { reportFieldsPage } from '../../scripts/generate/report-fields.ts';
import { requirementPages } from '../../scripts/generate/requirements/pages.ts';
import { withRetries } from '../../scripts/generate/retries.ts';
import { generatedSchemas } from '../../scripts/generate/schemas.ts';
import { withTargetFields } from '../../scripts/generate/target-fields.ts';

function onDisk(path: string): string {
  return readFileSync(new URL(`../../specs/${path}`, import.meta.url), 'utf8');
}

test('the generated ids are fresh (npm run generate)', () => {
  expect(onDisk('generated/ids.ts')).toBe(generatedIds());
});

test('the generated needs of the checks are fresh (npm run generate)', () => {
  expect(onDisk('generated/check-needs.ts')).toBe(generatedCheckNeeds());
});

test('docs/open-points.md is fresh (npm run generate)', () => {
  expect(readFileSync(new URL('../../docs/open-points.md', import.meta.url), 'utf8')).toBe(openPointsPage());
});

test.each(Object.entries(generatedSchemas()))('%s is fresh (npm run generate)', (name, content) => {
  expect(onDisk(`schemas/${name}`)).toBe(content);
});

test('docs/coverage.md is fresh (npm run generate)', () => {
  expect(readFileSync(new URL('../../docs/coverage.md', import.meta.url), 'utf8')).toBe(coveragePage());
});

test('docs/report-fields.md is fresh (npm run generate)', () => {
  expect(readFileSync(new URL('../../docs/report-fields.md', import.meta.url), 'utf8')).toBe(reportFieldsPage());
});

test.each(figurePages)('the figures in %s are fresh (npm run generate)', (path) => {
  const page = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(page).toBe(withFigures(page));
});

test('the schema of the target file asks for baseUrl and actors only', () => {
  const schema: unknown = JSON.parse(onDisk('schemas/target.schema.json'));
  expect(schema).toMatchObject({ type: 'object', required: ['baseUrl', 'actors'], additionalProperties: false });
});

test('the table of retries in docs/real-networks.md is fresh (npm run generate)', () => {
  const page = readFileSync(new URL('../../docs/real-networks.md', import.meta.url), 'utf8');
  expect(page).toBe(withRetries(page));
});

test('the tables of fields in docs/target-file.md are fresh (npm run generate)', () => {
  const page = readFileSync(new URL('../../docs/target-file.md', import.meta.url), 'utf8');
  expect(page).toBe(withTargetFields(page));
});

describe('docs/requirements/', () => {
  const folder = new URL('../../docs/requirements/', import.meta.url);
  const pages = requirementPages();

  test('contains a page for each area and the index, and no other', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(pages).sort());
  });

  test.each(Object.entries(pages))('%s is fresh (npm run generate)', (name, content) => {
    expect(readFileSync(new URL(name, folder), 'utf8')).toBe(content);
  });
});
