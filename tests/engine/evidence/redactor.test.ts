import { describe, expect, test } from 'vitest';
import { Redactor } from '../../../engine/evidence/redactor.ts';
import { addTargetSecrets } from '../../../engine/target/target-secrets.ts';
import { buyer, seller, targetAt } from '../support/targets.ts';

const SECRET = 'p&ss "word"/+ü';

function redactorOf(...pairs: [string, string][]): Redactor {
  const redactor = new Redactor();
  for (const [value, label] of pairs) redactor.addSecret(value, label);
  return redactor;
}

/** The recorded value of a header. */
function valueIn(redactor: Redactor, name: string, value: string): string | undefined {
  return redactor.maskHeaders([[name, value]])[0]?.[1];
}

describe('a text', () => {
  test('shows a label in place of every secret', () => {
    const redactor = redactorOf(['topsecret', 'seller.secret']);
    expect(redactor.mask('a topsecret, topsecret!')).toBe('a <seller.secret>, <seller.secret>!');
    expect(redactor.mask('nothing to hide')).toBe('nothing to hide');
  });

  test.each([
    ['itself', SECRET],
    ['URL-encoded', encodeURIComponent(SECRET)],
    ['in the query of a form', new URLSearchParams({ v: SECRET }).toString().slice(2)],
    ['inside JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in Base64', Buffer.from(SECRET).toString('base64')],
    ['in Base64 without padding', Buffer.from(SECRET).toString('base64').replace(/=+$/, '')],
    ['in Base64 for URLs', Buffer.from(SECRET).toString('base64url')],
    ['in hexadecimal', Buffer.from(SECRET).toString('hex')],
  ])('hides a secret %s', (_, form) => {
    expect(redactorOf([SECRET, 'seller.secret']).mask(`<${form}>`)).toBe('<<seller.secret>>');
  });

  test.each([
    ['in upper case', SECRET.toUpperCase()],
    ['in lower case', SECRET.toLowerCase()],
  ])('hides a secret %s, and says that it was another value', (_, form) => {
    expect(redactorOf([SECRET, 'seller.secret']).mask(`<${form}>`)).toMatch(/^<<seller.secret( in another case)?>>$/);
  });

  test('tells a key that was sent in Base64 from the key itself', () => {
    const key = 'svc_sand_0123456789';
    const encoded = Buffer.from(key).toString('base64');
    const redactor = redactorOf([key, 'seller.key'], [encoded, 'seller with the key in Base64: X-API-Key']);
    expect(valueIn(redactor, 'X-API-Key', encoded)).toBe('<seller with the key in Base64: X-API-Key>');
    expect(valueIn(redactor, 'X-API-Key', key)).toBe('<seller.key>');
  });

  test.each([0, 1, 2, 3, 4])('hides a secret in Base64 that begins %i characters earlier', (before) => {
    const encoded = Buffer.from(`${'x'.repeat(before)}${SECRET}yz`).toString('base64');
    const masked = redactorOf([SECRET, 'seller.secret']).mask(encoded);
    expect(masked).toContain('<seller.secret>');
    expect(masked.replace('<seller.secret>', '').length).toBeLessThan(before * 2 + 8);
  });

  test('hides a secret that begins inside another one and ends after it', () => {
    const redactor = redactorOf(['secret-one-two', 'first'], ['two-three-four', 'second']);
    expect(redactor.mask('secret-one-two-three-four!')).toBe('<first>!');
  });

  test('hides the longest secret first: no part of one that contains another remains', () => {
    const redactor = redactorOf(['secret-1', 'short'], ['secret-1-and-more', 'long']);
    expect(redactor.mask('secret-1-and-more secret-1')).toBe('<long> <short>');
  });

  test('keeps values that are too short to be secrets', () => {
    expect(redactorOf(['abc', 'seller.secret']).mask('abcdef')).toBe('abcdef');
  });

  test('keeps the first label of a value', () => {
    expect(redactorOf(['shared-value', 'seller.secret'], ['shared-value', 'buyer.secret']).mask('shared-value')).toBe(
      '<seller.secret>',
    );
  });
});

