import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { type JournalRecord, journalRecord } from '../specs/journal.ts';

/** The records of a journal, as many at a time as come. */
export type Records = AsyncIterable<readonly JournalRecord[]>;

/** Opens the same journal from its beginning, each time it is called. */
export type JournalSource = () => Records;

/** The journal cannot be understood: it was damaged, or another program wrote it. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

/**
 * The records of an `evidence.jsonl`, as many at a time as the file gives.
 * A last line that was cut in the middle (the run was killed) is left out; any other line that is not a record is an error.
 */
export function readJournal(path: string): AsyncGenerator<readonly JournalRecord[], void, undefined> {
  return recordsOf(path, checked);
}

/** As `readJournal`, of a journal that this very process has written: that its lines are records need not be found out again. */
export function readOwnJournal(path: string): AsyncGenerator<readonly JournalRecord[], void, undefined> {
  return recordsOf(path, (value) => value as JournalRecord);
}

async function* recordsOf(
  path: string,
  recordIn: (value: unknown, place: string) => JournalRecord,
): AsyncGenerator<readonly JournalRecord[], void, undefined> {
  let number = 0;
  for await (const lines of linesOf(path)) {
    const records: JournalRecord[] = [];
    for (const line of lines) {
      number += 1;
      if (line.text.trim() === '') continue;
      const place = `${path}, line ${number}`;
      const value = parse(line, place);
      // Nothing comes behind it.
      if (value !== HALF_WRITTEN) records.push(recordIn(value, place));
    }
    yield records;
  }
}

function checked(value: unknown, place: string): JournalRecord {
  const record = journalRecord.safeParse(value);
  if (!record.success) throw new JournalError(`${place}: ${summarise(record.error)}`);
  return record.data;
}

const HALF_WRITTEN = Symbol('half-written');

interface Line {
  readonly text: string;
  /** False for a last line without its line feed. */
  readonly whole: boolean;
}

function parse(line: Line, place: string): unknown {
  try {
    return JSON.parse(line.text);
  } catch {
    if (!line.whole) return HALF_WRITTEN;
    throw new JournalError(`${place}: not JSON`);
  }
}

function summarise(error: z.ZodError): string {
  return z.prettifyError(error).replace(/\s+/g, ' ');
}

/**
 * The lines, as many at a time as the file gave. Split at line feeds alone: node:readline also splits at U+2028, which an
 * answer may hold and JSON does not escape.
 */
async function* linesOf(path: string): AsyncGenerator<Line[], void, undefined> {
  let pending: string[] = [];
  for await (const chunk of createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>) {
    const pieces = chunk.split('\n');
    const last = pieces.pop() ?? '';
    const lines = pieces.map((piece, at) => ({ text: at === 0 ? pending.join('') + piece : piece, whole: true }));
    if (pieces.length > 0) pending = [];
    pending.push(last);
    yield lines;
  }
  const rest = pending.join('');
  if (rest !== '') yield [{ text: rest, whole: false }];
}
