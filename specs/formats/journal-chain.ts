import { hash } from 'node:crypto';

/** Every line of a journal begins with the digest of the line before it, so that an edit, a removal or another order shows. */
const PREFIX = Buffer.from('{"previous":"');
/** SHA-256 as base64url. */
const DIGEST_LENGTH = 43;
/** Up to the first member of the record. */
const RECORD_START = PREFIX.length + DIGEST_LENGTH + '",'.length;
const OPENING_BRACE = 0x7b;

/** What the first line of a journal names as the line before it. */
export const CHAIN_START = lineDigest('');

/** The digest of a line, without its line feed. */
export function lineDigest(line: string | Buffer): string {
  return hash('sha256', line, 'base64url');
}

/** A line for a record, without its line feed. `record`: a JSON object with at least one member. */
export function chainedLine(record: string, previous: string): string {
  return `${PREFIX}${previous}",${record.slice(1)}`;
}

/** The digest that a line names; null if the line has none. */
export function previousDigest(line: Buffer): string | null {
  if (line.indexOf(PREFIX) !== 0 || line.length <= RECORD_START) return null;
  return line.toString('latin1', PREFIX.length, PREFIX.length + DIGEST_LENGTH);
}

/** The record of a line as JSON. Changes a byte of the line instead of copying it. */
export function recordInLine(line: Buffer): Buffer {
  if (previousDigest(line) === null) return line;
  const record = line.subarray(RECORD_START - 1);
  record[0] = OPENING_BRACE;
  return record;
}

/** The parsed record of a line. Throws a SyntaxError. */
export function parseLine(line: string): unknown {
  return JSON.parse(recordInLine(Buffer.from(line)).toString());
}
