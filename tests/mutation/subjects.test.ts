import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { conformingServers } from '../../cli/prove/servers.ts';
import { allFaults } from '../../reference/faults/all.ts';
import { subjects } from './subjects.ts';

test('the file with the tests for the mutants exists', () => {
  const known = new Set([...allFaults, ...conformingServers].map(({ id }) => id));
  const named = Object.values(subjects).flatMap(({ faults, variations }) => [...faults, ...variations]);
  expect(named.filter((id) => !known.has(id))).toEqual([]);
  expect(Object.keys(subjects).filter((file) => !existsSync(`helpers/${file}`))).toEqual([]);
});
