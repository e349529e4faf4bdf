import { randomUUID } from 'node:crypto';
import { lstatSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { systemErrorCode } from '../../engine/model/system-error.ts';
import { formatTime } from '../../reporting/text/wording.ts';
import { isAlive, processNamespace, processStartTime } from '../processes/running-processes.ts';
import { OutputError } from './report-files.ts';

export const LOCK_FILE = 'run.lock';

const REFRESH_INTERVAL_MS = 10_000;
/** A lock of another host counts as abandoned after this time without a refresh. */
const ABANDONED_AFTER_MS = 120_000;
/** Upper limit for writing a lock, and for taking over an abandoned one. */
const MAX_WRITE_MS = 2_000;
const POLL_INTERVAL_MS = 20;

const holder = z.strictObject({
  pid: z.number().int(),
  /** Distinguishes a process from a later one with the same number; null if the system does not provide it. */
  processStart: z.string().nullable(),
  host: z.string(),
  /** The PID namespace, because containers may share a host name. */
  processes: z.string(),
  startedAt: z.iso.datetime(),
  token: z.uuid(),
});
type Holder = z.infer<typeof holder>;
/** `unreadable`: incomplete, or written by another program. */
type LockContent = Holder | 'absent' | 'unreadable';

/**
 * Locks a folder for this process. The lock is refreshed while it is held, and removed by `release` or when the process exits.
 * `acquire` takes over the lock of an ended process, and the lock of another host that is no longer refreshed.
 */
export class RunLock {
  private readonly path: string;
  private readonly token: string;
  private readonly refreshTimer: NodeJS.Timeout;
  private readonly onExit = () => this.release();

  private constructor(path: string, token: string) {
    this.path = path;
    this.token = token;
    this.refreshTimer = setInterval(() => this.refresh(), REFRESH_INTERVAL_MS).unref();
    process.once('exit', this.onExit);
  }

  /** Rejects with a ConfigurationError if another run holds the lock or the folder is not writable, with an OutputError on a full disk. */
  static async acquire(folder: string): Promise<RunLock> {
    const own = currentHolder();
    const path = join(folder, LOCK_FILE);
    await obtainLock(folder, path, own).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') throw diskFullError(path);
      throw error instanceof ConfigurationError ? error : notWritableError(folder, error);
    });
    return new RunLock(path, own.token);
  }

  release(): void {
    clearInterval(this.refreshTimer);
    process.removeListener('exit', this.onExit);
    if (this.isOwn()) rmSync(this.path, { force: true });
  }

  private refresh(): void {
    const now = new Date();
    if (this.isOwn()) utimesSync(this.path, now, now);
  }

  /** False if another process replaced the lock; the run continues without it. */
  private isOwn(): boolean {
    try {
      return tokenOf(readHolder(this.path)) === this.token;
    } catch {
      return false;
    }
  }
}

async function obtainLock(folder: string, path: string, own: Holder): Promise<void> {
  while (!tryCreateFile(path, own)) {
    const found = readHolder(path);
    if (found === 'absent') continue;
    if (isHeld(found, path, own)) {
      if (found !== 'unreadable') throw folderInUseError(folder, found);
    } else if (tryTakeOver(path, found, own)) break;
    await sleep(POLL_INTERVAL_MS);
  }
}

function currentHolder(): Holder {
  return {
    pid: process.pid,
    processStart: processStartTime(process.pid),
    host: hostname(),
    processes: processNamespace(),
    startedAt: new Date().toISOString(),
    token: randomUUID(),
  };
}

/** Creates the file. False if it already exists. */
function tryCreateFile(path: string, content: Holder): boolean {
  try {
    writeFileSync(path, `${JSON.stringify(content)}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'ENOSPC') rmSync(path, { force: true });
    throw error;
  }
}

/** Throws a ConfigurationError if the path is not a readable regular file. */
function readHolder(path: string): LockContent {
  try {
    assertRegularFile(path);
    const parsed = holder.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success ? parsed.data : 'unreadable';
  } catch (error) {
    if (error instanceof SyntaxError) return 'unreadable';
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'absent';
    throw error instanceof ConfigurationError ? error : foreignFileError(path, `cannot be read (${code})`);
  }
}

/** Reading a pipe would never end, and a dangling link can be neither created nor read. */
function assertRegularFile(path: string): void {
  const found = lstatSync(path);
  if (!found.isFile()) throw foreignFileError(path, `is ${found.isDirectory() ? 'a folder' : 'not a regular file'}`);
}

function foreignFileError(path: string, how: string): ConfigurationError {
  return new ConfigurationError(
    `${path} ${how}, but the kit needs this path for its lock file; move it away, or name another folder`,
  );
}

function tokenOf(found: LockContent): string | null {
  return typeof found === 'string' ? null : found.token;
}

function isHeld(found: Exclude<LockContent, 'absent'>, path: string, own: Holder): boolean {
  if (found === 'unreadable') return lockAgeMs(path, own) < MAX_WRITE_MS;
  const isNear = found.host === own.host && found.processes === own.processes;
  return isNear ? isAlive(found.pid, found.processStart) : lockAgeMs(path, own) < ABANDONED_AFTER_MS;
}

/** Measured with the clock of the file system, which may differ from that of this machine. */
function lockAgeMs(path: string, own: Holder): number {
  const probe = `${path}.${own.token}`;
  writeFileSync(probe, '');
  const now = statSync(probe).mtimeMs;
  rmSync(probe);
  return now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now);
}

/** Replaces an abandoned lock. Of several runs, only the one that creates the claim file succeeds. */
function tryTakeOver(path: string, found: LockContent, own: Holder): boolean {
  const claim = `${path}.${tokenOf(found) ?? 'unreadable'}.claim`;
  if (!tryCreateFile(claim, own)) {
    // The process of the claim may have ended before it replaced the lock.
    const claiming = readHolder(claim);
    if (claiming !== 'absent' && !isHeld(claiming, claim, own)) rmSync(claim, { force: true });
    return false;
  }
  const now = readHolder(path);
  if (now !== 'absent' && tokenOf(now) === tokenOf(found)) renameSync(claim, path);
  else rmSync(claim, { force: true });
  return tokenOf(readHolder(path)) === own.token;
}

function folderInUseError(folder: string, { pid, host, startedAt }: Holder): ConfigurationError {
  const where = host === hostname() ? '' : ` on ${host}`;
  return new ConfigurationError(
    `${folder} is being written by another run (process ${pid}${where}, started ${formatTime(startedAt)}); wait until it has ended, or name another folder`,
  );
}

function diskFullError(path: string): OutputError {
  return new OutputError(`cannot write ${path} (ENOSPC): the run was stopped; free disk space and run again`);
}

/** A folder that is not writable. */
export class NotWritableError extends ConfigurationError {
  /** The message without advice, for a command that cannot use another folder. */
  readonly found: string;

  constructor(folder: string, code: string) {
    super(`cannot write to ${folder} (${code}); name a folder that can be written`);
    this.found = `cannot write to ${folder} (${code})`;
  }
}

/** The error for a folder that is not writable. */
export function notWritableError(folder: string, error: unknown): NotWritableError {
  return new NotWritableError(folder, systemErrorCode(error));
}
