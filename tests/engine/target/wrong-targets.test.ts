import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { loadTarget } from '../../../engine/target/load-target.ts';
import { EXPECTED_VALUES } from '../../../engine/target/validation/expected-values.ts';
import { knownFields } from '../../../engine/target/validation/field-names.ts';
import type { Target } from '../../../specs/target-file/target.ts';
import { environment } from './wrong-targets/content.ts';
import { UNKNOWN_FIELDS } from './wrong-targets/fields.ts';
import { WRONG_OPERATIONS } from './wrong-targets/operations.ts';
import { WRONG_SYNTAX } from './wrong-targets/syntax.ts';
import { WRONG_VALUES } from './wrong-targets/values.ts';

const folder = mkdtempSync(join(tmpdir(), 'kit-wrong-'));
afterAll(() => rmSync(folder, { recursive: true }));
const WRONG = [...UNKNOWN_FIELDS, ...WRONG_VALUES, ...WRONG_OPERATIONS, ...WRONG_SYNTAX];
const file = join(folder, 'target.yaml');

function load(content: string | Buffer): Target {
  writeFileSync(file, content);
  return loadTarget({ file, environment });
}

/** The message for a wrong file, without the path of the file. */
function problems(content: string | Buffer): string[] {
  try {
    load(content);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map((line) => line.replace(`${file}:`, '').replace(folder, '').replace('/target', 'target'));
  }
  throw new Error('no problem was found');
}

describe('a wrong target file', () => {
  test.each(WRONG.map(([content, ...lines]) => ({ content, lines })))('$content', ({ content, lines }) => {
    const found = problems(content);
    expect(found).toEqual(lines);
    expect(found.join('\n')).not.toContain('hush-this');
    expect(found.join('\n')).not.toMatch(/invalid|expected|received|unrecognized|too (small|big)/i);
  });
});

test('every field of a target file has a description of its values', () => {
  const patterns = Object.keys(EXPECTED_VALUES).map((name) => name.split('.'));
  const lacking = knownFields.filter((field) => {
    const names = field.split('.');
    return !patterns.some((all) => all.length === names.length && all.every((n, at) => n === '*' || n === names[at]));
  });
  expect(lacking).toEqual([]);
});

const SELLER = 'actors: { seller: { key: svc_sand_1, secret: s-1 } }\n';
const local = (rest: string) => `baseUrl: http://127.0.0.1:1\n${SELLER}${rest}\n`;

describe('a target file loads', () => {
  test.each([
    ['with a comment that names its schema', local('$schema: ./target.schema.json')],
    ['with a byte order mark and Windows line ends', `\uFEFF${local('').replaceAll('\n', '\r\n')}`],
    [
      'as JSON with a trailing comma',
      '{"baseUrl":"http://127.0.0.1:1","actors":{"seller":{"key":"k","secret":"s",},},}',
    ],
    ['with spaces around the base URL', local('').replace('http://127.0.0.1:1', '"http://127.0.0.1:1  "')],
  ])('%s', (_, content) => {
    expect(load(content).baseUrl).toBe('http://127.0.0.1:1');
  });

  test('with anchors and merge keys', () => {
    const buyer = 'actors:\n  seller: &one { key: k1, secret: s1, organizationId: a }\n';
    const text = `baseUrl: http://127.0.0.1:1\n${buyer}  buyer: { <<: *one, key: k2, secret: s2, organizationId: b }\n`;
    expect(load(text).actors.buyer).toEqual({ key: 'k2', secret: 's2', organizationId: 'b' });
  });

  test('with a placeholder in a path without quotes', () => {
    const read = '{ method: GET, path: /api/{id}/full, actor: buyer }';
    expect(load(local(`operations: { read: ${read} }`)).operations.read).toEqual({
      method: 'GET',
      path: '/api/{id}/full',
      actor: 'buyer',
    });
  });

  test('with brackets and colons in a path that are no placeholders', () => {
    const path = '/x/{id}:approve/v1:2?filter[status]=OPEN&fields=<all>';
    expect(load(local(`operations: { approve: { method: POST, path: "${path}" } }`)).operations.approve?.path).toBe(
      path,
    );
  });

  test('with a variable requestId, and a withdrawal with a balance', () => {
    const treasury = (name: string, method: string, more: string) =>
      `  ${name}: { method: ${method}, path: "/withdrawals?requestId={requestId}"${more} }`;
    const body = ', body: { requestId: "{requestId}", amount: "{amount}" }';
    const both = [treasury('treasuryBalance', 'GET', ''), treasury('treasuryWithdraw', 'POST', body)].join('\n');
    expect(Object.keys(load(local(`operations:\n${both}`)).operations)).toEqual([
      'treasuryBalance',
      'treasuryWithdraw',
    ]);
  });

  test('with braces in a body that are no placeholders', () => {
    const body = { open: '{', empty: '{}', json: '{"a": {"b": 1}}', close: 'a } b', note: 'for {id}: {text}' };
    const cancel = JSON.stringify({ method: 'POST', path: '/x/{id}', body });
    expect(load(local(`operations: { cancel: ${cancel} }`)).operations.cancel?.body).toEqual(body);
  });
});

