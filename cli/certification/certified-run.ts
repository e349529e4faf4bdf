import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { type JournalSource, readJournalBytes } from '../../reporting/journal/read-journal.ts';
import { buildReport } from '../../reporting/report/build-report.ts';
import type { Report } from '../../specs/formats/report.ts';
import { readingJournal, runJournal } from '../earlier-runs/run-journal.ts';
import { assertNoHistory } from '../earlier-runs/run-report.ts';
import { readNamedFile } from './certification-files.ts';
import { lineProblems } from './read-evidence.ts';

/** A run of `certify` in a folder. */
export interface CertifiedRun {
  readonly evidence: Buffer;
  /** Built from these bytes. */
  readonly report: Report;
  /** Of the target file of the run. */
  readonly targetDigest: string;
}

/** Reads the evidence once, so that the report is that of the sealed bytes. Rejects with a ConfigurationError without a run that certifies. */
export async function readCertifiedRun(folder: string): Promise<CertifiedRun> {
  assertNoHistory(folder, '<dir>');
  const journal = runJournal(folder, '<dir>');
  const evidence = readNamedFile(journal, '<dir>', 'write the folder of a readable run');
  const source: JournalSource = () => readJournalBytes(evidence, journal);
  const report = await readingJournal(journal, '<dir>', buildReport(source));
  if (report.certification === null)
    throw new ConfigurationError(
      `<dir>: ${folder} holds a run of another command; run "conformance certify" and seal its folder`,
    );
  // The desk would reject the package.
  const [problem] = lineProblems(evidence);
  if (problem !== undefined)
    throw new ConfigurationError(`<dir>: ${journal}: ${problem}; run "conformance certify" again`);
  return { evidence, report, targetDigest: await targetDigestIn(source) };
}

/** The digest in the header, the first record. */
async function targetDigestIn(source: JournalSource): Promise<string> {
  for await (const [first] of source()) if (first?.kind === 'header') return first.target.digest;
  throw new Error('the journal has no header');
}
