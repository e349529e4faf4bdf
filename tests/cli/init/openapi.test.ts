import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { findDocumentedBindings } from '../../../cli/init/openapi/documented-bindings.ts';
import { parseOpenApi } from '../../../cli/init/openapi/parse-document.ts';
import { body, openApi, text, usualDocument } from './support/documents.ts';

const BASE_URL = 'https://a.example/gateway';

function bindingsOf(document: object, baseUrl = BASE_URL) {
  const parsed = parseOpenApi(JSON.stringify(document));
  if ('problem' in parsed) throw new Error(parsed.problem);
  return findDocumentedBindings(parsed, baseUrl);
}

const invoice = (paths: Record<string, unknown>) => openApi({ '/api/v1/invoices': { get: {} }, ...paths });
const post = (path: string, more: object = {}) => invoice({ [path]: { post: more } });

describe('an OpenAPI document', () => {
  test('with the usual paths binds every operation', () => {
    const { document, bindings } = usualDocument();
    expect(bindingsOf(document)).toEqual({ bindings, undecided: {}, foreignReferences: [] });
  });

  test('may be YAML', () => {
    const { document, bindings } = usualDocument();
    const parsed = parseOpenApi(stringify(document));
    expect('problem' in parsed ? parsed : findDocumentedBindings(parsed, BASE_URL).bindings).toEqual(bindings);
  });

  test.each([
    ['in its server', { servers: [{ url: 'https://b.example/other/api/v1' }] }],
    [
      'in a server with variables',
      { servers: [{ url: '{host}/api/v1', variables: { host: { default: 'https://b.example' } } }] },
    ],
    ['in a relative server', { servers: [{ url: '/api/v1' }] }],
    ['in basePath', { swagger: '2.0', openapi: undefined, basePath: '/api/v1' }],
    ['nowhere', {}],
  ])('may have the version of the path %s', (_, more) => {
    const document = openApi({ '/invoices': { get: {} }, '/invoices/{id}/approve': { post: {} } }, more);
    expect(bindingsOf(document).bindings.approve).toEqual({ method: 'POST', path: '/api/v1/invoices/{id}/approve' });
  });

  test('is read below the prefix of the base URL if it does not describe the list', () => {
    const document = openApi({
      '/gateway/x/invoices/{id}/approve': { post: {} },
      '/y/invoices/{id}/cancel': { post: {} },
    });
    expect(bindingsOf(document).bindings).toEqual({ approve: { method: 'POST', path: '/x/invoices/{id}/approve' } });
  });
});

