import { expect, test } from 'vitest';
import { errorBodyRules } from '../../../suites/every-exchange/error-bodies.ts';
import { received } from '../../engine/support/responses.ts';
import { type Cases, ruled, tryEach } from './rule-cases.ts';

const JSON_TYPE = 'application/json';
const typed = (type: string | null, text = '{}', status = 200) =>
  received({ status, text, headers: type === null ? [] : [['content-type', type]] });
const error = (status: number, json: unknown) => received({ status, json });
const full = { error: 'Conflict', code: 'INV003', message: 'It is settled.' };

const MISMATCH = { ...full, code: 'GW_ENVIRONMENT_KEY_MISMATCH' };

const gateways: Cases['silent'] = Object.fromEntries(
  [502, 503, 504].map((status) => [`a gateway’s ${status}`, received({ status, text: '<html>', headers: [] })]),
);

function text(name: 'error' | 'code' | 'message', status: number, other: number): Cases {
  const { [name]: _, ...rest } = full;
  return {
    keeps: { 'a text': error(status, full) },
    breaks: {
      nothing: error(status, rest),
      'an empty text': error(status, { ...full, [name]: '' }),
      'a number': error(status, { ...full, [name]: 409 }),
      'an object': error(status, { ...full, [name]: {} }),
      'a body that is not JSON': received({ status, text: 'no' }),
      'an empty body': received({ status }),
    },
    silent: { ...gateways, success: received({ json: {} }), [`a ${other}`]: error(other, rest) },
  };
}

function code(name: string, statuses: number[], wrong: number): Cases {
  return {
    keeps: Object.fromEntries(statuses.map((status) => [`status ${status}`, error(status, { ...full, code: name })])),
    breaks: {
      [`status ${wrong}`]: error(wrong, { ...full, code: name }),
      'an error body with status 200': received({ json: { ...full, code: name } }),
    },
    silent: {
      'another code': error(wrong, { ...full, code: 'OTHER' }),
      'no code': error(wrong, {}),
      'a record with a code of its own': received({ json: { id: 'inv-1', code: name } }),
    },
  };
}

