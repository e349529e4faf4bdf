import { expect, test } from 'vitest';
import { causeRevealingHeaders } from '../../../helpers/authentication/cause-revealing-headers.ts';

const found = (...responses: Record<string, string>[]) =>
  Object.fromEntries(causeRevealingHeaders(responses.map((headers) => ({ headers: Object.entries(headers) }))));

test('a header that is named after an error carries a cause', () => {
  expect(found({ 'x-error-code': 'MISSING_KEY', 'content-type': 'application/json' })).toEqual({
    'x-error-code': 'MISSING_KEY',
  });
});

test('of a challenge, only the error carries a cause', () => {
  const challenge = 'Bearer realm="api", nonce=7, error="invalid_token", error_description="expired"';
  expect(found({ 'www-authenticate': challenge })).toEqual({
    'www-authenticate error': '"invalid_token"',
    'www-authenticate error_description': '"expired"',
  });
  expect(found({ 'www-authenticate': 'ApiKey realm="terror=no"' })).toEqual({});
});

test('a value that differs between equal requests is no cause', () => {
  expect(found({ 'x-error-code': '7f3a' }, { 'x-error-code': '90bc' })).toEqual({});
});
