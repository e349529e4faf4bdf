import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

interface Property {
  readonly path: string;
  readonly schema: PublishedSchema;
}

interface PublishedSchema {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, PublishedSchema>>;
  readonly [keyword: string]: unknown;
}

function published(name: string): PublishedSchema {
  return JSON.parse(readFileSync(new URL(`../../specs/schemas/${name}`, import.meta.url), 'utf8')) as PublishedSchema;
}

function isSchema(value: unknown): value is PublishedSchema {
  return typeof value === 'object' && value !== null;
}

/** Every property at any depth, with those in unions, lists and maps. */
function propertiesOf(schema: PublishedSchema, path = ''): Property[] {
  const { properties = {}, examples, ...rest } = schema;
  const own = Object.entries(properties).map(([name, each]) => ({ path: `${path}.${name}`, schema: each }));
  const inside = Object.values(rest).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return [
    ...own,
    ...own.flatMap((property) => propertiesOf(property.schema, property.path)),
    ...inside.filter(isSchema).flatMap((each) => propertiesOf(each, `${path}[]`)),
  ];
}

describe.each([
  ['target.schema.json', 120],
  ['baseline.schema.json', 8],
  ['policy.schema.json', 15],
])('the properties of %s', (name, least) => {
  const properties = propertiesOf(published(name));

  test('each have a description that is a sentence', () => {
    expect(properties.length).toBeGreaterThanOrEqual(least);
    const undescribed = properties.filter(({ schema }) => !/^\S.*\.$/.test(schema.description ?? ''));
    expect(undescribed.map(({ path }) => path)).toEqual([]);
  });

  test('each have examples that the schema allows', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(published(name), name);
    const wrong = properties.filter(({ schema }) =>
      (schema.examples ?? []).some((example) => !ajv.validate({ ...schema, $defs: published(name).$defs }, example)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});
