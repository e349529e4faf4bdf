import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { GivenActors } from '../../../cli/init/given-values.ts';
import { type TargetDraft, targetTemplate } from '../../../cli/init/target-template.ts';
import { loadTarget } from '../../../engine/target/load-target.ts';
import { ACTOR_NAMES } from '../../../specs/target-file/target.ts';
import { usualDocument } from './support/documents.ts';

const folder = mkdtempSync(join(tmpdir(), 'kit-template-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PLAIN: TargetDraft = {
  baseUrl: 'https://a.example/x',
  schemaLine: null,
  ca: null,
  given: {},
  organizations: {},
  bindings: {},
};

/** A commented line with a field after its `#`. */
const COMMENTED = /^(\s*)# (?=\w+: )/;

/** Loads a file after all of its variables are set. */
function load(content: string) {
  const environment = Object.fromEntries(
    [...content.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      `${name.includes('PRODUCTION') ? 'svc_prod' : 'svc_sand'}_${name}`,
    ]),
  );
  const file = join(folder, 'template.yaml');
  writeFileSync(file, content);
  return loadTarget({ file, environment });
}

const given = (actors: readonly (typeof ACTOR_NAMES)[number][], prefix = ''): GivenActors =>
  Object.fromEntries(
    actors.map((actor) => {
      const value = (part: string) => ({
        value: `svc_sand_${actor}${part}`,
        variable: `${prefix}${actor.toUpperCase()}_${part}`,
        source: 'environment' as const,
      });
      return [actor, { key: value('KEY'), secret: value('SECRET') }];
    }),
  );

const actors = fc.subarray([...ACTOR_NAMES]);
const comment = fc.constantFrom('returned 200', 'from the OpenAPI document', 'usual path, not tried', 'a\n# b: "${X}"');
const { bindings: documented } = usualDocument();
const bindings = fc
  .subarray(Object.entries(documented))
  .chain((chosen) => fc.tuple(fc.constant(chosen), comment, fc.boolean()))
  .map(([chosen, said, isBound]) =>
    Object.fromEntries(chosen.map(([name, template]) => [name, { ...(isBound && { template }), comment: said }])),
  );
const drafts: fc.Arbitrary<TargetDraft> = fc.record({
  baseUrl: fc.constantFrom('https://a.example', 'http://127.0.0.1:8080/x/'),
  schemaLine: fc.constantFrom(null, '# yaml-language-server: $schema=./node_modules/kit/target.schema.json\n'),
  ca: fc.constant(null),
  given: fc.tuple(actors, fc.constantFrom('', 'CONFORMANCE_')).map(([names, prefix]) => given(names, prefix)),
  organizations: fc
    .subarray(['seller', 'buyer', 'outsider'])
    .map((names) => Object.fromEntries(names.map((name) => [name, `organization-${name}`]))),
  bindings,
});

describe('a target file in every combination', () => {
  test('is valid, without its comments as well, and holds the bindings that were found', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const written = targetTemplate(draft);
        const target = load(written);
        expect(target.baseUrl).toBe(draft.baseUrl);
        for (const [name, { template }] of Object.entries(draft.bindings)) {
          if (template) expect(target.operations).toMatchObject({ [name]: template });
        }
        const without = written.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/ # .*$/gm, '');
        expect(load(without)).toEqual(target);
      }),
      { numRuns: 200 },
    );
  });

  test('stays valid with all of its lines uncommented', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const lines = targetTemplate(draft).split('\n');
        const target = load(lines.map((line) => line.replace(COMMENTED, '$1')).join('\n'));
        expect(Object.keys(target.actors)).toHaveLength(6);
        expect(Object.keys(target.operations)).toHaveLength(12);
      }),
      { numRuns: 100 },
    );
  });

  test('never holds a key or a secret', () => {
    fc.assert(
      fc.property(drafts, (draft) => {
        const written = targetTemplate(draft);
        for (const actor of Object.values(draft.given)) {
          for (const { value } of Object.values(actor)) expect(written).not.toContain(value);
        }
      }),
    );
  });
});

describe('the actors', () => {
  test('are seller and buyer if nothing is known', () => {
    expect(Object.keys(load(targetTemplate(PLAIN)).actors)).toEqual(['seller', 'buyer']);
  });

  test('are those whose keys are known', () => {
    const target = load(targetTemplate({ ...PLAIN, given: given(['seller', 'revoked']) }));
    expect(Object.keys(target.actors)).toEqual(['seller', 'revoked']);
  });

  test('get the organizations that were found', () => {
    const written = targetTemplate({ ...PLAIN, organizations: { seller: 'a-1', buyer: 'b-2' } });
    expect(load(written).actors).toMatchObject({ seller: { organizationId: 'a-1' }, buyer: { organizationId: 'b-2' } });
  });
});

test('the first line names the schema', () => {
  const schemaLine = '# yaml-language-server: $schema=./x.json\n';
  expect(targetTemplate({ ...PLAIN, schemaLine }).startsWith(schemaLine)).toBe(true);
});

test('members of a body whose name YAML reads as another type are in quotes', () => {
  const template = { method: 'POST', path: '/x/{id}', body: { on: 'a', null: 1, 'a-b': true } } as const;
  const written = targetTemplate({ ...PLAIN, bindings: { approve: { template, comment: 'x' } } });
  expect(load(written).operations.approve).toMatchObject(template);
});
