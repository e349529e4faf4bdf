import { describe, expect, test } from 'vitest';
import { notListReason } from '../../../engine/diagnosis/list-response.ts';
import { invoice, unmasked } from '../support/responses.ts';

function answer(status: number, body: unknown = '', headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const json = typeof body === 'string' ? undefined : body;
  return { status, text, json, headers: Object.entries(headers), mask: unmasked };
}

const HTML = { 'content-type': 'text/html' };
const record = invoice({ id: '1' });

describe('something else than the service answers', () => {
  test.each([
    ['a 404', answer(404, { error: 'Not found' }), /^answers 404 /],
    ['a 405', answer(405), /^answers 405 /],
    ['a web page', answer(200, '<!doctype html><p>Welcome', HTML), /^answers 200 with a web page/],
    ['a login', answer(302, '', { location: 'https://login.example.com/' }), /^redirects to https:\/\/login/],
    ['a health page in JSON', answer(200, { status: 'ok' }), /^answers 200 with JSON that is no list of invoices/],
    ['another JSON service', answer(200, { data: [{ id: 1, name: 'Rex' }] }), /^answers 200 with JSON that is no list/],
  ])('where the list gets %s', (_, received, why) => {
    expect(notListReason(received)).toMatch(why);
  });
});

describe('the service itself may answer', () => {
  test.each([
    ['a list', answer(200, { items: [record], total: 1, totalPages: 1, page: 0, limit: 20 })],
    ['an empty list', answer(200, { items: [], total: 0, totalPages: 0, page: 0, limit: 20 })],
    ['a list under another name', answer(200, { data: [record] })],
    ['a bare array', answer(200, [record])],
    ['an empty bare array', answer(200, [])],
    ['an envelope without items', answer(200, { total: 0, totalPages: 0, page: 0, limit: 20 })],
    ['records with their fields apart', answer(200, { data: [{ id: '1', attributes: { ...record } }] })],
    ['JSON that is broken', answer(200, '{"items":[')],
    ['a refusal', answer(403, { error: 'no', code: 'AUTHZ' })],
    ['a 500 with a page', answer(500, '<html>', HTML)],
    ['a 503', answer(503)],
    ['a bad request', answer(400, { error: 'x', message: 'y', code: 'Z' })],
  ])('with %s', (_, received) => {
    expect(notListReason(received)).toBeNull();
  });
});