describe('an action', () => {
  test.each([
    ['approve', '/api/v1/invoices/{no}/accept', {}],
    ['settle', '/api/v1/invoices/{no}/payments', {}],
    ['dispute', '/api/v1/invoices/{no}/reject', {}],
    ['cancel', '/api/v1/invoices/{no}:void', {}],
    ['submit', '/api/v1/invoices/{no}/actions/submit', {}],
    ['approve', '/api/v1/invoices/{no}/ok', { operationId: 'approveInvoice' }],
    ['resolve', '/api/v1/invoices/{no}/x', { operationId: 'InvoicesController_resolve' }],
  ] as const)('%s is found at %s', (name, path, more) => {
    expect(bindingsOf(post(path, more)).bindings[name]).toEqual({ method: 'POST', path: path.replace('{no}', '{id}') });
  });

  test.each([
    ['/api/v1/invoices/{id}/approve/reminder'],
    ['/api/v1/invoices/{id}/lines'],
    ['/api/v1/bookings/{id}/approve'],
    ['/api/v1/organizations/{organization}/invoices/{id}/approve'],
    ['/api/v2/invoices/{id}/approve'],
  ])('is not found at %s', (path) => {
    expect(bindingsOf(post(path)).bindings).toEqual({});
  });

  test('is found by its own name rather than by a synonym', () => {
    const document = invoice({
      '/api/v1/invoices/{id}/pay': { post: {} },
      '/api/v1/invoices/{id}/settle': { post: {} },
    });
    expect(bindingsOf(document).bindings.settle?.path).toBe('/api/v1/invoices/{id}/settle');
  });

  test('that several requests may be is left open', () => {
    const document = invoice({
      '/api/v1/invoices/{id}/pay': { post: {} },
      '/api/v1/invoices/{id}/payments': { post: {} },
    });
    const { bindings, undecided } = bindingsOf(document);
    expect(bindings.settle).toBeUndefined();
    expect(undecided.settle).toBe(
      'the OpenAPI document has several: POST /api/v1/invoices/{id}/pay, POST /api/v1/invoices/{id}/payments',
    );
    expect(undecided.approve).toBe('not in the OpenAPI document');
  });

  test('loses against one that is not deprecated', () => {
    const document = invoice({
      '/api/v1/invoices/{id}/pay': { post: {} },
      '/api/v1/invoices/{id}/settle': { post: { deprecated: true } },
    });
    expect(bindingsOf(document).bindings.settle?.path).toBe('/api/v1/invoices/{id}/pay');
  });

  test('may be a status in a PATCH that all actions share', () => {
    const states = { enum: ['DRAFT', 'SUBMITTED', 'APPROVED', 'DISPUTED', 'SETTLED', 'CANCELLED'] };
    const { bindings } = bindingsOf(
      invoice({ '/api/v1/invoices/{id}': { patch: body({ status: states }, ['status']) } }),
    );
    const patch = (status: string) => ({ method: 'PATCH', path: '/api/v1/invoices/{id}', body: { status } });
    expect(bindings).toEqual({
      submit: patch('SUBMITTED'),
      approve: patch('APPROVED'),
      dispute: patch('DISPUTED'),
      cancel: patch('CANCELLED'),
      settle: patch('SETTLED'),
    });
  });

  test('may be a word in a POST that all actions share, with a note', () => {
    const schema = body({ action: { enum: ['approve', 'resolve'] }, note: text }, ['action', 'note']);
    const { bindings } = bindingsOf(post('/api/v1/invoices/{id}/transitions', schema));
    const path = '/api/v1/invoices/{id}/transitions';
    expect(bindings).toEqual({
      approve: { method: 'POST', path, body: { action: 'approve', note: '{text}' } },
      resolve: { method: 'POST', path, body: { action: 'resolve', note: '{text}' } },
    });
  });

  test('may be a branch of oneOf', () => {
    const branch = (status: string) => ({ properties: { status: { const: status } }, required: ['status'] });
    const schema = { oneOf: [branch('APPROVED'), branch('CANCELLED')] };
    const { bindings } = bindingsOf(
      post('/api/v1/invoices/{id}/status', { requestBody: { content: { 'application/json': { schema } } } }),
    );
    expect([bindings.approve?.body, bindings.cancel?.body]).toEqual([{ status: 'APPROVED' }, { status: 'CANCELLED' }]);
  });

  test('may name the invoice in its body', () => {
    const schema = body({ invoiceId: { type: 'string', format: 'uuid' }, reason: text }, ['invoiceId']);
    expect(bindingsOf(post('/api/v1/disputes', schema)).bindings).toEqual({
      dispute: { method: 'POST', path: '/api/v1/disputes', body: { invoiceId: '{id}', reason: '{text}' } },
    });
  });

  test.each([
    ['a number', { amount: { type: 'number' } }, 'requires body.amount'],
    ['another id', { accountId: text }, 'requires body.accountId'],
    ['a pattern', { code: { ...text, pattern: '^X' } }, 'requires body.code'],
    ['an object', { payment: { type: 'object' } }, 'requires body.payment'],
  ])('that requires %s is left open', (_, properties, reason) => {
    const { bindings, undecided } = bindingsOf(
      post('/api/v1/invoices/{id}/settle', body(properties, Object.keys(properties))),
    );
    expect(bindings).toEqual({});
    expect(undecided.settle).toBe(`POST /api/v1/invoices/{id}/settle in the OpenAPI document ${reason}`);
  });

  test.each([
    ['amount', text, '{amount}'],
    ['requestId', text, '{requestId}'],
    ['reason', text, '{text}'],
    ['code', { enum: ['LATE', 'WRONG'] }, 'LATE'],
    ['code', { ...text, pattern: '^X', example: 'X1' }, 'X1'],
    ['final', { type: 'boolean', default: true }, true],
  ])('gets a value for the required member %s', (name, schema, value) => {
    const { bindings } = bindingsOf(post('/api/v1/invoices/{id}/settle', body({ [name]: schema }, [name])));
    expect(bindings.settle?.body).toEqual({ [name]: value });
  });

  test.each([
    ['query', 'mode', 'requires the query parameter mode'],
    ['header', 'If-Match', 'requires the header parameter If-Match'],
  ])('that requires a parameter in the %s is left open', (place, name, reason) => {
    const parameters = [{ in: place, name, required: true }];
    const { undecided } = bindingsOf(post('/api/v1/invoices/{id}/settle', { parameters }));
    expect(undecided.settle).toContain(reason);
  });

  test('may require the credentials of the contract', () => {
    const parameters = [{ in: 'header', name: 'X-API-Key', required: true }];
    expect(bindingsOf(post('/api/v1/invoices/{id}/settle', { parameters })).bindings.settle).toBeDefined();
  });
});

describe('the treasury', () => {
  test('may be read by a POST with a requestId', () => {
    const path = '/api/v1/treasury/balance';
    const { bindings } = bindingsOf(post(path, body({ requestId: text })));
    expect(bindings.treasuryBalance).toEqual({ method: 'POST', path, body: { requestId: '{requestId}' } });
  });

  test('is not bound to a withdrawal without an amount', () => {
    const { bindings, undecided } = bindingsOf(post('/api/v1/treasury/withdraw'));
    expect(bindings).toEqual({});
    expect(undecided.treasuryWithdraw).toMatch(/contains no \{amount\}/);
  });
});

describe('references', () => {
  test('inside of the document are followed', () => {
    const schema = { $ref: '#/components/schemas/Reason' };
    const document = {
      ...post('/api/v1/invoices/{id}/dispute', { requestBody: { $ref: '#/components/requestBodies/Dispute' } }),
      components: {
        requestBodies: { Dispute: { content: { 'application/problem+json; charset=utf-8': { schema } } } },
        schemas: {
          Reason: { allOf: [{ $ref: '#/components/schemas/a~1b%20c' }, { required: ['reason'] }] },
          'a/b c': { properties: { reason: text } },
        },
      },
    };
    expect(bindingsOf(document).bindings.dispute?.body).toEqual({ reason: '{text}' });
  });

  test('to other documents are not followed, and are reported', () => {
    const schema = { $ref: './schemas.yaml#/Reason' };
    const { bindings, undecided, foreignReferences } = bindingsOf(
      post('/api/v1/invoices/{id}/dispute', { requestBody: { content: { 'application/json': { schema } } } }),
    );
    expect(foreignReferences).toEqual(['./schemas.yaml#/Reason']);
    expect(bindings).toEqual({});
    expect(undecided.dispute).toContain('has a body with a reference that init does not follow');
  });
});
