import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkCatalogue } from '../../../specs/catalogue/catalogue.ts';

/** One id per line. A retired check keeps its line, with ` retired` after the id. */
const lines = readFileSync(new URL('./check-ids.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const pinned = lines.filter((line) => !line.endsWith(' retired'));
const retired = lines.filter((line) => line.endsWith(' retired')).map((line) => line.slice(0, -' retired'.length));
const ids: string[] = [...checkCatalogue.keys()];

test('ids are never renamed or reused: every pinned id is still declared', () => {
  expect(pinned.filter((id) => !ids.includes(id))).toEqual([]);
  expect(retired.filter((id) => ids.includes(id))).toEqual([]);
});

test('ids are never renamed or reused: a new check adds its line to tests/specs/catalogue/check-ids.txt', () => {
  expect(ids.filter((id) => !pinned.includes(id))).toEqual([]);
});

test('no id is pinned twice', () => {
  const names = [...pinned, ...retired];
  expect(names.filter((id, at) => names.indexOf(id) !== at)).toEqual([]);
});
