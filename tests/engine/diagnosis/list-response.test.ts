import { describe, expect, test } from 'vitest';
import { notListReason } from '../../../engine/diagnosis/list-response.ts';
import { invoice, unmasked } from '../support/responses.ts';

function response(status: number, body: unknown = '', headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const json = typeof body === 'string' ? undefined : body;
  return { status, text, json, headers: Object.entries(headers), mask: unmasked };
}

const HTML = { 'content-type': 'text/html' };
const record = invoice({ id: '1' });

describe('another service responds', () => {
  test.each([
    ['a 404', response(404, { error: 'Not found' }), /^returns 404 /],
    ['a 405', response(405), /^returns 405 /],
    ['a web page', response(200, '<!doctype html><p>Welcome', HTML), /^returns 200 with a web page/],
    ['a login', response(302, '', { location: 'https://login.example.com/' }), /^redirects to https:\/\/login/],
    ['a health page in JSON', response(200, { status: 'ok' }), /^returns 200 with JSON that is not a list of invoices/],
    [
      'another JSON service',
      response(200, { data: [{ id: 1, name: 'Rex' }] }),
      /^returns 200 with JSON that is not a list/,
    ],
  ])('if the list returns %s', (_, received, why) => {
    expect(notListReason(received)).toMatch(why);
  });
});

describe('the service itself may have responded', () => {
  test.each([
    ['a list', response(200, { items: [record], total: 1, totalPages: 1, page: 0, limit: 20 })],
    ['an empty list', response(200, { items: [], total: 0, totalPages: 0, page: 0, limit: 20 })],
    ['a list under another name', response(200, { data: [record] })],
    ['a bare array', response(200, [record])],
    ['an empty bare array', response(200, [])],
    ['an envelope without items', response(200, { total: 0, totalPages: 0, page: 0, limit: 20 })],
    [
      'records with a separate object for the fields',
      response(200, { data: [{ id: '1', attributes: { ...record } }] }),
    ],
    ['malformed JSON', response(200, '{"items":[')],
    ['a rejection', response(403, { error: 'no', code: 'AUTHZ' })],
    ['a 500 with a page', response(500, '<html>', HTML)],
    ['a 503', response(503)],
    ['a bad request', response(400, { error: 'x', message: 'y', code: 'Z' })],
  ])('if it returns %s', (_, received) => {
    expect(notListReason(received)).toBeNull();
  });
});
