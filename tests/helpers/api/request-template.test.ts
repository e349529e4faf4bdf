import { describe, expect, test } from 'vitest';
import { fillTemplate, nonexistentPath } from '../../../helpers/api/requests.ts';
import type { OperationTemplate } from '../../../specs/target-file/target.ts';

const PATH = '/api/v1/invoices/{id}/submit';

function template(body?: OperationTemplate['body'], path = PATH): OperationTemplate {
  return { method: 'POST', path, ...(body !== undefined && { body }) };
}

describe('a path', () => {
  test('replaces characters of an id that UTF-8 cannot encode', () => {
    expect(fillTemplate(template(), { id: 'a\ud800' }).path).toBe('/api/v1/invoices/a%EF%BF%BD/submit');
  });

  test('contains the encoded id', () => {
    expect(fillTemplate(template(), { id: 'inv-1' }).path).toBe('/api/v1/invoices/inv-1/submit');
    expect(fillTemplate(template(), { id: 'a/b?c d' }).path).toBe('/api/v1/invoices/a%2Fb%3Fc%20d/submit');
  });

  test('may contain it more than once, and other values in a query', () => {
    const { path } = fillTemplate(template(undefined, '/x/{id}/{id}?note={text}'), { id: '1', text: 'a&b' });
    expect(path).toBe('/x/1/1?note=a%26b');
  });

  test('keeps braces that are no placeholders', () => {
    expect(fillTemplate(template(undefined, '/x/{id}/{other}'), { id: '1' }).path).toBe('/x/1/{other}');
  });
});

describe('a query parameter for the requestId', () => {
  const path = (text: string, requestId?: string) =>
    fillTemplate(template(undefined, text), { id: '1', ...(requestId !== undefined && { requestId }) }).path;

  test('is omitted without a requestId, and nothing else is', () => {
    expect(path('/x/{id}?key={requestId}')).toBe('/x/1');
    expect(path('/x/{id}?key={requestId}&a=1&b={id}')).toBe('/x/1?a=1&b=1');
    expect(path('/x/{id}?a=1&b=2&key={requestId}')).toBe('/x/1?a=1&b=2');
    expect(path('/x/{id}?a=1')).toBe('/x/1?a=1');
  });

  test('stays in its place with a requestId', () => {
    expect(path('/x/{id}?key={requestId}&a=1', 'r-1')).toBe('/x/1?key=r-1&a=1');
  });
});

test('a missing value is replaced by nothing', () => {
  const { path, body } = fillTemplate(template({ reason: 'for {text}' }, '/x/{id}/{amount}'), {});
  expect([path, body]).toEqual(['/x//', { reason: 'for ' }]);
});

describe('a body', () => {
  test('is filled in at every depth, and other values than texts are kept', () => {
    const body = { a: '{text}', b: ['{id}', { c: 'for {amount} ({id})' }], n: 1, no: null, yes: true };
    expect(fillTemplate(template(body), { id: '7', text: 'words', amount: '1.00' }).body).toEqual({
      a: 'words',
      b: ['7', { c: 'for 1.00 (7)' }],
      n: 1,
      no: null,
      yes: true,
    });
  });

  test('is omitted if the template has none', () => {
    expect(fillTemplate(template(), { id: '1' }).body).toBeUndefined();
  });

  test('keeps characters with a meaning in replacement texts', () => {
    expect(fillTemplate(template({ a: '{text}' }), { text: '$& $1 $$' }).body).toEqual({ a: '$& $1 $$' });
  });

  test('does not fill in inserted texts', () => {
    expect(fillTemplate(template({ a: '{text}' }), { text: '{id}', id: '1' }).body).toEqual({ a: '{id}' });
  });
});

describe('a requestId', () => {
  const asked = { requestId: '{requestId}', reason: '{text}' };

  test('is in the place that the template gives', () => {
    expect(fillTemplate(template(asked), { requestId: 'r-1', text: 't' }).body).toEqual({
      requestId: 'r-1',
      reason: 't',
    });
    expect(fillTemplate(template({ meta: { key: '{requestId}' } }), { requestId: 'r-1' }).body).toEqual({
      meta: { key: 'r-1' },
    });
  });

  test('is omitted with its field if there is none', () => {
    expect(fillTemplate(template(asked), { text: 't' }).body).toEqual({ reason: 't' });
    expect(fillTemplate(template({ requestId: '{requestId}' }), {}).body).toEqual({});
    expect(fillTemplate(template({ ids: ['{requestId}', 'x'] }), {}).body).toEqual({ ids: ['x'] });
  });

  test('becomes a field of the body if no template mentions it', () => {
    expect(fillTemplate(template(), { id: '1', requestId: 'r-1' }).body).toEqual({ requestId: 'r-1' });
    expect(fillTemplate(template({ a: 1 }), { requestId: 'r-1' }).body).toEqual({ a: 1, requestId: 'r-1' });
  });

  test('is not added a second time if the path contains it', () => {
    const { path, body } = fillTemplate(template({ a: 1 }, '/x/{id}?key={requestId}'), { id: '1', requestId: 'r-1' });
    expect([path, body]).toEqual(['/x/1?key=r-1', { a: 1 }]);
  });
});

describe('a path that no service has', () => {
  test.each([
    ['/api/v1/invoices/{id}/submit', '/api/v1/invoices/{id}/submit-does-not-exist'],
    ['/api/v1/invoices/{id}', '/api/v1/invoices-does-not-exist/{id}'],
    ['/invoices/{id}:submit', '/invoices/{id}:submit-does-not-exist'],
    ['/a/b-c/{id}/d_e?x={requestId}', '/a/b-c/{id}/d_e-does-not-exist'],
    ['/{id}', null],
  ])('next to %s is %s', (path, beside) => {
    expect(nonexistentPath(path)).toBe(beside);
  });
});
