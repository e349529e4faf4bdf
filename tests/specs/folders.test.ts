import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ROOMS = ['specs', 'engine', 'helpers', 'suites', 'reporting', 'reference', 'cli', 'scripts'];
/** A reader takes in this many names at a glance. */
const MAX_ENTRIES = 15;
/** These have an entry for each area of the contract or each command, so that its name leads to the file. */
const FOLDERS_BY_NAME = ['helpers', 'suites', 'specs/requirements', 'reference/faults', 'cli/commands'];

function foldersIn(path: string): string[] {
  const inside = readdirSync(`${ROOT}${path}`, { withFileTypes: true }).filter((each) => each.isDirectory());
  return [path, ...inside.flatMap(({ name }) => foldersIn(`${path}/${name}`))];
}

test.each(ROOMS)(`no folder of %s has more than ${MAX_ENTRIES} entries`, (room) => {
  const crowded = foldersIn(room)
    .filter((path) => !FOLDERS_BY_NAME.includes(path))
    .filter((path) => readdirSync(`${ROOT}${path}`).length > MAX_ENTRIES);
  expect(crowded).toEqual([]);
});
