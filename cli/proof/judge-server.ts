import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Session } from '../../engine/session.ts';
import { startRun } from '../../engine/start-run.ts';
import { repertoireOf } from '../../helpers/repertoire.ts';
import { startReference } from '../../reference/start.ts';
import type { Deviation } from '../../reference/variations/variation.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { checksOfProfile } from '../../specs/selection.ts';
import { type Target, targetFile } from '../../specs/target.ts';
import type { CheckVerdict } from '../../specs/verdicts.ts';
import { allChecks } from '../../suites/all.ts';

/** One check's word on one server. */
export interface Judged {
  id: CheckId;
  verdict: CheckVerdict;
  reason: string;
  /** For blocked: the check or the field of the target file that came in the way. */
  blockedBy: string | null;
}

const SEED = 1;
/** The servers of the proof need no longer than this for anything they do late. */
const SETTLES_WITHIN_MS = 1_500;

/** Runs the kit against the reference service with one deviation. `checks` are all of them where none are named. */
export async function judgeServer(deviation: Deviation, checks?: readonly CheckId[]): Promise<Judged[]> {
  const { target: adapt, ...options } = deviation;
  const server = await startReference(options);
  try {
    const { limits } = server.target;
    const described = { ...server.target, limits: { ...limits, settleWithinMs: SETTLES_WITHIN_MS } };
    return await judgeTarget(targetFile.parse(adapt ? adapt(described) : described), checks);
  } finally {
    await server.close();
  }
}

/** Runs the kit against a target, in this process. */
export async function judgeTarget(
  target: Target,
  checks: readonly CheckId[] = checksOfProfile('full'),
): Promise<Judged[]> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-prove-'));
  try {
    const { plan } = await startRun({
      target,
      checks,
      profile: 'full',
      filtered: [],
      seed: SEED,
      strict: false,
      folder,
      stop: new AbortController().signal,
    });
    const session = new Session(plan, repertoireOf(allChecks));
    session.start();
    const records = await Promise.all(session.ids.map((id) => session.perform(id)));
    await session.close();
    return records.flatMap((record) => {
      if (!record) return [];
      const { id, verdict, reason, blockedBy } = record;
      return [{ id: id as CheckId, verdict, reason, blockedBy }];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
