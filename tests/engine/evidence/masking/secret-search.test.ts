import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SecretSearch } from '../../../../engine/evidence/masking/secret-search.ts';
import { decodings, encoded } from './encodings.ts';

const SECRET = 'svc_"Se/cr&et"+%41\\<1>~';

function masked(secret: string, text: string): string {
  const search = new SecretSearch();
  search.add(secret, 'it');
  return search.mask(text);
}

/** Printable ASCII of the length of a credential. */
const secrets = fc
  .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 })
  .filter((secret) => secret.trim() === secret && new Set(secret).size > 4);
const around = fc.oneof(fc.string({ maxLength: 30 }), fc.constantFrom('', '{"a":"', '\\', '&', '%', '…', 'abc+/'));

test.each([1, 2])('no secret remains in a text after %i decodings', (layers) => {
  const cases = secrets.chain((secret) => {
    let text = encoded(secret);
    for (let layer = 1; layer < layers; layer += 1) text = text.chain(encoded);
    return fc.tuple(fc.constant(secret), around, text, around);
  });
  fc.assert(
    fc.property(cases, ([secret, before, inside, after]) => {
      const text = masked(secret, `${before}${inside}${after}`);
      // The text before the secret may look like the beginning of an escape.
      if (!/[\\&%].{0,5}$/s.test(before)) expect(text).toContain('<it>');
      const read = [text, ...decodings(text)];
      const readAgain = read.flatMap(decodings);
      for (const shown of [...read, ...readAgain]) expect(shown.includes(secret)).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test('a text without a secret is not changed, with any escapes and codes', () => {
  const texts = fc.string({ maxLength: 40 }).chain((text) => fc.oneof(fc.constant(text), encoded(text)));
  fc.assert(
    fc.property(
      fc.array(texts).map((all) => all.join('')),
      (text) => {
        expect(masked('a-secret-that-nobody-sends', text)).toBe(text);
      },
    ),
    { numRuns: 300 },
  );
});

describe('a secret is found', () => {
  const each = (write: (character: string) => string) => [...SECRET].map(write).join('');
  const hexOf = (character: string) => character.charCodeAt(0).toString(16);
  const json = each((character) => `\\u00${hexOf(character)}`);
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  test.each([
    ['as JSON escapes', json],
    ['as JSON escapes in nested JSON', JSON.stringify(JSON.stringify(json))],
    ['as JavaScript escapes', each((character) => `\\x${hexOf(character)}`)],
    ['as JavaScript escapes with braces', each((character) => `\\u{${hexOf(character)}}`)],
    ['as octal escapes', each((character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)],
    ['as JSON of PHP', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
    [
      'as numeric entities without semicolons',
      each((character) => `&#${character.charCodeAt(0)}`).replaceAll('&', ' &'),
    ],
    ['as named entities without semicolons', SECRET.replace('&', '&amp').replaceAll('"', '&quot').replace('<', '&LT')],
    ['in a form', new URLSearchParams({ '': SECRET }).toString().slice(1)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(SECRET))],
    ['percent-encoded as %uXXXX', each((character) => `%u00${hexOf(character)}`)],
    ['in Base64 in Base64', base64(`x${base64(`xx${SECRET}`)}`)],
    ['as JSON escapes in Base64 with escaped slashes', base64(`??${json}??`).replaceAll('/', '\\/')],
    ['as hexadecimal digits in Base64', base64(Buffer.from(SECRET).toString('hex'))],
  ])('%s', (name, text) => {
    // With spaces between its characters, a text is no secret.
    const spelled = name === 'as numeric entities without semicolons' ? text.replaceAll(' ', '') : text;
    expect(masked(SECRET, `before ${spelled} behind`)).toMatch(/^before .{0,8}<it>.{0,8} behind$/);
  });

  test('with surrogates', () => {
    expect(masked('secret-🔑-of-it', 'a \\u0073ecret-\\uD83D\\uDD11-of-it, secret-&#x1f511;-of-it')).toBe(
      'a <it>, <it>',
    );
  });

  test('in UTF-8, as percent signs and in Base64', () => {
    const umlauts = 'schlüssel-für-es';
    expect(masked(umlauts, `${encodeURIComponent(umlauts)} ${base64(umlauts)}`)).toBe('<it> <it>');
  });

  test('as the digits of escapes that are escaped themselves', () => {
    expect(masked('topsecret', '%5Cu%30073ecret topsecre\\u%30%3074 &#3%37;ecret')).toBe(
      '%5Cu%30073ecret <it> &#3%37;ecret',
    );
  });
});