tryEach(errorBodyRules, {
  'ERR-01.content-type': {
    keeps: {
      JSON: typed(JSON_TYPE),
      'JSON with a charset': typed(`${JSON_TYPE}; charset=utf-8`),
      'JSON with capital letters': typed('Application/JSON'),
      'an error that is JSON': typed(JSON_TYPE, '{}', 404),
    },
    breaks: {
      HTML: typed('text/html', '<p>', 404),
      'no content type': typed(null),
      'JSON declared as text': typed('text/plain'),
      'problem details': typed('application/problem+json', '{}', 400),
      'a type with the same beginning': typed('application/jsonp'),
    },
    silent: { ...gateways, 'an empty body': received({ status: 204, headers: [] }) },
  },
  'ERR-01.parses': {
    keeps: { JSON: received({ json: { a: 1 } }), 'the JSON null': received({ json: null }) },
    breaks: {
      HTML: received({ text: '<p>' }),
      'half an object': received({ text: '{"a":' }),
      'blanks only': received({ text: ' ' }),
    },
    silent: { ...gateways, 'an empty body': received({ status: 204 }) },
  },
  'ERR-02.error': text('error', 409, 401),
  'ERR-03.code': text('code', 409, 401),
  'ERR-04.message': {
    keeps: {
      'a text': error(400, full),
      'a list of findings': error(400, { ...full, message: ['amount is required'] }),
      'findings by field': error(400, { ...full, message: { amount: ['is required'] } }),
    },
    breaks: {
      'no message': error(400, { error: 'e', code: 'C' }),
      'an empty text': error(400, { ...full, message: '' }),
      'an empty list': error(400, { ...full, message: [] }),
      null: error(400, { ...full, message: null }),
      'a number': error(400, { ...full, message: 7 }),
    },
    silent: { ...gateways, 'a 409': error(409, {}) },
  },
  'ERR-09.text': {
    keeps: { 'a text': error(400, full) },
    breaks: { 'a list of findings': error(400, { ...full, message: ['amount is required'] }) },
    silent: { ...gateways, 'a 409': error(409, {}), 'no message': error(400, {}) },
  },
  'ERR-05.no-internal-error': {
    keeps: { success: received({ json: {} }), 'a rejection': error(409, full), 'a gateway’s 503': error(503, {}) },
    breaks: { 'a 500': error(500, full), 'an empty 500': received({ status: 500 }) },
    silent: {},
  },
  'ERR-07.no-internals': {
    keeps: {
      'an ordinary message': error(400, { ...full, message: 'Please select an amount from 0.01 to 99.99 at least' }),
      'an empty body': received({ status: 404 }),
    },
    breaks: {
      'a stack trace of JavaScript': error(500, { error: 'Error: x\n    at handle (/srv/app/index.js:10:5)' }),
      'a stack trace of Java': error(400, { error: 'at com.example.Invoices.create(Invoices.java:42)' }),
      'a stack trace of Python': received({ status: 400, text: 'Traceback (most recent call last):\n  File "x.py"' }),
      'an SQL query': error(400, { error: "SELECT id FROM invoices WHERE id = 'x'" }),
      'an SQL state': error(409, { error: 'SQLSTATE 23505' }),
      'a file path of the server': error(404, { error: '/srv/node_modules/pg/lib/client.js' }),
      'a goroutine': error(400, { error: 'goroutine 12 [running]' }),
    },
    silent: { ...gateways, success: received({ json: { description: 'SELECT a FROM b' } }) },
  },
  'ERR-06.inv001': code('INV001', [404], 400),
  'ERR-06.inv002': code('INV002', [400], 422),
  'ERR-06.inv003': code('INV003', [409], 412),
  'ERR-06.inv004': code('INV004', [412, 409], 400),
  'ERR-06.conn003': code('CONN003', [404], 409),
  'ERR-06.conn010': code('CONN010', [412], 409),
  'ERR-06.treas007': code('TREAS007', [412], 409),
  'ERR-06.gw-unknown-environment': code('GW_UNKNOWN_ENVIRONMENT', [400], 404),
  'ERR-06.gw-environment-key-mismatch': code('GW_ENVIRONMENT_KEY_MISMATCH', [403], 401),
  'ERR-06.gw-environment-unavailable': code('GW_ENVIRONMENT_UNAVAILABLE', [503], 500),
  'ERR-10.environment-codes': {
    keeps: {
      'a request with X-Environment': received({
        status: 403,
        json: MISMATCH,
        asked: [['x-environment', 'PRODUCTION']],
      }),
    },
    breaks: {
      'an environment mismatch without X-Environment': error(403, MISMATCH),
      'an unknown environment without X-Environment': error(400, { ...full, code: 'GW_UNKNOWN_ENVIRONMENT' }),
    },
    silent: {
      'an unavailable environment': error(503, { ...full, code: 'GW_ENVIRONMENT_UNAVAILABLE' }),
      'another code': error(403, full),
    },
  },
  'ERR-10.inv003': {
    keeps: { 'another conflict code': received({ operation: 'approve', status: 409, json: { code: 'FLOW001' } }) },
    breaks: { 'a conflict with INV003': received({ operation: 'approve', status: 409, json: full }) },
    silent: {
      'a creation': received({ operation: 'create', status: 409, json: full }),
      'a submission, which may assign the number': received({ operation: 'submit', status: 409, json: full }),
      'another status': received({ operation: 'approve', status: 412, json: full }),
    },
  },
});

test.each([
  ['the length of the cut body', [['content-length', '19']], true],
  ['no length', [], false],
  [
    'a compressed body',
    [
      ['content-length', '19'],
      ['content-encoding', 'gzip'],
    ],
    false,
  ],
] as const)('ERR-01.parses names Content-Length for %s', (_, headers, isNamed) => {
  const rule = errorBodyRules.find(({ id }) => id === 'ERR-01.parses');
  const ruling = rule && ruled(rule, received({ text: '{"error":"Größe fe', headers: [...headers] }));
  const { reason = '' } = typeof ruling === 'object' && ruling !== null ? ruling : {};
  expect(reason).toContain('is not well-formed JSON');
  expect(
    reason.endsWith(
      'after the 19 bytes of Content-Length, before the JSON does; Content-Length counts bytes, not characters',
    ),
  ).toBe(isNamed);
});
