import { open } from 'node:fs/promises';
import type { z } from 'zod';
import { type JournalRecord, journalRecord, type SlimRecord } from '../../specs/formats/journal.ts';
import { CHAIN_START, lineDigest, previousDigest, recordInLine } from '../../specs/formats/journal-chain.ts';
import { slimJournalLine } from './slim-journal-line.ts';

/** The records of a journal, in batches. */
export type JournalRecords = AsyncIterable<readonly JournalRecord[]>;

/** The records of a journal, in batches, with an outline of each exchange. */
export type SlimRecords = AsyncIterable<readonly SlimRecord[]>;

/** Each call opens the same journal from its beginning. */
export type JournalSource<Opened = JournalRecords> = () => Opened;

/** The journal is invalid: it is damaged, or another program wrote it. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

/**
 * The records of an `evidence.jsonl`, in batches. Skips an incomplete last line, which a killed run leaves. Rejects with a
 * JournalError for any other line that is not a record, or that does not continue the hash chain.
 */
export function readJournal(path: string): JournalRecords {
  return parseRecords(fileChunks(path), path, parseValidRecord, new ChainVerifier());
}

/** Like `readJournal`, from the bytes of a journal, which errors call `name`. */
export function readJournalBytes(bytes: Uint8Array, name: string): JournalRecords {
  return parseRecords(byteChunks(bytes), name, parseValidRecord, new ChainVerifier());
}

/** Like `readJournal`, but without validation, for a journal of this process. */
export function readOwnJournal(path: string): JournalRecords {
  return parseRecords(fileChunks(path), path, (line) => JSON.parse(line.toString()) as JournalRecord);
}

/** Like `readOwnJournal`, with only an outline of each exchange. */
export function readOwnSlimRecords(path: string): SlimRecords {
  return parseRecords(fileChunks(path), path, parseSlimRecord);
}

/** Like `readOwnSlimRecords`, but rejects with a JournalError for a line that does not continue the hash chain. */
export function readChainedSlimRecords(path: string): SlimRecords {
  return parseRecords(fileChunks(path), path, parseSlimRecord, new ChainVerifier());
}

function parseValidRecord(line: Buffer, place: string): JournalRecord {
  return parseRecord(JSON.parse(line.toString()), place);
}

function parseSlimRecord(line: Buffer): SlimRecord {
  return JSON.parse(slimJournalLine(line)) as SlimRecord;
}

async function* parseRecords<Record>(
  chunks: Chunks,
  name: string,
  recordIn: (line: Buffer, place: string) => Record,
  chain: ChainVerifier | null = null,
): AsyncGenerator<readonly Record[], void, undefined> {
  let number = 0;
  for await (const lines of readLines(chunks)) {
    const records: Record[] = [];
    for (const { bytes, isComplete } of lines) {
      number += 1;
      if (isBlank(bytes)) continue;
      const place = `${name}, line ${number}`;
      try {
        // Reading the record changes the line.
        const link = chain && isComplete ? linkOf(bytes) : null;
        records.push(recordIn(recordInLine(bytes), place));
        if (link) chain?.accept(link, place);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        // An incomplete last line is not an error.
        if (isComplete) throw new JournalError(`${place}: not JSON`);
      }
    }
    yield records;
  }
}

interface ChainLink {
  /** The digest that the line names; null if it names none. */
  readonly previous: string | null;
  readonly digest: string;
}

function linkOf(line: Buffer): ChainLink {
  return { previous: previousDigest(line), digest: lineDigest(line) };
}

/** Accepts the lines of a journal in their order. */
class ChainVerifier {
  private expected = CHAIN_START;

  /** Throws a JournalError if the line does not name the line before it. */
  accept({ previous, digest }: ChainLink, place: string): void {
    if (previous !== this.expected)
      throw new JournalError(
        `${place}: the hash chain is broken: a line was changed, added, removed or moved; run the checks again`,
      );
    this.expected = digest;
  }
}

function isBlank(line: Buffer): boolean {
  return line[0] !== OPENING_BRACE && line.toString().trim() === '';
}

function parseRecord(value: unknown, place: string): JournalRecord {
  const record = journalRecord.safeParse(value);
  if (!record.success) throw new JournalError(`${place}: ${describeIssue(record.error.issues[0], value)}`);
  return record.data;
}

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;
/** The first byte of every record. */
const OPENING_BRACE = 0x7b;

interface Line {
  readonly bytes: Buffer;
  /** False for a last line without its line feed. */
  readonly isComplete: boolean;
}

const MAX_SHOWN_LENGTH = 60;

/** The first problem of a record. */
function describeIssue(issue: z.core.$ZodIssue | undefined, record: unknown): string {
  const path = issue?.path ?? [];
  const value = path.reduce<unknown>((inside, name) => Object(inside)[name], record);
  const shown = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, MAX_SHOWN_LENGTH);
  const field = path.length > 0 ? path.join('.') : 'the record';
  return `${field}: found ${shown}, which this version of the kit never writes; run the checks again`;
}

/** The bytes of a journal, in pieces that stay valid until the next one. */
type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

async function* fileChunks(path: string): AsyncGenerator<Buffer, void, undefined> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer);
      if (bytesRead === 0) break;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Copies, because reading a record changes its line. */
function* byteChunks(bytes: Uint8Array): Generator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield Buffer.from(bytes.subarray(at, at + CHUNK_BYTES));
}

/**
 * The lines of a journal, in batches, as bytes that stay valid until the next batch. Splits only at line feeds: node:readline also
 * splits at U+2028, which a response may contain and JSON does not escape.
 */
async function* readLines(chunks: Chunks): AsyncGenerator<Line[], void, undefined> {
  let pending: Buffer[] = [];
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const piece = chunk.subarray(start, end);
      lines.push({ bytes: pending.length === 0 ? piece : Buffer.concat([...pending, piece]), isComplete: true });
      pending = [];
      start = end + 1;
    }
    yield lines;
    if (start < chunk.length) pending.push(Buffer.from(chunk.subarray(start)));
  }
  if (pending.length > 0) yield [{ bytes: Buffer.concat(pending), isComplete: false }];
}
