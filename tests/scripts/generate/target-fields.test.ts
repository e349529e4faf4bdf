import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  fieldsOfTable,
  targetFields,
  targetTables,
  withTargetFields,
} from '../../../scripts/generate/target-fields.ts';
import { ACTOR_NAMES, OPERATION_NAMES } from '../../../specs/target-file/target.ts';

const page = readFileSync(new URL('../../../docs/target-file.md', import.meta.url), 'utf8');
const shown = targetTables.flatMap((name) => fieldsOfTable(name).map(({ path }) => path));

/** The same place for the same field of every actor and of every operation. */
function generalPath(path: string): string {
  return path.replace(/^(actors|operations)\.\w+\./, '$1.*.');
}

describe('the tables of docs/target-file.md', () => {
  test('contain every field of the target file, except those that only hold others', () => {
    const all = targetFields().map(({ path }) => path);
    const isHolder = (path: string) => all.some((other) => other.startsWith(`${path}.`));
    const leaves = new Set(all.filter((path) => !isHolder(path)).map(generalPath));
    expect(leaves.size).toBeGreaterThan(30);
    expect([...leaves].filter((path) => !shown.map(generalPath).includes(path))).toEqual([]);
  });

  test('contain no field twice', () => {
    expect(shown.filter((path, at) => shown.indexOf(path) !== at)).toEqual([]);
  });

  test('contain every actor and every operation', () => {
    const rows = [...ACTOR_NAMES, ...OPERATION_NAMES].filter((name) => !page.includes(`\n| \`${name}\` | `));
    expect(rows).toEqual([]);
  });

  test('show required fields, defaults and examples as in YAML', () => {
    expect(page).toMatch(/^\| `baseUrl` \| string \(uri\) \| required \| .* \| `https:\/\/staging\.example\.com`, /m);
    expect(page).toMatch(/^\| `limits\.withdrawAtMost` \| string \| `"1000\.00"` \| .* \| `"30005\.00"` \|$/m);
    expect(page).toContain('`{ X-Gateway-Token: "${GATEWAY_TOKEN}" }`');
  });

  test('need a place in the page', () => {
    expect(() => withTargetFields('# The target file')).toThrow('fields of server');
  });
});
