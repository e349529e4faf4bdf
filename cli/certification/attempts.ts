import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { JOURNAL_FILE } from '../../engine/evidence/journal.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { isSameTarget } from '../../reporting/compare/same-target.ts';
import { JournalError, readJournal } from '../../reporting/journal/read-journal.ts';
import { buildReport } from '../../reporting/report/build-report.ts';
import type { Attempt } from '../../specs/certification/certification.ts';
import { type Target, targetName } from '../../specs/target-file/target.ts';
import { readRunVerdicts } from '../earlier-runs/run-verdicts.ts';

const OPTION = '--out';

/**
 * The earlier attempts to certify in this folder, oldest first: those whose evidence it holds, and those that this evidence names.
 * Runs of other commands do not count. Rejects with a ConfigurationError if the evidence of an earlier run is not readable,
 * or of another server.
 */
export async function readAttempts(folder: string, target: Pick<Target, 'name' | 'baseUrl'>): Promise<Attempt[]> {
  const earlier = join(folder, 'previous');
  const folders = existsSync(earlier) ? readdirSync(earlier).map((name) => join(earlier, name)) : [];
  const found = new Map<string, Attempt>();
  for (const each of [folder, ...folders].filter((path) => existsSync(join(path, JOURNAL_FILE)))) {
    const { header } = await readRunVerdicts(each, OPTION);
    if (header.certification === undefined) continue;
    const { name, baseUrl } = header.target;
    if (!isSameTarget({ name, baseUrl }, { name: targetName(target), baseUrl: target.baseUrl }))
      throw new ConfigurationError(`${OPTION}: ${folder} holds attempts of ${name} (${baseUrl}); name another folder`);
    for (const attempt of header.certification.attempts) found.set(attempt.runId, attempt);
    const { id: runId, startedAt } = header.run;
    const journal = join(each, JOURNAL_FILE);
    found.set(runId, { runId, startedAt, verdict: await verdictOf(journal), evidence: await fileDigest(journal) });
  }
  return [...found.values()].sort((one, other) => one.startedAt.localeCompare(other.startedAt));
}

/** Damaged evidence proves nothing, but the attempt was made. */
async function verdictOf(journal: string): Promise<Attempt['verdict']> {
  try {
    return (await buildReport(() => readJournal(journal))).verdict;
  } catch (error) {
    if (error instanceof JournalError) return 'inconclusive';
    throw error;
  }
}

/** SHA-256 in hexadecimal. */
async function fileDigest(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return digest.digest('hex');
}
