import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseUrl } from '../../../engine/transport/parse-url.ts';

const parsed = (url: string) => {
  const { origin, pathname, search } = new URL(url);
  return { origin, pathname, search };
};

const pieces = [
  'a',
  'B9',
  '_',
  '-',
  '/',
  '//',
  '.',
  '..',
  '%2e',
  '%20',
  ' ',
  'é',
  '?',
  '#',
  '&',
  '=',
  '+',
  ':',
  '@',
  '\\',
  "'",
  '"',
  '~',
  '\t',
];
const rest = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(''));
const beginnings = [
  'http://127.0.0.1:8080',
  'https://API.example.com',
  'http://example.com:80',
  'https://example.com:0443',
  'http://0x7f.1',
  'http://[::1]:99',
  'http://user:word@example.com',
  'http:///example.com',
  'HTTP://example.com',
  'http://example.com?x',
  'http://example.com#x',
  'http://example.com\\x',
];

describe('the address of a request', () => {
  test.each(beginnings)('behind %s is what the library takes it for', (beginning) => {
    expect(parseUrl(beginning)).toEqual(parsed(beginning));
    fc.assert(
      fc.property(rest, (behind) => {
        const url = `${beginning}/${behind}`;
        expect(parseUrl(url)).toEqual(parsed(url));
        expect(parseUrl(`${beginning}${behind.startsWith('?') ? behind : ''}`)).toEqual(
          parsed(`${beginning}${behind.startsWith('?') ? behind : ''}`),
        );
      }),
      { numRuns: 500 },
    );
  });

  test.each(['', '/invoices', 'http://', 'http://a b/'])('is refused where there is none: %j', (url) => {
    expect(() => parseUrl(url)).toThrow(/Invalid URL/);
  });
});
