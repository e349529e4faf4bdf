import fc from 'fast-check';
import { ENTITY_NAMES } from '../../../../engine/evidence/masking/entity-names.ts';

type Encoded = fc.Arbitrary<string>;

const NAMES = new Map([...ENTITY_NAMES].map(([name, character]) => [character, name]));

/** Digits in either case. */
function mixedCase(digits: string): Encoded {
  return fc
    .array(fc.boolean(), { minLength: digits.length, maxLength: digits.length })
    .map((upper) => [...digits].map((digit, at) => (upper[at] ? digit.toUpperCase() : digit)).join(''));
}

const zeros = fc.nat({ max: 6 }).map((count) => '0'.repeat(count));

function inJson(unit: string): Encoded {
  const hex = mixedCase(unit.charCodeAt(0).toString(16).padStart(4, '0')).map((digits) => `\\u${digits}`);
  return '\\"/'.includes(unit) ? fc.oneof(hex, fc.constant(`\\${unit}`)) : hex;
}

function inHtml(unit: string): Encoded {
  const code = unit.charCodeAt(0);
  const decimal = zeros.map((before) => `&#${before}${code};`);
  const hex = fc
    .tuple(fc.constantFrom('x', 'X'), zeros, mixedCase(code.toString(16)))
    .map(([x, before, digits]) => `&#${x}${before}${digits};`);
  const name = NAMES.get(unit);
  return name === undefined ? fc.oneof(decimal, hex) : fc.oneof(decimal, hex, fc.constant(`&${name};`));
}

function withPercent(unit: string): Encoded {
  return mixedCase(Buffer.from(unit).toString('hex')).map((digits) => digits.replaceAll(/../g, '%$&'));
}

/** Each character unchanged or as an escape, in any mixture of kinds. */
function mixed(text: string): Encoded {
  const units = [...text].map((unit) => {
    const escapes = [inJson(unit), inHtml(unit), withPercent(unit)];
    return /[\\&%]/.test(unit) ? fc.oneof(...escapes) : fc.oneof(fc.constant(unit), ...escapes);
  });
  return fc.tuple(...units).map((all) => all.join(''));
}

/** One kind of escape for every character. */
function uniform(text: string): Encoded {
  return fc
    .constantFrom(inJson, inHtml, withPercent)
    .chain((kind) => fc.tuple(...[...text].map(kind)).map((all) => all.join('')));
}

const beside = fc.string({ maxLength: 5 });

function base64(text: string): Encoded {
  return fc
    .tuple(beside, beside, fc.constantFrom('base64', 'base64url'), fc.boolean())
    .map(([before, after, alphabet, padded]) => {
      const encoded = Buffer.from(`${before}${text}${after}`).toString(alphabet as BufferEncoding);
      return padded ? encoded : encoded.replace(/=+$/, '');
    });
}

function hex(text: string): Encoded {
  return mixedCase(Buffer.from(text).toString('hex'));
}

/** A text after one encoding. */
export function encoded(text: string): Encoded {
  return fc.constantFrom(mixed, uniform, base64, hex).chain((encode) => encode(text));
}

const ESCAPED = /\\u([0-9a-f]{4})|\\(["\\/])|&#0*(\d+);|&#x0*([0-9a-f]+);|&([a-z]+);|%([0-9a-f]{2})/gi;

/** A text with its escapes decoded once, of one kind or of all kinds. */
export function withoutEscapes(text: string, leads = '\\&%'): string {
  return text.replace(ESCAPED, (all, unit, itself, decimal, hexadecimal, name, byte) => {
    if (!leads.includes(all.charAt(0))) return all;
    if (itself) return itself;
    if (name) return ENTITY_NAMES.get(name) ?? all;
    const code = decimal ? Number(decimal) : Number.parseInt(unit ?? hexadecimal ?? byte, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

/** All results of one decoding of a text. */
export function decodings(text: string): string[] {
  const runs = text.match(/[\w+/-]{4,}/g) ?? [];
  const blocks = runs.flatMap((run) => [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), 'base64').toString()));
  const digits = text.match(/[0-9a-f]{4,}/gi) ?? [];
  const bytes = digits.flatMap((run) => [0, 1].map((at) => Buffer.from(run.slice(at), 'hex').toString()));
  const kinds = ['\\', '&', '%'].map((lead) => withoutEscapes(text, lead));
  return [withoutEscapes(text), ...kinds, ...blocks, ...bytes];
}
