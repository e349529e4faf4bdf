import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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
 * Makes the folder ready for a run. What an earlier run left there moves to `previous/<its start>`: nothing is lost.
 * Throws a ConfigurationFault when the folder cannot be written.
 */
export function prepareFolder(folder: string): void {
  try {
    makeFolder(folder);
    if (existsSync(join(folder, JOURNAL_FILE))) {
      const earlier = join(folder, 'previous', startOf(join(folder, JOURNAL_FILE)));
      makeFolder(earlier);
      for (const file of OWN_FILES) {
        if (existsSync(join(folder, file))) renameSync(join(folder, file), join(earlier, file));
      }
    }
  } catch (error) {
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

/** Writes a report in every format asked for; report.json always. */
export function writeReports(folder: string, report: Report, wanted: readonly OutputFormat[]): void {
  for (const [name, { file, render }] of Object.entries(formats)) {
    if (name === 'json' || wanted.some((each) => each === name)) writeFileSync(join(folder, file), render(report));
  }
}
