import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageBytes, productionPackages, ROOT, readManifest } from './production-packages.ts';

const page = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
const [withKit = '', toDevelop = ''] = page.split('\n## To develop the kit\n');
const manifest = readManifest(ROOT);

/** The packages in the tables of a text, with the licences beside them. */
function rowsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(([, name, licence]) => [name, licence]),
  );
}

/** From the manifest, or from the licence file of an old package. */
function licenceOf(folder: string): string {
  const { license } = readManifest(folder);
  if (license !== undefined) return license.replace(/^\((.*)\)$/, '$1');
  const text = readFileSync(join(folder, 'LICENSE'), 'utf8');
  return text.includes('Permission is hereby granted, free of charge') ? 'MIT' : text;
}

function licencesOf(names: Record<string, string> = {}): Record<string, string> {
  const all = Object.keys(names);
  return Object.fromEntries(all.map((name) => [name, licenceOf(join(ROOT, 'node_modules', name))]));
}

test('docs/dependencies.md lists each package that is installed with the kit, with its licence', () => {
  expect(rowsOf(withKit)).toEqual(licencesOf(manifest.dependencies));
});

test('docs/dependencies.md lists each package for development, with its licence', () => {
  expect(rowsOf(toDevelop)).toEqual(licencesOf(manifest.devDependencies));
});

test('docs/dependencies.md names all licences of the packages that are installed with the kit', () => {
  const [, sentence = ''] = /^The licences in the tree are ([^.]*(?:\.\d[^.]*)*)\./m.exec(page) ?? [];
  const named = sentence.split(/, | and /);
  const found = productionPackages().flatMap((path) => licenceOf(join(ROOT, path)).split(' OR '));
  expect(named.toSorted()).toEqual([...new Set(found)].toSorted());
});

test('docs/dependencies.md names number and size of the packages that are installed with the kit', () => {
  const [, count, megabytes] = /adds (\d+) packages with (\d+) MB on Linux x64/.exec(page)?.map(Number) ?? [];
  const packages = productionPackages();
  const bytes = packages.reduce((sum, path) => sum + packageBytes(path), 0);
  // Other platforms have other native packages.
  expect(Math.abs(packages.length - Number(count))).toBeLessThanOrEqual(2);
  expect(Math.abs(bytes / 1e6 / Number(megabytes) - 1)).toBeLessThan(0.1);
});
