import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

const { FOLDERS } = (await import(`${ROOT}.dependency-cruiser.mjs`)) as { FOLDERS: Record<string, string[]> };

test.each(Object.entries(FOLDERS))('the order of the folders of %s names each one', (room, order) => {
  const present = readdirSync(`${ROOT}${room}`, { withFileTypes: true }).filter((each) => each.isDirectory());
  expect(order.toSorted()).toEqual(present.map(({ name }) => name).toSorted());
  const page = readFileSync(`${ROOT}docs/ARCHITECTURE.md`, 'utf8').replaceAll(/\s+/g, ' ');
  expect(page).toContain(`- \`${room}/\`: ${order.join(', ')} `);
});

/** The folders of suites/ are the areas of the contract. */
const ROOMS_WITH_FOLDERS = ['specs', 'engine', 'helpers', 'reporting', 'reference', 'cli', 'tests'];

test.each(ROOMS_WITH_FOLDERS)('the README of %s names each of its folders, and none that does not exist', (room) => {
  const named = [...readFileSync(`${ROOT}${room}/README.md`, 'utf8').matchAll(/`([\w.-]+)\//g)].map(([, name]) => name);
  const folders = readdirSync(`${ROOT}${room}`, { withFileTypes: true }).filter((each) => each.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !existsSync(`${ROOT}${room}/${name}`) && !existsSync(`${ROOT}${name}`))).toEqual([]);
});
