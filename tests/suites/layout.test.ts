import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Check } from '../../helpers/context/check.ts';
import { catalogueCheck } from '../../specs/catalogue.ts';
import { allChecks } from '../../suites/all.ts';

const SUITES = fileURLToPath(new URL('../../suites/', import.meta.url));

/** The checks that each suite file exports, by its path below suites/. */
const files = await Promise.all(
  readdirSync(SUITES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('/') && path.endsWith('.ts') && !path.startsWith('every-exchange/'))
    .map(async (path) => {
      const exported = Object.values((await import(`${SUITES}${path}`)) as Record<string, readonly Check[]>);
      return { path, requirements: [...new Set(exported.flat().map(({ id }) => catalogueCheck(id).requirement))] };
    }),
);

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

  test('register every check of every file', () => {
    const registered = new Set(allChecks.map(({ id }) => catalogueCheck(id).requirement.id));
    expect(files.flatMap(({ requirements }) => requirements).filter(({ id }) => !registered.has(id))).toEqual([]);
  });
});
