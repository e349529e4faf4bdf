import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
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
  const [, found] = /"startedAt":"([^"]+)"/.exec(readFileSync(journal, 'utf8').slice(0, 10_000)) ?? [];
  return (found ?? new Date().toISOString()).replaceAll(':', '-');
}

/** Writes a report in every format asked for; report.json always. Throws an OutputFailure. */
export function writeReports(folder: string, report: Report, wanted: readonly OutputFormat[]): void {
  for (const [name, { file, render }] of Object.entries(formats)) {
    if (name === 'json' || wanted.some((each) => each === name)) write(join(folder, file), render(report), folder);
  }
}

/** The disk is full, or the folder went away: the evidence may still be whole. */
export class OutputFailure extends Error {
  override readonly name = 'OutputFailure';
}

function write(path: string, content: string, folder: string): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OutputFailure(
      `cannot write ${path} (${code ?? message}); make room or allow writing, then: conformance report ${folder}`,
    );
  }
}
