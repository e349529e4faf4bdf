import { accessSync, constants, existsSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder, createSingleFolder } from '../engine/evidence/folder-creation.ts';
import { JOURNAL_FILE } from '../engine/evidence/journal.ts';
import { ConfigurationError } from '../engine/model/configuration-error.ts';
import type { OutputFormat } from './formats-option.ts';
import { isKitFile, isStored, outputFiles, RUN_FILES, readEdges } from './kit-files.ts';
import { OutputError } from './report-files.ts';
import { notWritableError, RunLock } from './run-lock.ts';

/** A folder that this process alone writes to. */
export interface OutputFolder {
  readonly path: string;
  /** The journal of the run that the folder held before, where it is now. */
  readonly earlierJournal: string | null;
  /** Lets others write to it. */
  release(): void;
  /** Restores what was there before, for a run that never began. */
  restore(): void;
}

/**
 * Makes a folder ready for a run, `reports/<time>` where none is named. What an earlier run left there moves to `previous/<its start>`.
 * Rejects with a ConfigurationError when another run writes to the folder, when it holds a file of this name that the kit did not
 * write, or when it cannot be written.
 */
export async function openOutputFolder(
  named: string | undefined,
  wanted: readonly OutputFormat[],
): Promise<OutputFolder> {
  if (named !== undefined) assertOutputFolder(named);
  const made: string[] = [];
  const moved: [string, string][] = [];
  let lock: RunLock | null = null;
  const undo = () => {
    for (const [from, to] of moved.reverse()) renameSync(to, from);
    lock?.release();
    for (const one of made.reverse()) if (readdirSync(one).length === 0) rmdirSync(one);
  };
  const path = named ?? createRunFolder(made);
  try {
    made.push(...createFolder(path));
    accessSync(path, constants.W_OK);
    lock = await RunLock.acquire(path);
    assertNoForeignFiles(path, outputFiles(wanted));
    const earlier = moveEarlierRun(path, made, moved);
    const earlierJournal = earlier === null ? null : join(earlier, JOURNAL_FILE);
    return { path, earlierJournal, restore: undo, release: () => lock?.release() };
  } catch (error) {
    undo();
    if (error instanceof OutputError) throw error;
    const fault = error instanceof ConfigurationError ? error : notWritableError(path, error);
    throw new ConfigurationError(`--out: ${fault.message}`);
  }
}

/** Throws a ConfigurationError when the folder holds one of these files and the kit did not write it. */
export function assertNoForeignFiles(folder: string, files: readonly string[]): void {
  const foreign = files.find((file) => isStored(folder, file) && !isKitFile(folder, file));
  if (foreign === undefined) return;
  throw new ConfigurationError(
    `${join(folder, foreign)} was not written by this kit and is not overwritten; move it away, or name another folder`,
  );
}

/** Throws a ConfigurationError where --out names a file. */
export function assertOutputFolder(out: string): void {
  if (existsSync(out) && statSync(out).isFile()) throw new ConfigurationError(`--out: ${out} is a file; name a folder`);
}

/** Makes `reports/2026-11-21T12-30-00`. Two runs that start in the same second do not meet: a folder is made only once. */
export function createRunFolder(made: string[], now = new Date(), parent = 'reports'): string {
  const time = now.toISOString().slice(0, 19).replaceAll(':', '-');
  try {
    made.push(...createFolder(parent));
    for (let number = 1; ; number += 1) {
      const path = join(parent, number === 1 ? time : `${time}-${number}`);
      if (!createSingleFolder(path)) continue;
      made.push(path);
      return path;
    }
  } catch (error) {
    throw new ConfigurationError(`--out: ${notWritableError(parent, error).message}`);
  }
}

/** Where the earlier run is now; null where there was none. */
function moveEarlierRun(folder: string, made: string[], moved: [string, string][]): string | null {
  const own = RUN_FILES.filter((file) => isStored(folder, file) && isKitFile(folder, file));
  if (own.length === 0) return null;
  const start = own.includes(JOURNAL_FILE) ? readStartTime(join(folder, JOURNAL_FILE)) : null;
  const name = (start ?? new Date().toISOString()).replaceAll(':', '-');
  const earlier = unusedPath(join(folder, 'previous', name));
  made.push(...createFolder(earlier));
  for (const file of own) {
    const [from, to] = [join(folder, file), join(earlier, file)];
    renameSync(from, to);
    moved.push([from, to]);
  }
  return own.includes(JOURNAL_FILE) ? earlier : null;
}

function unusedPath(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(name)) return name;
  }
}

function readStartTime(journal: string): string | null {
  return /"startedAt":"([^"]+)"/.exec(readEdges(journal).beginning)?.[1] ?? null;
}
