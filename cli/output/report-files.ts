import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formats } from '../../reporting/formats/formats.ts';
import { JournalError, readOwnJournal, readOwnSlimRecords } from '../../reporting/journal/read-journal.ts';
import { buildReport } from '../../reporting/report/build-report.ts';
import type { Report } from '../../specs/report.ts';
import type { OutputFormat } from '../options/formats-option.ts';

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

/** Writes a report in every requested format, and always report.json. Throws an OutputError. */
export function writeReports(folder: string, report: Report, wanted: readonly OutputFormat[]): void {
  for (const [name, { file, pieces }] of Object.entries(formats)) {
    if (name === 'json' || wanted.some((each) => each === name))
      writeReport(join(folder, file), pieces(report), folder);
  }
}

/** A file cannot be written, for example on a full disk. The evidence may still be complete. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

function writeReport(path: string, pieces: Iterable<string>, folder: string): void {
  try {
    const file = openSync(path, 'w');
    try {
      for (const piece of bufferPieces(pieces)) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OutputError(
      `cannot write ${path} (${code ?? message}); free disk space or grant write access, then run: conformance report ${folder}`,
    );
  }
}

/** In characters. */
const BUFFER_LENGTH = 64 * 1024;

function* bufferPieces(pieces: Iterable<string>): Generator<string, void, undefined> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < BUFFER_LENGTH) continue;
    yield text;
    text = '';
  }
  yield text;
}
