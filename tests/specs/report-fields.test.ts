import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reportObjects } from '../../scripts/generate/report-fields.ts';
import { objectsOf } from '../../scripts/generate/schema-objects.ts';
import { anchorOf, typeText } from '../../scripts/generate/schema-types.ts';
import { report } from '../../specs/formats/report.ts';

describe('the fields of report.json', () => {
  test('each have a description that is a sentence', () => {
    const fields = reportObjects().flatMap((object) => object.fields);
    expect(fields.length).toBeGreaterThan(100);
    expect(fields.filter(({ schema }) => !/\S.*\.$/.test(schema.description ?? '')).map(({ path }) => path)).toEqual(
      [],
    );
  });

  test('belong to objects with different anchors', () => {
    const anchors = reportObjects().map(({ path }) => anchorOf(path));
    expect(anchors.filter((anchor, at) => anchors.indexOf(anchor) !== at)).toEqual([]);
  });
});

test('the excerpt of a report has the fields of the current schema (npm run sample)', () => {
  const excerpt = readFileSync(new URL('../../reports/sample/report-excerpt.json', import.meta.url), 'utf8');
  expect(report.partial().safeParse(JSON.parse(excerpt)).error).toBeUndefined();
});

describe('the objects of a schema', () => {
  const leaf = { type: 'object', properties: { id: { type: 'string' } } };

  test.each([
    ['a field', leaf, 'field'],
    ['a field that may be null', { anyOf: [leaf, { type: 'null' }] }, 'field'],
    ['a list', { type: 'array', items: leaf }, 'field[]'],
    ['the values of a map', { type: 'object', additionalProperties: leaf }, 'field.*'],
  ])('include those in %s', (_, field, path) => {
    const paths = objectsOf({ type: 'object', properties: { field } }).map((object) => object.path);
    expect(paths).toEqual(['', path]);
  });
});

describe('the type of a field', () => {
  const object = { type: 'object', properties: {} };

  test.each([
    ['a union of constants', { anyOf: [{ const: 0 }, { const: 1 }] }, '`0` or `1`'],
    ['an enum', { type: 'string', enum: ['a', 'b', 'c'] }, '`a`, `b` or `c`'],
    ['null', { type: ['string', 'null'] }, 'string or `null`'],
    ['a format', { type: 'string', format: 'date-time' }, 'string (date-time)'],
    ['an object', object, '[object](#checksdetail)'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'array of strings'],
    ['a list of objects', { type: 'array', items: object }, 'array of [objects](#checksdetail)'],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, '`[string, number]`'],
    ['a map', { type: 'object', additionalProperties: { type: 'string' } }, 'object with string values'],
    ['any JSON', { $ref: '#/$defs/json' }, 'any JSON value'],
  ])('shows %s', (_, schema, text) => {
    expect(typeText(schema, 'checks[].detail')).toBe(text);
  });

  test('cannot be shown if the schema has none', () => {
    expect(() => typeText({}, 'checks[].detail')).toThrow('checks[].detail');
  });
});
