import { closeSync, existsSync, fstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRecord } from '../../specs/formats/journal.ts';
import { CHAIN_START, chainedLine, lineDigest } from '../../specs/formats/journal-chain.ts';
import { ConfigurationError } from '../model/configuration-error.ts';
import { systemErrorCode } from '../model/system-error.ts';
import { createFolder } from './folder-creation.ts';
import type { Redactor } from './redactor.ts';

export const JOURNAL_FILE = 'evidence.jsonl';
/** The header contains no text of a server, and the client masks exchanges before it truncates their bodies. */
const PREMASKED_KINDS: ReadonlySet<JournalRecord['kind']> = new Set(['header', 'exchange']);

/** Words of the kit, which no server and no target file chooses. A secret may be one of them. */
const UNMASKED_MEMBERS: ReadonlySet<string> = new Set(['kind', 'verdict', 'blockedBy', 'exchanges', 'decisive']);
/** Records whose id is that of a check or an observation. */
const KINDS_WITH_OWN_ID: ReadonlySet<JournalRecord['kind']> = new Set(['check', 'custom-check', 'observation']);

/** Maximum length of a recorded body, in characters, in a normal and in a large journal. */
const MAX_BODY_CHARACTERS = 64 * 1024;
const MAX_BODY_CHARACTERS_LATER = 2 * 1024;
/** About twenty times the size of a full run. Even a server that sends only garbage hardly reaches it. */
const LARGE_JOURNAL_BYTES = 256 * 1024 * 1024;

/** The journal cannot be written: the disk is full or the folder no longer exists. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
}

/**
 * Appends records to evidence.jsonl, each as it happens: written records survive a crash of the process. Each line names the digest of
 * the line before it.
 */
export class Journal {
  private readonly file: number;
  private readonly path: string;
  private readonly redactor: Redactor;
  private failure: JournalError | null = null;
  private bytes: number;
  private closed = false;
  /** The digest of the last line. */
  private previous: string;

  private constructor(path: string, flags: 'wx' | 'a', redactor: Redactor) {
    this.path = path;
    this.redactor = redactor;
    this.file = openSync(path, flags, 0o600);
    this.bytes = fstatSync(this.file).size;
    this.previous = this.bytes === 0 ? CHAIN_START : lineDigest(lastLine(path));
  }

  /** Maximum length of a recorded body, in characters. */
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
      const code = systemErrorCode(error);
      if (code === 'EEXIST' && existsSync(path)) {
        throw new ConfigurationError(`--out: ${path} already exists; give an empty or a new folder`);
      }
      throw new ConfigurationError(`--out: cannot write ${path} (${code}); give a folder that the kit can write to`);
    }
  }

  /** Continues a journal that another thread of this process has begun. */
  static append(path: string, redactor: Redactor): Journal {
    return new Journal(path, 'a', redactor);
  }

  private maskRecord(record: JournalRecord): object {
    const isOwn = (name: string) => UNMASKED_MEMBERS.has(name) || (name === 'id' && KINDS_WITH_OWN_ID.has(record.kind));
    return Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, isOwn(name) ? value : this.redactor.maskDeep(value)]),
    );
  }

  /** Throws a JournalError and then writes nothing more, because a record after half a line is unreadable. */
  write(record: JournalRecord): void {
    // The file descriptor of a closed file may already belong to another file or connection.
    if (this.closed) throw new Error(`${this.path} is closed`);
    if (this.failure) throw this.failure;
    const masked = PREMASKED_KINDS.has(record.kind) ? record : this.maskRecord(record);
    const line = Buffer.from(`${chainedLine(JSON.stringify(masked), this.previous)}\n`);
    this.bytes += line.length;
    try {
      // An almost full disk accepts a part of a line without an error.
      for (let at = 0; at < line.length; ) at += writeSync(this.file, line, at);
      this.previous = lineDigest(line.subarray(0, -1));
    } catch (error) {
      this.failure = new JournalError(
        `cannot write ${this.path} (${systemErrorCode(error)}): the run was stopped; free disk space and run again`,
      );
      throw this.failure;
    }
  }

  /** Removes the journal of a run that never began, so that the folder can be used again. */
  discard(): void {
    rmSync(this.path, { force: true });
  }

  close(): void {
    this.closed = true;
    closeSync(this.file);
  }
}

/** Of a journal that so far holds the header and the preflight. */
function lastLine(path: string): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
}
