import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { catalogueCheck } from '../../specs/catalogue/catalogue.ts';
import { suites } from '../../suites/all.ts';
import { ruleFiles } from '../../suites/every-exchange/all-rules.ts';

const files = Object.entries(suites).map(([path, checks]) => ({
  path,
  requirements: [...new Set(checks.map(({ id }) => catalogueCheck(id).requirement))],
}));

describe('the suites', () => {
  test.each(files)('$path lies in the folder of its area', ({ path, requirements }) => {
    const [folder] = path.split('/');
    expect(requirements.filter(({ area }) => area !== folder).map(({ id }) => id)).toEqual([]);
    expect(requirements).not.toEqual([]);
  });

  test('keep each requirement in one file', () => {
    const places = files.flatMap(({ path, requirements }) => requirements.map(({ id }) => ({ id, path })));
    const twice = places.filter(({ id }, at) => places.findIndex((other) => other.id === id) !== at);
    expect(twice).toEqual([]);
  });

  test('are all listed', () => {
    const folder = fileURLToPath(new URL('../../suites/', import.meta.url));
    const present = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.includes('/') && path.endsWith('.ts'))
      .map((path) => path.slice(0, -'.ts'.length));
    const listed = [...Object.keys(suites), ...Object.keys(ruleFiles), 'every-exchange/all-rules'];
    expect(listed.sort()).toEqual(present.sort());
  });
});