describe('two actors', () => {
  const two = (name: string, rest: string) =>
    `baseUrl: http://127.0.0.1:1\nactors:\n  seller: { key: k-1, secret: s-1, organizationId: org-1 }\n  ${name}: ${rest}\n`;

  test.each([
    ['buyer', '{ key: k-1, secret: s-2 }', 'key'],
    ['readOnly', '{ key: k-2, secret: s-1 }', 'secret'],
    ['production', '{ key: k-1, secret: s-2 }', 'key'],
  ])('may not share a credential: %s', (name, rest, part) => {
    expect(problems(two(name, rest))).toEqual([
      expect.stringMatching(
        new RegExp(
          `^4: actors\\.${name}\\.${part}: is the same as actors\\.seller\\.${part}; .*remove actors\\.${name}$`,
        ),
      ),
    ]);
  });

  test('may not have key and secret swapped', () => {
    expect(problems(two('buyer', '{ key: s-2, secret: svc_sand_2 }'))).toEqual([
      '4: actors.buyer.secret: starts like a key, but actors.buyer.key does not; swap the two',
    ]);
  });

  test('that use one variable are named with it', () => {
    const text = two('buyer', '{ key: "${GIVEN}", secret: s-2 }').replace('k-1', '"${GIVEN}"');
    expect(problems(text)).toEqual([
      expect.stringContaining('actors.buyer.key: is the same as actors.seller.key, both ${GIVEN}; write'),
    ]);
  });

  test.each([
    ['buyer', 'org-1', 'is the same as actors.seller.organizationId'],
    ['outsider', 'org-1', 'is the same as actors.seller.organizationId'],
    ['readOnly', 'org-2', 'differs from actors.seller.organizationId'],
    ['production', 'org-2', 'differs from actors.seller.organizationId'],
  ])('%s may not name the organization %s', (name, id, found) => {
    const lines = problems(two(name, `{ key: k-2, secret: s-2, organizationId: ${id} }`));
    expect(lines).toEqual([expect.stringMatching(`^4: actors\\.${name}\\.organizationId: ${found}; write `)]);
  });

  test('may be in each other’s place, if the keys of the seller’s organization are those of the buyer', () => {
    const more = [
      '  readOnly: { key: k-3, secret: s-3, organizationId: org-2 }\n',
      '  production: { key: svc_prod_4, secret: s-4, organizationId: org-2 }\n',
    ];
    expect(problems(two('buyer', '{ key: k-2, secret: s-2, organizationId: org-2 }') + more.join(''))).toEqual([
      "3: actors.seller.organizationId: differs from the id of actors.readOnly and actors.production, which is that of actors.buyer; swap actors.seller and actors.buyer if they are in each other's place, otherwise correct actors.readOnly and actors.production",
    ]);
  });

  test('may not be outsider and buyer of one organization, with its UUID in either case', () => {
    const id = '0a0b0c0d-0000-4000-8000-00000000000a';
    const outsider = `  outsider: { key: k-3, secret: s-3, organizationId: ${id.toUpperCase()} }\n`;
    const text = `${two('buyer', `{ key: k-2, secret: s-2, organizationId: ${id} }`)}${outsider}`;
    expect(problems(text.replace('org-1', id.replace('a', 'b')))).toEqual([
      expect.stringContaining('5: actors.outsider.organizationId: is the same as actors.buyer.organizationId; write'),
    ]);
  });

  test('may not be UUIDs and other texts in one file', () => {
    const id = '0a0b0c0d-0000-4000-8000-00000000000a';
    const text = two('buyer', `{ key: k-2, secret: s-2, organizationId: ${id} }`);
    expect(problems(`${text}counterparties: { unconnected: org-3 }\n`)).toEqual([
      '3: actors.seller.organizationId: is not a UUID, unlike actors.buyer.organizationId; write the organization id that the service shows',
      '5: counterparties.unconnected: is not a UUID, unlike actors.buyer.organizationId; write the organization id that the service shows',
    ]);
  });

  test.each([
    ['unconnected: org-1', 'unconnected: is the same as actors.seller.organizationId'],
    ['unconnected: org-2', 'unconnected: is the same as actors.buyer.organizationId'],
    ['suspended: org-1', 'suspended: is the same as actors.seller.organizationId'],
    ['suspended: org-2', 'suspended: is the same as actors.buyer.organizationId'],
    ['unconnected: a, suspended: a', 'suspended: is the same as counterparties.unconnected'],
  ])('may not have the counterparties { %s }', (rest, found) => {
    const text = two('buyer', '{ key: k-2, secret: s-2, organizationId: org-2 }');
    expect(problems(`${text}counterparties: { ${rest} }\n`)).toEqual([
      expect.stringMatching(`^5: counterparties\\.${found}; write the id of an organization`),
    ]);
  });
});
