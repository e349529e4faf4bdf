import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JOURNAL_FILE } from '../../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../../engine/model/configuration-error.ts';
import { CheckRunner } from '../../../engine/run/check-runner.ts';
import { prepareRun } from '../../../engine/run/prepare-run.ts';
import { createCheckSuite } from '../../../helpers/check-suite.ts';
import { consoleSummary } from '../../../reporting/formats/console.ts';
import { formats, renderReport } from '../../../reporting/formats/formats.ts';
import { readJournal } from '../../../reporting/journal/read-journal.ts';
import { buildReport } from '../../../reporting/report/build-report.ts';
import { checksOfProfile, matchChecks } from '../../../specs/catalogue/selection.ts';
import { type Report, report as reportSchema } from '../../../specs/formats/report.ts';
import type { CheckId } from '../../../specs/generated/ids.ts';
import { parseTarget, type TargetInput } from '../../../specs/target-file/target.ts';
import { allChecks } from '../../../suites/all.ts';
import { allRules } from '../../../suites/every-exchange/all-rules.ts';

/** A few checks that read, create, change and remove invoices, in one or two seconds. */
export const HANDFUL = [
  'AUTH-01',
  'CREATE-01',
  'CREATE-11',
  'LIST-01',
  'LIST-02',
  'REC',
  'ERR-01',
  'LIFE-01',
  'RATE-01',
];

/** Upper limit for a run against any server, even on a busy machine. */
export const LONGEST_MS = 120_000;

export interface Judged {
  /** Exit code of the command. */
  exitCode: number;
  /** The final output. */
  said: string;
  /** Null when nothing was judged. */
  report: Report | null;
  /** Each line of evidence.jsonl; empty when nothing was judged. */
  evidence: string;
  /** Every report, rendered. */
  rendered: string;
}

export interface Judging {
  only?: readonly string[];
  /** Whether the run counts as a selection, as with `--only`; otherwise as the whole profile. */
  isSelection?: boolean;
  stop?: AbortSignal;
  seed?: number;
}

/** Runs the kit against a target, as the command does. */
export async function judged(target: TargetInput, judging: Judging = {}): Promise<Judged> {
  const folder = mkdtempSync(join(tmpdir(), 'kit-hostile-'));
  try {
    return await judgedIn(folder, target, judging);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { exitCode: 2, said: error.problems.join('\n'), report: null, evidence: '', rendered: '' };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function judgedIn(folder: string, target: TargetInput, judging: Judging): Promise<Judged> {
  const { only = HANDFUL, isSelection = false, stop = new AbortController().signal, seed = 1 } = judging;
  const checks = checksOf(only);
  const journal = join(folder, JOURNAL_FILE);
  const { plan } = await prepareRun({
    target: parseTarget(target),
    checks,
    definitions: allChecks,
    profile: 'full',
    filtered: isSelection ? [...only] : [],
    seed,
    strict: false,
    folder,
    signal: stop,
  });
  const session = new CheckRunner(plan, createCheckSuite(allChecks, allRules));
  stop.addEventListener('abort', () => session.run.stop('the test stopped it'));
  session.start();
  await Promise.all(session.ids.map((id) => session.runCheck(id)));
  await session.close();
  const report = await buildReport(() => readJournal(journal));
  const texts = Object.values(formats).map((format) => renderReport(format, report));
  reportSchema.parse(JSON.parse(renderReport(formats.json, report)));
  const said = consoleSummary(report, { color: false, width: 10_000, reportPath: 'report.html' });
  const evidence = readFileSync(journal, 'utf8');
  return { exitCode: report.exitCode, said, report, evidence, rendered: texts.join('\n') };
}

function checksOf(only: readonly string[]): CheckId[] {
  const wanted = new Set(only.flatMap((pattern) => matchChecks(pattern)));
  return checksOfProfile('full').filter((id) => wanted.has(id));
}

/** Ids of the checks with this verdict. */
export function having(judgedRun: Judged, verdict: string): string[] {
  return judgedRun.report?.checks.filter((check) => check.verdict === verdict).map(({ id }) => id) ?? [];
}