describe('a header', () => {
  const redactor = redactorOf(['topsecret', 'seller.secret']);

  test.each(['X-API-Key', 'x-api-secret', 'AUTHORIZATION', 'Cookie', 'Set-Cookie'])(
    '%s hides an unknown value',
    (name) => {
      expect(valueIn(redactor, name, 'whatever')).toBe('<masked: 8 characters>');
    },
  );

  test('of credentials shows which secret it contained', () => {
    expect(valueIn(redactor, 'X-API-Secret', 'topsecret')).toBe('<seller.secret>');
  });

  test('of credentials hides short values and the text around a secret', () => {
    expect(valueIn(redactor, 'X-API-Secret', 'abc')).toBe('<masked: 3 characters>');
    expect(valueIn(redactor, 'Authorization', 'Bearer topsecret')).toBe('<masked: 16 characters>');
  });

  test('that is empty stays empty, because it was sent so', () => {
    expect(valueIn(redactor, 'X-API-Key', '')).toBe('');
  });

  test('is masked in its name, too', () => {
    expect(redactor.maskHeaders([['x-topsecret', 'a']])).toEqual([['x-<seller.secret>', 'a']]);
  });

  test('of another name is masked like any text', () => {
    expect(valueIn(redactor, 'Location', '/x?key=topsecret')).toBe('/x?key=<seller.secret>');
    expect(valueIn(redactor, 'Content-Type', 'application/json')).toBe('application/json');
  });
});

describe('the beginning of a text', () => {
  const redactor = redactorOf(['topsecret', 'a']);

  test.each([
    ['a long text', 10, `${'x'.repeat(60)}topsecret`],
    ['secrets that are longer than their placeholders', 20, 'topsecret'.repeat(50)],
    ['a secret that the cut would split', 12, `0123456789topsecret${'y'.repeat(200)}`],
    ['a secret at the end of the masked part', 5, `${'z'.repeat(40)}topsecret${'y'.repeat(200)}`],
    ['a text shorter than the requested length', 500, 'it is topsecret'],
  ])('is the beginning of the masked text: %s', (_, length, text) => {
    expect(redactor.maskStart(text, length)).toBe(redactor.mask(text).slice(0, length));
  });
});

describe('a JSON value', () => {
  const redactor = redactorOf(['topsecret', 'seller.secret']);

  test('is masked at every depth, including member names', () => {
    const value = { a: ['topsecret', { topsecret: { b: 'x topsecret' } }], n: 1, no: null, yes: true };
    expect(redactor.maskDeep(value)).toEqual({
      a: ['<seller.secret>', { '<seller.secret>': { b: 'x <seller.secret>' } }],
      n: 1,
      no: null,
      yes: true,
    });
  });

  test('is copied, so the object of the caller is not changed', () => {
    const value = { a: 'topsecret' };
    redactor.maskDeep(value);
    expect(value).toEqual({ a: 'topsecret' });
  });
});

test('every key and secret of a target is masked with the name of its actor', () => {
  const redactor = new Redactor();
  addTargetSecrets(targetAt('http://127.0.0.1:1', { actors: { seller, buyer } }), redactor);
  expect(redactor.mask([seller.key, seller.secret, buyer.key, buyer.secret].join(' '))).toBe(
    '<seller.key> <seller.secret> <buyer.key> <buyer.secret>',
  );
});

test('a text seen before a secret was known is masked after it is known', () => {
  const redactor = new Redactor();
  expect(redactor.mask('told-later')).toBe('told-later');
  expect(valueIn(redactor, 'x-trace', 'told-later')).toBe('told-later');
  redactor.addSecret('told-later', 'seller.secret');
  expect(redactor.mask('told-later')).toBe('<seller.secret>');
  expect(valueIn(redactor, 'x-trace', 'told-later')).toBe('<seller.secret>');
});
