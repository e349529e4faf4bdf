import { closeSync, existsSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRecord } from '../../specs/journal.ts';
import { ConfigurationError } from '../model/configuration-error.ts';
import { createFolder } from './folder-creation.ts';
import type { Redactor } from './redactor.ts';

export const JOURNAL_FILE = 'evidence.jsonl';
/** The header holds no word of a server. The client masks its exchanges itself, before it cuts their bodies. */
const PREMASKED_KINDS: ReadonlySet<JournalRecord['kind']> = new Set(['header', 'exchange']);

/** Longest body that is kept, in characters; and the longest once the journal has grown out of all proportion. */
const MAX_BODY_CHARACTERS = 64 * 1024;
const MAX_BODY_CHARACTERS_LATER = 2 * 1024;
/** In bytes. Some twenty times what a run of everything writes; hardly more than bodies of garbage come to so much. */
const LARGE_JOURNAL_BYTES = 256 * 1024 * 1024;

/** The run's journal could not be written: the disk is full or the folder went away. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

/** Appends records to evidence.jsonl, each as it happens: what was written survives the death of the process. */
export class Journal {
  private readonly file: number;
  private readonly path: string;
  private readonly redactor: Redactor;
  private failure: JournalError | null = null;
  private bytes: number;
  private closed = false;

  private constructor(path: string, flags: 'wx' | 'a', redactor: Redactor) {
    this.path = path;
    this.redactor = redactor;
    this.file = openSync(path, flags, 0o600);
    this.bytes = fstatSync(this.file).size;
  }

  /** How much of a body is to be kept, in characters. */
  get maxBodyLength(): number {
    return this.bytes < LARGE_JOURNAL_BYTES ? MAX_BODY_CHARACTERS : MAX_BODY_CHARACTERS_LATER;
  }

  /** Starts the journal of a new run. Throws a ConfigurationError when the folder holds one or cannot be written. */
  static create(folder: string, redactor: Redactor): Journal {
    const path = join(folder, JOURNAL_FILE);
    try {
      createFolder(folder);
      return new Journal(path, 'wx', redactor);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' && existsSync(path)) {
        throw new ConfigurationError(`--out: ${path} exists already; name an empty or a new folder`);
      }
      throw new ConfigurationError(
        `--out: cannot write ${path} (${code ?? message}); name a folder that can be written`,
      );
    }
  }

  /** Continues a journal that another thread of this process has begun. */
  static append(path: string, redactor: Redactor): Journal {
    return new Journal(path, 'a', redactor);
  }

  /** Throws a JournalError, and nothing else is written from then on: behind half a line, it could not be read. */
  write(record: JournalRecord): void {
    // The number of a closed file belongs to whatever is opened next: a connection, or a report.
    if (this.closed) throw new Error(`${this.path} is closed`);
    if (this.failure) throw this.failure;
    const masked = PREMASKED_KINDS.has(record.kind) ? record : this.redactor.maskDeep(record);
    const line = `${JSON.stringify(masked)}\n`;
    const length = Buffer.byteLength(line);
    this.bytes += length;
    try {
      const written = writeSync(this.file, line);
      // A disk that is almost full takes the beginning of a line without complaint.
      if (written < length) this.writeRest(Buffer.from(line).subarray(written));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.failure = new JournalError(
        `cannot write ${this.path} (${code ?? message}): the run ends here; make room on the disk and run again`,
      );
      throw this.failure;
    }
  }

  private writeRest(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at);
  }

  /** Takes back a journal whose run never began, so that the folder can be used again. */
  discard(): void {
    rmSync(this.path, { force: true });
  }

  close(): void {
    this.closed = true;
    closeSync(this.file);
  }
}
