import type { CheckContext } from '../context/check.ts';
import {
  type Credentials,
  type CredentialVariant,
  invalidVariant,
  type KeyPair,
  keyPairOf,
  NEVER_ISSUED_KEY,
  NEVER_ISSUED_SECRET,
} from './invalid-credentials.ts';

type Part = keyof KeyPair;

/** A form of a value that a layer in front of the comparison may turn back into the value. */
interface Disguise {
  what: string;
  of: (value: string, part: Part) => string;
}

const NEVER_ISSUED: Readonly<Record<Part, string>> = { key: NEVER_ISSUED_KEY, secret: NEVER_ISSUED_SECRET };

/** A header carries bytes, and the transport sends each character as one byte. */
const inUtf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** The letters and digits of ASCII have full-width forms at this distance. */
const FULL_WIDTH_OFFSET = 0xfee0;

const fullWidth = (character: string): string =>
  inUtf8(String.fromCharCode(character.charCodeAt(0) + FULL_WIDTH_OFFSET));

const ACCENTED: Readonly<Record<string, string>> = {
  a: '\u00e1',
  e: '\u00e9',
  i: '\u00ed',
  o: '\u00f3',
  u: '\u00fa',
  A: '\u00c1',
  E: '\u00c9',
  I: '\u00cd',
  O: '\u00d3',
  U: '\u00da',
};

const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Replaces the last character that matches. Without one, the value stays the same, and the variant is not sent. */
function withLast(value: string, pattern: RegExp, change: (character: string) => string): string {
  const at = [...value].findLastIndex((character) => pattern.test(character));
  return at < 0 ? value : `${value.slice(0, at)}${change(value.charAt(at))}${value.slice(at + 1)}`;
}

/** With more text around the value: a scheme, quotes, another value or padding. */
const DECORATED = [
  { what: 'preceded by the scheme Bearer', of: (value) => `Bearer ${value}` },
  { what: 'in double quotes', of: (value) => `"${value}"` },
  { what: 'preceded by another value and a comma', of: (value, part) => `${NEVER_ISSUED[part]}, ${value}` },
  { what: 'followed by a comma and another value', of: (value, part) => `${value}, ${NEVER_ISSUED[part]}` },
  { what: 'followed by a semicolon and x', of: (value) => `${value};x` },
  { what: 'followed by a space and x', of: (value) => `${value} x` },
] as const satisfies readonly Disguise[];

/** In another encoding, or with a character that a collation or Unicode normalization makes equal. */
const ENCODED = [
  { what: 'in Base64', of: (value) => Buffer.from(value, 'latin1').toString('base64') },
  { what: '(one character percent-encoded)', of: (value) => withLast(value, /[\x21-\x7e]/, percentEncoded) },
  { what: '(one full-width character)', of: (value) => withLast(value, /[A-Za-z0-9]/, fullWidth) },
  { what: '(one accented vowel)', of: (value) => withLast(value, /[aeiou]/i, (vowel) => ACCENTED[vowel] ?? vowel) },
] as const satisfies readonly Disguise[];

/** With a character that is not visible. Spaces and tabs at the ends of a header value are not part of it. */
const INVISIBLE = [
  { what: 'followed by a non-breaking space', of: (value) => `${value}\u00a0` },
  { what: 'preceded by a non-breaking space in UTF-8', of: (value) => `${inUtf8('\u00a0')}${value}` },
  {
    what: '(a zero-width space inside)',
    of: (value) => `${value.slice(0, -1)}${inUtf8('\u200b')}${value.slice(-1)}`,
  },
] as const satisfies readonly Disguise[];

const disguised = (part: Part, disguises: readonly Disguise[]): CredentialVariant[] =>
  disguises.map(({ what, of }) =>
    invalidVariant(`with the ${part} ${what}`, (own) => ({ [part]: of(own[part], part) })),
  );

/** Most layers treat key and secret alike, so the secret is tried in fewer forms. */
const KEY_ONLY: ReadonlySet<string> = new Set([
  'followed by a space and x',
  '(one accented vowel)',
  'preceded by a non-breaking space in UTF-8',
]);

/** Secrets are often Base64, whose padding a decoder ignores. */
const PADDED: Disguise = { what: 'followed by an equals sign as padding', of: (value) => `${value}=` };

const forSecret = (disguises: readonly Disguise[]) => disguises.filter(({ what }) => !KEY_ONLY.has(what));

const withSecretBehind = invalidVariant('with key, colon and secret as the key', ({ key, secret }) => ({
  key: `${key}:${secret}`,
}));

export const disguisedKeys = {
  decorated: [...disguised('key', DECORATED), withSecretBehind],
  encoded: disguised('key', ENCODED),
  invisible: disguised('key', INVISIBLE),
};

export const disguisedSecrets = {
  decorated: disguised('secret', [...forSecret(DECORATED), PADDED]),
  encoded: disguised('secret', forSecret(ENCODED)),
  invisible: disguised('secret', forSecret(INVISIBLE)),
};

const named = (word: string) => [...DECORATED, ...ENCODED, ...INVISIBLE].filter(({ what }) => what.includes(word));

/** The forms for creations: a few of each kind. */
export const disguisedForWrites: readonly CredentialVariant[] = [
  ...disguised('key', named('Bearer')),
  ...disguised('secret', named('percent-encoded')),
  ...disguised('secret', named('followed by a non-breaking')),
];

/** The seller's credentials with one header sent twice: once with the valid value, once with another. */
export function repeatedHeaders(ctx: CheckContext): Credentials[] {
  const { key, secret } = keyPairOf(ctx);
  const valid = { key: ['X-API-Key', key], secret: ['X-API-Secret', secret] } as const;
  const wrong = { key: ['X-API-Key', NEVER_ISSUED_KEY], secret: ['X-API-Secret', NEVER_ISSUED_SECRET] } as const;
  return (['key', 'secret'] as const).flatMap((part) => {
    const other = part === 'key' ? valid.secret : valid.key;
    return [
      {
        actorLabel: `seller with a wrong ${part}, then the valid one`,
        actor: null,
        headers: [wrong[part], valid[part], other],
      },
      {
        actorLabel: `seller with the valid ${part}, then a wrong one`,
        actor: null,
        headers: [valid[part], wrong[part], other],
      },
    ];
  });
}
