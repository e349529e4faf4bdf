import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigurationFault } from '../engine/configuration-fault.ts';
import { JOURNAL_FILE } from '../engine/journal.ts';
import { makeFolder } from '../engine/make-folder.ts';
import { formats } from '../reporting/formats.ts';
import type { Report } from '../specs/report.ts';
import type { OutputFormat } from './formats-option.ts';

export const ALLURE_FOLDER = 'allure-results';
const OWN_FILES = [JOURNAL_FILE, ALLURE_FOLDER, ...Object.values(formats).map(({ file }) => file)];

/** `reports/2026-11-21T12-30-00`, below the working directory. */
export function defaultFolder(now = new Date()): string {
  return join('reports', now.toISOString().slice(0, 19).replaceAll(':', '-'));
}

/**
 * Makes the folder ready for a run. What an earlier run left there moves to `previous/<its start>`: nothing is lost. The
 * answer undoes it, for a run that never began. Throws a ConfigurationFault when the folder cannot be written.
 */
export function prepareFolder(folder: string): () => void {
  const made: string[] = [];
  const moved: [string, string][] = [];
  const undo = () => {
    for (const [from, to] of moved.reverse()) renameSync(to, from);
    for (const one of made.reverse()) if (readdirSync(one).length === 0) rmdirSync(one);
  };
  try {
    made.push(...makeFolder(folder));
    accessSync(folder, constants.W_OK);
    if (existsSync(join(folder, JOURNAL_FILE))) {
      const earlier = join(folder, 'previous', startOf(join(folder, JOURNAL_FILE)));
      made.push(...makeFolder(earlier));
      for (const file of OWN_FILES) {
        const [from, to] = [join(folder, file), join(earlier, file)];
        if (!existsSync(from)) continue;
        renameSync(from, to);
        moved.push([from, to]);
      }
    }
    return undo;
  } catch (error) {
    undo();
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigurationFault(
      `--out: cannot write to ${folder} (${code ?? message}); name a folder that can be written`,
    );
  }
}

function startOf(journal: string): string {
  const [, found] = /"startedAt":"([^"]+)"/.exec(beginningOf(journal)) ?? [];
  return (found ?? new Date().toISOString()).replaceAll(':', '-');
}

/** Enough for all that stands before the time of the start. A journal may be longer than any text can be. */
const BEGINNING_BYTES = 10_000;

function beginningOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(BEGINNING_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}

/** Writes a report in every format asked for; report.json always. Throws an OutputFailure. */
export function writeReports(folder: string, report: Report, wanted: readonly OutputFormat[]): void {
  for (const [name, { file, pieces }] of Object.entries(formats)) {
    if (name === 'json' || wanted.some((each) => each === name)) write(join(folder, file), pieces(report), folder);
  }
}

/** The disk is full, or the folder went away: the evidence may still be whole. */
export class OutputFailure extends Error {
  override readonly name = 'OutputFailure';
}

function write(path: string, pieces: Iterable<string>, folder: string): void {
  try {
    const file = openSync(path, 'w');
    try {
      for (const piece of gathered(pieces)) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OutputFailure(
      `cannot write ${path} (${code ?? message}); make room or allow writing, then: conformance report ${folder}`,
    );
  }
}

/** Characters that are written at once. */
const GATHERED = 64 * 1024;

function* gathered(pieces: Iterable<string>): Generator<string, void, undefined> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < GATHERED) continue;
    yield text;
    text = '';
  }
  yield text;
}
