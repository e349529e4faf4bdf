import { describe, expect, test } from 'vitest';
import { demandsCertificate, intermediaryHint, serverMarksOf } from '../../../engine/diagnosis/intermediary.ts';
import { unmasked } from '../support/responses.ts';

function response(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  return {
    status,
    text,
    json: typeof body === 'string' ? undefined : body,
    headers: Object.entries({ 'content-type': type, ...headers }),
    mask: unmasked,
  };
}

const PAGE = '<html><body>403 Forbidden</body></html>';
const NGINX = new Set(['server nginx']);
const NONE = new Set<string>();

describe('a response looks like that of an intermediary', () => {
  test.each([
    ['a 403 of another server', response(403, PAGE, { server: 'cloudflare' }), NGINX, 'server: cloudflare'],
    [
      'a 404 of another server',
      response(404, { message: 'no Route' }, { server: 'kong/3.4' }),
      NGINX,
      'server: kong/3.4',
    ],
    ['a web page with 200', response(200, PAGE, { server: 'portal' }), NGINX, 'server: portal'],
    ['a response without the server header of the service', response(403, PAGE), NGINX, 'server: not given'],
    [
      'a response with a server header that the service does not send',
      response(404, PAGE, { server: 'x' }),
      NONE,
      'server: x',
    ],
    [
      'a response with another Via header',
      response(403, PAGE, { via: '1.1 edge (squid/5)' }),
      NGINX,
      'server: not given, via: 1.1 edge (squid/5)',
    ],
    ['a web page before the first response of the service', response(403, PAGE), null, 'server: not given'],
    ['a 404 before the first response of the service', response(404, PAGE, { server: 'nginx' }), null, 'server: nginx'],
  ])('%s', (_, received, marks, whose) => {
    expect(intermediaryHint(received, marks)).toBe(
      `an intermediary seems to have responded, not the service (${whose})`,
    );
  });
});

describe('a response may be that of the service', () => {
  test.each([
    ['with the error body of the contract', response(403, { error: 'no' }, { server: 'other' }), NGINX],
    ['with a code', response(404, { code: 'INV001' }, { server: 'other' }), NGINX],
    ['with the server of the service in another version', response(404, PAGE, { server: 'nginx/1.27.0' }), NGINX],
    ['without a server header, like the service', response(404, PAGE), NONE],
    ['with another status', response(500, { message: 'x' }, { server: 'other' }), NGINX],
    ['with a list', response(200, { items: [] }, { server: 'other' }), NGINX],
    ['with a 404 before the first response of the service', response(404, PAGE), null],
  ])('%s', (_, received, marks) => {
    expect(intermediaryHint(received, marks)).toBeNull();
  });
});

test('the marks of an intermediary are the names of its servers', () => {
  const headers = [
    ['server', 'Nginx/1.25 (Ubuntu)'],
    ['via', '1.1 edge-7.example, HTTP/2 varnish (Varnish/7)'],
  ] as const;
  expect(serverMarksOf({ headers })).toEqual(['server nginx', 'via edge-7.example', 'via varnish']);
});

test('a missing client certificate is recognised by the text of the response', () => {
  expect(demandsCertificate(response(400, '<h1>400</h1>No required SSL certificate was sent'))).toBe(true);
  expect(demandsCertificate(response(400, '<h1>400</h1>The plain HTTP request was sent to HTTPS port'))).toBe(false);
  expect(demandsCertificate(response(400, { error: 'description: SSL certificate' }))).toBe(false);
});
