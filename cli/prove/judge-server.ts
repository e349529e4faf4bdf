import { rmSync } from 'node:fs';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { CheckRunner } from '../../engine/run/check-runner.ts';
import { prepareRun } from '../../engine/run/prepare-run.ts';
import { createCheckSuite } from '../../helpers/check-suite.ts';
import type { ReferenceTarget } from '../../reference/fixtures/target.ts';
import type { ServerOverrides } from '../../reference/overrides/server-overrides.ts';
import { startReference } from '../../reference/service/start.ts';
import { checksOfProfile } from '../../specs/catalogue/selection.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { parseTarget, type Target } from '../../specs/target-file/target.ts';
import type { CheckVerdict } from '../../specs/verdicts.ts';
import { allChecks } from '../../suites/all.ts';
import { allRules } from '../../suites/every-exchange/all-rules.ts';
import { createTemporaryFolder } from '../processes/temporary-folder.ts';

/** The result of one check on one server. */
export interface CheckOutcome {
  id: CheckId;
  verdict: CheckVerdict;
  reason: string;
  /** For fail and warn: the actual result. */
  actual: string;
  /** For blocked: the check, or the field of the target file, that caused it. */
  blockedBy: string | null;
}

/** All verdicts on one server, and their cost. */
export interface ServerExamination {
  judged: CheckOutcome[];
  durationMs: number;
  requests: number;
}

const SEED = 1;
/** Upper limit for every delayed effect of the servers of the proof. */
const SETTLE_TIMEOUT_MS = 1_500;
/** The reference service holds no real money. */
const UNLIMITED_SUM = '999999999999.99';

/** The verdicts on the reference service with one deviation. `checks` defaults to the full profile. */
export async function judgeServer(deviation: ServerOverrides, checks?: readonly CheckId[]): Promise<CheckOutcome[]> {
  return (await examineServer(deviation, checks)).judged;
}

/** A server after a run, while it still responds, and the folder with the journal. */
export interface JudgedServer {
  target: ReferenceTarget;
  folder: string;
}

export interface ExaminationOptions {
  /** Maximum number of requests. */
  budget?: number | undefined;
  /** Called before the server ends. */
  inspect?: (judged: JudgedServer) => Promise<void>;
}

/** Runs the kit against the reference service with one deviation. */
export async function examineServer(
  deviation: ServerOverrides,
  checks?: readonly CheckId[],
  { budget, inspect }: ExaminationOptions = {},
): Promise<ServerExamination> {
  const { target: adapt, ...options } = deviation;
  const server = await startReference(options);
  try {
    const { limits } = server.target;
    const described = {
      ...server.target,
      limits: {
        ...limits,
        settleWithinMs: SETTLE_TIMEOUT_MS,
        withdrawAtMost: UNLIMITED_SUM,
        ...(budget !== undefined && { maxRequests: budget }),
      },
    };
    const adapted = adapt ? adapt(described) : described;
    return await runChecks(parseTarget(adapted), checks, budget, async (folder) =>
      inspect?.({ target: server.target, folder }),
    );
  } finally {
    await server.close();
  }
}

/** The verdicts on a target. */
export async function judgeTarget(target: Target): Promise<CheckOutcome[]> {
  return (await runChecks(target)).judged;
}

/** Runs the kit against a target, in this process. */
async function runChecks(
  target: Target,
  checks: readonly CheckId[] = checksOfProfile('full'),
  budget?: number,
  inspect: (folder: string) => Promise<void> = async () => {},
): Promise<ServerExamination> {
  const folder = createTemporaryFolder('prove');
  try {
    const { plan } = await prepareRun({
      target,
      checks,
      definitions: allChecks,
      profile: 'full',
      filtered: [],
      budget,
      seed: SEED,
      strict: false,
      folder,
      signal: new AbortController().signal,
    });
    const session = new CheckRunner(plan, createCheckSuite(allChecks, allRules));
    const started = performance.now();
    session.start();
    const records = await Promise.all(session.ids.map((id) => session.runCheck(id)));
    await session.close();
    const judged = records.flatMap((record) => {
      if (!record) return [];
      const { id, verdict, reason, actual, blockedBy } = record;
      return [{ id: id as CheckId, verdict, reason, actual, blockedBy }];
    });
    const durationMs = Math.round(performance.now() - started);
    await inspect(folder);
    return { judged, durationMs, requests: session.run.requestCount };
  } catch (error) {
    // The target files of the proof are valid, so the cause is the server: every check ends in an error.
    if (!(error instanceof ConfigurationError)) throw error;
    const reason = `the preflight rejects the target file: ${error.message}`;
    return {
      judged: checks.map((id) => ({ id, verdict: 'error', reason, actual: '', blockedBy: null })),
      durationMs: 0,
      requests: 0,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
