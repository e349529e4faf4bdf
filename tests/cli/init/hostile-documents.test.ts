import { describe, expect, test } from 'vitest';
import { findDocumentedBindings } from '../../../cli/init/openapi/documented-bindings.ts';
import { parseOpenApi } from '../../../cli/init/openapi/parse-document.ts';
import { body, openApi, text } from './support/documents.ts';

const BASE_URL = 'https://a.example';
const APPROVE = '/api/v1/invoices/{id}/approve';

function read(document: string | object) {
  const parsed = parseOpenApi(typeof document === 'string' ? document : JSON.stringify(document));
  return 'problem' in parsed ? parsed.problem : findDocumentedBindings(parsed, BASE_URL).bindings;
}

const bombs = [
  '&a ["x","x"]',
  ...'bcdefghijk'.split('').map((name, at) => `&${name} [${`*${'abcdefghijk'[at]},`.repeat(9)}]`),
];

describe('a text that is no OpenAPI document', () => {
  test.each([
    ['an empty text', '', /^is not a mapping/],
    ['a list', '[]', /^is not a mapping/],
    ['a number', '7', /^is not a mapping/],
    ['invalid JSON', '{"openapi": ', /^is neither valid JSON nor valid YAML/],
    ['invalid YAML', 'a: [', /^is neither valid JSON nor valid YAML/],
    ['a web page', '<!doctype html><html></html>', /^is (not a mapping|neither)/],
    ['another mapping', '{"items": []}', /^has no field openapi or swagger/],
    ['one without paths', '{"openapi": "3.1.0"}', /^has no paths/],
    ['one with a list of paths', '{"openapi": "3.1.0", "paths": []}', /^has no paths/],
    ['one with null as paths', '{"openapi": "3.1.0", "paths": null}', /^has no paths/],
    ['a million open brackets', '['.repeat(1_000_000), /^is neither/],
    ['a million closed brackets', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, /^is (not a mapping|neither)/],
    [
      'deep YAML',
      `a:\n${Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at + 1)}a:`).join('\n')}`,
      /^(is neither|has no)/,
    ],
    [
      'YAML that grows by its aliases',
      `openapi: 3.1.0\npaths:\n  /x:\n${bombs.map((line) => `  - ${line}`).join('\n')}`,
      /^is neither/,
    ],
    ['9 MiB', `{"openapi":"3.1.0","x":"${'x'.repeat(9 * 1024 * 1024)}"}`, /^is longer than 8 MiB/],
  ])('gives one line: %s', (_, document, line) => {
    expect(read(document)).toMatch(line);
    expect(read(document)).not.toContain('\n');
  });
});

describe('a hostile OpenAPI document', () => {
  test.each([
    ['null in place of a path item', null],
    ['a list in place of a path item', []],
    ['a circle of references', { $ref: '#/paths/~1api~1v1~1invoices~1%7Bid%7D~1approve' }],
    ['a reference to itself', { $ref: '#' }],
    ['a reference with broken encoding', { $ref: '#/%E0%A4%A' }],
    ['a reference to a property of all objects', { $ref: '#/paths/constructor/prototype' }],
    ['an operation that is a text', { post: 'x' }],
  ])('binds nothing with %s', (_, item) => {
    expect(read(openApi({ '/api/v1/invoices': { get: {} }, [APPROVE]: item }))).toEqual({});
  });

  test.each([
    ['parameters that are a text', { parameters: 'x' }],
    ['parameters of any type', { parameters: [null, 1, 'x', [], { name: 1 }] }],
    ['content that is a list', { requestBody: { content: [] } }],
    ['a schema that is a text', { requestBody: { content: { 'application/json': { schema: 'x' } } } }],
    [
      'properties that are a list',
      { requestBody: { content: { 'application/json': { schema: { properties: [1] } } } } },
    ],
    ['required that is a number', { requestBody: { content: { 'application/json': { schema: { required: 1 } } } } }],
    ['an operationId that is an object', { operationId: {} }],
  ])('still binds an operation with %s', (_, operation) => {
    expect(read(openApi({ [APPROVE]: { post: operation } }))).toEqual({ approve: { method: 'POST', path: APPROVE } });
  });

  test('ends at schemas that contain themselves', () => {
    const schema = { $ref: '#/components/schemas/Loop' };
    const Loop = { allOf: [schema, schema], oneOf: [schema, schema, schema], properties: { reason: schema } };
    const operation = { requestBody: { content: { 'application/json': { schema } } } };
    const document = openApi({ [APPROVE]: { post: operation } }, { components: { schemas: { Loop } } });
    expect(read(document)).toEqual({ approve: { method: 'POST', path: APPROVE } });
  });

  test('with 50,000 paths is read', () => {
    const paths = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`/x${at}/{id}/approve`, { post: {} }]));
    expect(read(openApi({ ...paths, [APPROVE]: { post: {} } }))).toEqual({
      approve: { method: 'POST', path: APPROVE },
    });
  });

  test.each([
    '/api/v1/invoices/{id}/approve/${SELLER_SECRET}',
    '/api/v1/invoices/{id}/${SELLER_SECRET}/approve',
    '/api/v1/invoices/{id}/approve\n#x',
    '/api/v1/invoices/{id}/approve"',
    '/api/v1/invoices/{id}/approve #',
    '/api/v1/invoices/{id}/approve?requestId=1',
    '/api/v1/invoices/{id}/:x/approve',
    '/api/v1/invoices/{id}/{text}/approve',
    '//evil.example/api/v1/invoices/{id}/approve ',
  ])('does not bring the path %j into the target file', (path) => {
    expect(
      read(openApi({ '/api/v1/invoices': { get: {} }, [path]: { post: { operationId: 'approveInvoice' } } })),
    ).toEqual({});
  });

  test.each([
    ['a reference', '${SELLER_SECRET}'],
    ['a placeholder', '{id}'],
    ['a line break', 'a\nb'],
    ['no ASCII', 'ü'],
  ])('does not bring %s into a body', (_, value) => {
    const schema = body({ code: { ...text, enum: [value], pattern: '^', example: value } }, ['code']);
    expect(read(openApi({ [APPROVE]: { post: schema } }))).toEqual({});
  });

  test.each(['__proto__', 'a b', 'a\n- b', '${X}'])('does not bring the member %j into a body', (name) => {
    const properties = JSON.parse(`{${JSON.stringify(name)}: {"type": "string"}}`);
    expect(read(openApi({ [APPROVE]: { post: body(properties, [name]) } }))).toEqual({});
  });
});
