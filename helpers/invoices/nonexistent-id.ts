import { randomInt, randomUUID } from 'node:crypto';
import { listItems } from '../../engine/records/find-invoice-record.ts';
import { list } from '../api/operations.ts';
import type { Lab } from '../context/check-context.ts';
import { freshInvoice, mayCreate } from './invoices.ts';

/** Enough to see which parts of an id are the same in all of them. */
const KNOWN = 20;
/** With fewer, everything would seem to be the same in all of them. */
const FEWEST = 3;
const VARIED = 12;
/** Characters that make hardly two ids the same. */
const ENOUGH_VARIED = 6;
/** Digits of a number that counts invoices, and of one that is far ahead of any counter. */
const SHORT_NUMBER = 4;
const FAR_AHEAD = 9;
/** How far apart, on the average, the numbers of a counter may stand that counts other things, too. */
const CLOSELY = 5;
/** Characters that are too few for anything but a counter. */
const SHORT_TEXT = 3;

/** An invoice id of the form that this server gives out, which no invoice has. */
export async function absentId(lab: Lab): Promise<string> {
  return absentLike(await lab.run.once('ids of the right form', () => someIds(lab)));
}

async function someIds(lab: Lab): Promise<readonly string[]> {
  const listed = listItems(await list(lab, { page: 0, limit: KNOWN }))
    .map(({ id }) => id)
    .filter((id) => typeof id === 'string');
  if (!mayCreate(lab)) return listed.length > 0 ? listed : [randomUUID()];
  const missing = Array.from({ length: Math.max(0, FEWEST - listed.length) }, async () => (await freshInvoice(lab)).id);
  return [...listed, ...(await Promise.all(missing))];
}

/**
 * Another id like these, the first of the longest above all: what they have in common may be their form, and stays. Where there are
 * several forms, the longest is the one of which fewest exist.
 */
export function absentLike(known: readonly string[]): string {
  const longestFirst = known.toSorted((one, other) => other.length - one.length);
  for (;;) {
    const id = otherLike(longestFirst);
    if (!known.includes(id)) return id;
  }
}

function otherLike(known: readonly string[]): string {
  const [model = ''] = known;
  const parts = partsOf(model);
  const alike = known.map(partsOf).filter((each) => each.length === parts.length);
  // The last part that tells ids apart: what stands before it may be a year or a version.
  const telling = parts.findLastIndex((part, at) => /[a-z0-9]/i.test(part) && alike.some((each) => each[at] !== part));
  const at = telling >= 0 ? telling : parts.findLastIndex((part) => /[a-z0-9]/i.test(part));
  const tellingParts = alike.map((each) => each[at] ?? '');
  const short =
    tellingParts.every((each) => each.length <= SHORT_TEXT) && tellingParts.some((each) => /[a-z]/i.test(each));
  const isCounted = short && (parts.length === 1 || alike.length >= FEWEST);
  const other = (isCounted ? farAhead : otherPart)(tellingParts);
  return parts.map((part, index) => (index === at ? other : part)).join('');
}

/** Runs of letters and digits, and what stands between them. */
function partsOf(id: string): string[] {
  return id.split(/([^a-z0-9]+)/i);
}

function otherPart(known: readonly string[]): string {
  const [model = ''] = known;
  const [, letters = '', digits = ''] = /^([a-z]*)(\d+)$/i.exec(model) ?? [];
  if (digits !== '' && areCounted(known, letters)) return `${letters}${otherNumber(digits)}`;
  const characters = [...model];
  const varied = characters.map((_, at) => at).filter((at) => known.some((each) => each[at] !== model[at]));
  // What stands before the first digit may be a prefix, and what came one after the other differs in too little.
  const prefix = Math.max(0, model.search(/\d/));
  const tail = characters.map((_, at) => at).filter((at) => at >= Math.max(prefix, model.length - VARIED));
  const changed = varied.length >= ENOUGH_VARIED ? varied : tail;
  const alphabet = [...new Set(known.join(''))];
  return characters.map((each, at) => (changed.includes(at) ? otherOfItsKind(each, alphabet) : each)).join('');
}

/** The same letters and a number each; or other letters, whose numbers follow each other closely. */
function areCounted(known: readonly string[], letters: string): boolean {
  if (!known.every((each) => /^[a-z]*\d+$/i.test(each))) return false;
  if (known.every((each) => each.replace(/\d+$/, '') === letters)) return true;
  const numbers = known.map((each) => Number(each.replace(/^\D+/, '')));
  return Math.max(...numbers) - Math.min(...numbers) < CLOSELY * known.length;
}

/** Digits of some base, which become more as it counts. */
function farAhead(known: readonly string[]): string {
  const alphabet = [...new Set(known.join(''))];
  const model = known[0]?.at(-1) ?? '';
  const digits = Array.from({ length: FAR_AHEAD }, () => otherOfItsKind(model, alphabet)).join('');
  return digits.replace(/^0/, '9');
}

/** Only what is far ahead of a counter names none of its invoices. One with leading zeros has its width. */
function otherNumber(digits: string): string {
  const wide = digits.length > SHORT_NUMBER && (digits.length > FAR_AHEAD || !digits.startsWith('9'));
  return `9${someDigits((wide || /^0./.test(digits) ? digits.length : FAR_AHEAD) - 1)}`;
}

const someDigits = (length: number) => Array.from({ length }, () => randomInt(10)).join('');

/** One of those that ids are seen to have; else, as in hexadecimal digits, none beyond f. */
function otherOfItsKind(character: string, seen: readonly string[]): string {
  const kind = [/\d/, /[a-z]/, /[A-Z]/].find((each) => each.test(character));
  if (!kind) return character;
  const usual = [...'0123456789abcdefABCDEF'].filter((each) => kind.test(each));
  const choice = seen.filter((each) => kind.test(each));
  const from = choice.length > usual.length ? choice : usual;
  return from[randomInt(from.length)] ?? character;
}
