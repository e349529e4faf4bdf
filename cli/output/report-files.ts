import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { systemErrorCode } from '../../engine/model/system-error.ts';
import { allureConfiguration, allureFiles } from '../../reporting/formats/allure.ts';
import { type FormatOptions, formats } from '../../reporting/formats/formats.ts';
import { harPieces } from '../../reporting/formats/har.ts';
import { JournalError, readOwnJournal, readOwnSlimRecords } from '../../reporting/journal/read-journal.ts';
import { buildReport } from '../../reporting/report/build-report.ts';
import { REPRODUCTION_FOLDER, scriptFile } from '../../reporting/reproduction/script-file.ts';
import type { Report } from '../../specs/formats/report.ts';
import { ALLURE, HAR, type OutputFormat } from '../options/formats-option.ts';
import { ALLURE_CONFIGURATION_FILE, ALLURE_FOLDER, HAR_FILE } from './run-files.ts';

/** The report of the run of this process. Rejects with an OutputError if the journal belongs to another run. */
export async function buildRunReport(runId: string, journal: string): Promise<Report> {
  const report = await buildReport(
    () => readOwnJournal(journal),
    () => readOwnSlimRecords(journal),
  ).catch((error: unknown) => {
    if (error instanceof JournalError || isMissingFile(error))
      throw changedJournalError(journal, (error as Error).message);
    throw error;
  });
  if (report.run.id !== runId) throw changedJournalError(journal, `it contains the run ${report.run.id}, not ${runId}`);
  return report;
}

function isMissingFile(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function changedJournalError(journal: string, how: string): OutputError {
  return new OutputError(`${journal} was changed by another process during the run (${how}); the run has no verdict`);
}

/**
 * Writes a report in every requested format, always report.json, and a script for each failure. Throws an OutputError.
 */
export async function writeReports(
  folder: string,
  report: Report,
  wanted: readonly OutputFormat[],
  options: FormatOptions = {},
): Promise<void> {
  for (const [name, { file, pieces }] of Object.entries(formats)) {
    if (name === 'json' || wanted.some((each) => each === name))
      await writeReport(join(folder, file), pieces(report, options), folder);
  }
  if (wanted.includes(HAR)) {
    const records = readOwnJournal(join(folder, JOURNAL_FILE));
    await writeReport(join(folder, HAR_FILE), harPieces(report, records), folder);
  }
  if (wanted.includes(ALLURE)) {
    const results = join(folder, ALLURE_FOLDER);
    rmSync(results, { recursive: true, force: true });
    mkdirSync(results, { recursive: true });
    await writeReport(join(folder, ALLURE_CONFIGURATION_FILE), [allureConfiguration(report)], folder);
    for (const { name, content } of allureFiles(report)) await writeReport(join(results, name), [content], folder);
  }
  await writeScripts(folder, report);
}

async function writeScripts(folder: string, { checks }: Report): Promise<void> {
  const scripts = join(folder, REPRODUCTION_FOLDER);
  rmSync(scripts, { recursive: true, force: true });
  for (const check of checks) {
    const file = scriptFile(check);
    if (file === null) continue;
    const path = join(folder, file);
    mkdirSync(scripts, { recursive: true });
    await writeReport(path, [check.reproduction?.script ?? ''], folder);
    chmodSync(path, 0o755);
  }
}

/** A file cannot be written, for example on a full disk. The evidence may still be complete. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

type Pieces = Iterable<string> | AsyncIterable<string>;

async function writeReport(path: string, pieces: Pieces, folder: string): Promise<void> {
  try {
    const file = openSync(path, 'w');
    try {
      for await (const piece of bufferPieces(pieces)) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new OutputError(
      `cannot write ${path} (${systemErrorCode(error)}); free disk space or grant write access, then run: conformance report ${folder}`,
    );
  }
}

/** In characters. */
const BUFFER_LENGTH = 64 * 1024;

async function* bufferPieces(pieces: Pieces): AsyncGenerator<string, void, undefined> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < BUFFER_LENGTH) continue;
    yield text;
    text = '';
  }
  yield text;
}
