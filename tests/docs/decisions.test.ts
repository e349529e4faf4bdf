import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../docs/decisions/', import.meta.url));
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const pages = readdirSync(FOLDER)
  .filter((name) => name !== 'README.md')
  .sort();
const read = (name: string) => readFileSync(FOLDER + name, 'utf8');

test('the decisions are numbered without gaps', () => {
  expect(pages.map((name) => Number(name.slice(0, 4)))).toEqual(pages.map((_, at) => at + 1));
});

test('the index lists each decision with its title', () => {
  const titles = pages.map(
    (name) =>
      `${read(name)
        .split('\n')[0]
        ?.replace(/^# (\d+\.) (.*)$/, `$1 [$2](${name})`)}`,
  );
  expect(read('README.md').match(/^\d+\. .*$/gm)).toEqual(titles);
});

describe.each(pages)('%s', (name) => {
  test('has context, decision and consequences', () => {
    expect(read(name).match(/^## .*$/gm)).toEqual(['## Context', '## Decision', '## Consequences']);
  });

  test('names only files that exist', () => {
    const links = [...read(name).matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => FOLDER + path);
    const paths = [
      ...read(name).matchAll(/`((?:specs|engine|helpers|suites|reporting|reference|cli|tests)\/[\w./-]*)`/g),
    ];
    const named = paths.map(([, path]) => ROOT + path);
    expect([...links, ...named].filter((path) => !existsSync(path))).toEqual([]);
  });
});
