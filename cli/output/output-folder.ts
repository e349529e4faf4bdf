import { accessSync, constants, existsSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder, createSingleFolder } from '../../engine/evidence/folder-creation.ts';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { isNightFolder, nightFolders } from '../earlier-runs/night-file.ts';
import type { OutputFormat } from '../options/formats-option.ts';
import { OutputError } from './report-files.ts';
import { isKitFile, isStored, outputFiles, RUN_FILES, readEdges } from './run-files.ts';
import { notWritableError, RunLock } from './run-lock.ts';

/** A folder that only this process writes to. */
export interface OutputFolder {
  readonly path: string;
  /** Current path of the journal of the previous run in this folder; null without one. */
  readonly earlierJournal: string | null;
  /** Releases the lock of the folder. */
  release(): void;
  /** Restores the previous content, for a run that did not start. */
  restore(): void;
}

/**
 * Prepares a folder for a run, `reports/<time>` if none is named. The files of an earlier run move to `previous/<its start>`.
 * Rejects with a ConfigurationError if another run writes to the folder, if it contains a file of the same name that the kit did
 * not write, if it belongs to a history, or if it is not writable.
 */
export async function openOutputFolder(
  named: string | undefined,
  wanted: readonly OutputFormat[],
): Promise<OutputFolder> {
  if (named !== undefined) {
    assertOutputFolder(named);
    assertNotInHistory(named);
  }
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

/** Throws a ConfigurationError if the folder contains one of these files and the kit did not write it. */
export function assertNoForeignFiles(folder: string, files: readonly string[]): void {
  const foreign = files.find((file) => isStored(folder, file) && !isKitFile(folder, file));
  if (foreign === undefined) return;
  throw new ConfigurationError(
    `${join(folder, foreign)} was not written by this kit and is not overwritten; move it away, or name another folder`,
  );
}

/** Throws a ConfigurationError if --out names a file. */
export function assertOutputFolder(out: string): void {
  if (existsSync(out) && statSync(out).isFile()) throw new ConfigurationError(`--out: ${out} is a file; name a folder`);
}

/** A run in a folder of a history would replace the report that the page of the history leads to. */
function assertNotInHistory(out: string): void {
  const found = isNightFolder(out) ? 'is a run of a history' : nightFolders(out).length > 0 ? 'is a history' : null;
  if (found !== null)
    throw new ConfigurationError(`--out: ${out} ${found}, which only --history writes to; name another folder`);
}

/** Creates `reports/2026-11-21T12-30-00`. Runs that start in the same second get different folders. */
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

/** The new folder of the earlier run; null without one. */
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
