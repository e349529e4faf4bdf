import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldJournal } from '../reporting/fold.ts';
import { formats } from '../reporting/formats.ts';
import { JournalError, readOwnJournal, readOwnOutlines } from '../reporting/read-journal.ts';
import type { Report } from '../specs/report.ts';
import type { OutputFormat } from './formats-option.ts';

/** The report of the run that this process has carried out. Rejects with an OutputFailure where the journal is not its own. */
export async function reportOfRun(runId: string, journal: string): Promise<Report> {
  const report = await foldJournal(
    () => readOwnJournal(journal),
    () => readOwnOutlines(journal),
  ).catch((error: unknown) => {
    if (error instanceof JournalError || isAbsence(error)) throw changed(journal, (error as Error).message);
    throw error;
  });
  if (report.run.id !== runId) throw changed(journal, `it holds the run ${report.run.id}, not ${runId}`);
  return report;
}

function isAbsence(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function changed(journal: string, how: string): OutputFailure {
  return new OutputFailure(`${journal} was changed by others during the run (${how}); the run has no verdict`);
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
