import { randomInt, randomUUID } from 'node:crypto';
import { listItems } from '../../engine/records/invoice-records.ts';
import { listInvoices } from '../api/operations.ts';
import type { CheckContext } from '../context/check.ts';
import { sharedResult } from '../context/shared-result.ts';
import { createInvoice, mayCreateInvoices } from './invoices.ts';
import { calibrateRanges } from './range-calibration.ts';

/** Enough to see which parts of an id are constant. */
const SAMPLE_SIZE = 20;
/** Fewer samples would make every part look constant. */
const MIN_SAMPLE_SIZE = 3;
const CHANGED_TAIL_LENGTH = 12;
/** This many different characters make a collision unlikely. */
const MIN_VARIED_CHARACTERS = 6;
/** The digits of a number that counts invoices, and of a number that no counter reaches. */
const SHORT_NUMBER_DIGITS = 4;
const DISTANT_NUMBER_DIGITS = 9;
/** The largest average distance between the numbers of a counter that also counts other things. */
const MAX_AVERAGE_GAP = 5;
/** A text this short can only be a counter. */
const MAX_SHORT_TEXT_LENGTH = 3;

/** An id that has the form of this server's invoice ids and belongs to no invoice. */
export async function nonexistentId(ctx: CheckContext): Promise<string> {
  return nonexistentIdLike(await sampledIds(ctx));
}

const sampledIds = sharedResult(sampleIds);

async function sampleIds(ctx: CheckContext): Promise<readonly string[]> {
  const listed = listItems(await listInvoices(ctx, { page: 0, limit: SAMPLE_SIZE }))
    .map(({ id }) => id)
    .filter((id) => typeof id === 'string');
  if (!mayCreateInvoices(ctx)) return listed.length > 0 ? listed : [randomUUID()];
  // The check may need no connection, so that nothing has found the accepted values before.
  if (listed.length < MIN_SAMPLE_SIZE) await calibrateRanges(ctx);
  const missing = Array.from(
    { length: Math.max(0, MIN_SAMPLE_SIZE - listed.length) },
    async () => (await createInvoice(ctx)).id,
  );
  return [...listed, ...(await Promise.all(missing))];
}

/**
 * A new id with the form of the first of the longest known ids. Constant parts stay, because they may be the form; the
 * longest form is the rarest in use.
 */
export function nonexistentIdLike(known: readonly string[]): string {
  const longestFirst = known.toSorted((one, other) => other.length - one.length);
  for (;;) {
    const id = createSimilarId(longestFirst);
    if (!known.includes(id)) return id;
  }
}

function createSimilarId(known: readonly string[]): string {
  const [model = ''] = known;
  const parts = partsOf(model);
  const alike = known.map(partsOf).filter((each) => each.length === parts.length);
  // The last part that differs between ids. An earlier one may be a year or a version.
  const telling = parts.findLastIndex((part, at) => /[a-z0-9]/i.test(part) && alike.some((each) => each[at] !== part));
  const at = telling >= 0 ? telling : parts.findLastIndex((part) => /[a-z0-9]/i.test(part));
  const tellingParts = alike.map((each) => each[at] ?? '');
  const short =
    tellingParts.every((each) => each.length <= MAX_SHORT_TEXT_LENGTH) &&
    tellingParts.some((each) => /[a-z]/i.test(each));
  const isCounted = short && (parts.length === 1 || alike.length >= MIN_SAMPLE_SIZE);
  const other = (isCounted ? distantCounter : changedPart)(tellingParts);
  return parts.map((part, index) => (index === at ? other : part)).join('');
}

/** Groups of letters and digits, and the separators between them. */
function partsOf(id: string): string[] {
  return id.split(/([^a-z0-9]+)/i);
}

function changedPart(known: readonly string[]): string {
  const [model = ''] = known;
  const [, letters = '', digits = ''] = /^([a-z]*)(\d+)$/i.exec(model) ?? [];
  if (digits !== '' && isSequential(known, letters)) return `${letters}${distantNumber(digits)}`;
  const characters = [...model];
  const varied = characters.map((_, at) => at).filter((at) => known.some((each) => each[at] !== model[at]));
  // The text before the first digit may be a prefix, and consecutive ids differ in too few characters.
  const prefix = Math.max(0, model.search(/\d/));
  const tail = characters.map((_, at) => at).filter((at) => at >= Math.max(prefix, model.length - CHANGED_TAIL_LENGTH));
  const changed = varied.length >= MIN_VARIED_CHARACTERS ? varied : tail;
  const alphabet = [...new Set(known.join(''))];
  return characters.map((each, at) => (changed.includes(at) ? similarCharacter(each, alphabet) : each)).join('');
}

/** Whether all ids are letters with a number: the same letters, or numbers that are close to each other. */
function isSequential(known: readonly string[], letters: string): boolean {
  if (!known.every((each) => /^[a-z]*\d+$/i.test(each))) return false;
  if (known.every((each) => each.replace(/\d+$/, '') === letters)) return true;
  const numbers = known.map((each) => Number(each.replace(/^\D+/, '')));
  return Math.max(...numbers) - Math.min(...numbers) < MAX_AVERAGE_GAP * known.length;
}

/** More digits of the same base, as a counter has at a later time. */
function distantCounter(known: readonly string[]): string {
  const alphabet = [...new Set(known.join(''))];
  const model = known[0]?.at(-1) ?? '';
  const digits = Array.from({ length: DISTANT_NUMBER_DIGITS }, () => similarCharacter(model, alphabet)).join('');
  return digits.replace(/^0/, '9');
}

/** A number far ahead of the counter names no invoice. A number with leading zeros keeps its width. */
function distantNumber(digits: string): string {
  const wide =
    digits.length > SHORT_NUMBER_DIGITS && (digits.length > DISTANT_NUMBER_DIGITS || !digits.startsWith('9'));
  return `9${randomDigits((wide || /^0./.test(digits) ? digits.length : DISTANT_NUMBER_DIGITS) - 1)}`;
}

const randomDigits = (length: number) => Array.from({ length }, () => randomInt(10)).join('');

/** A random character of the same class among those seen in ids; by default none beyond f, as in hexadecimal digits. */
function similarCharacter(character: string, seen: readonly string[]): string {
  const kind = [/\d/, /[a-z]/, /[A-Z]/].find((each) => each.test(character));
  if (!kind) return character;
  const usual = [...'0123456789abcdefABCDEF'].filter((each) => kind.test(each));
  const choice = seen.filter((each) => kind.test(each));
  const from = choice.length > usual.length ? choice : usual;
  return from[randomInt(from.length)] ?? character;
}
