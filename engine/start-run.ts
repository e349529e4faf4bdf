import { randomUUID } from 'node:crypto';
import { catalogueDigest, requirements } from '../specs/catalogue.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import { SCHEMA_VERSION } from '../specs/journal.ts';
import { withoutForbidden } from '../specs/selection.ts';
import type { Target } from '../specs/target.ts';
import { Budget } from './budget.ts';
import { Client } from './client.ts';
import { ConfigurationFault } from './configuration-fault.ts';
import { JOURNAL_FILE, Journal } from './journal.ts';
import { kit } from './kit.ts';
import { Interrupted } from './outcome.ts';
import type { Plan } from './plan.ts';
import { type Preflight, preflight } from './preflight.ts';
import { Redactor } from './redaction.ts';
import { concealTarget } from './target/secrets.ts';

export interface RunRequest {
  target: Target;
  /** The checks that profile and filter name. */
  checks: readonly CheckId[];
  profile: string;
  filtered: string[];
  seed: number;
  strict: boolean;
  folder: string;
  stop: AbortSignal;
}

/**
 * Proves the target, begins the journal, and says what the run consists of.
 * Throws a ConfigurationFault, or Interrupted when it is stopped.
 */
export async function startRun(request: RunRequest): Promise<{ plan: Plan; found: Preflight }> {
  const { target, folder, profile, filtered, seed, strict } = request;
  const redactor = new Redactor();
  concealTarget(target, redactor);
  const { selected, excluded } = withoutForbidden(request.checks, target.allow);
  const runId = randomUUID();
  const { maxRequests, deadlineMs } = target.limits;
  const startedAt = new Date();
  const deadlineAt = deadlineMs === 'none' ? undefined : startedAt.getTime() + deadlineMs;
  const deadline = deadlineMs === 'none' ? null : AbortSignal.timeout(deadlineMs);
  const budget = new Budget(maxRequests);
  const journal = Journal.create(folder, redactor);
  const client = new Client({
    target,
    journal,
    redactor,
    stop: deadline ? AbortSignal.any([request.stop, deadline]) : request.stop,
    budget,
    onAnswer: () => {},
    idPrefix: 'p',
    mutations: false,
    patienceMs: 0,
  });
  try {
    journal.write({
      kind: 'header',
      schemaVersion: SCHEMA_VERSION,
      kit,
      run: { id: runId, startedAt: startedAt.toISOString(), seed, profile, filtered, strict, limits: target.limits },
      target: {
        name: target.name ?? new URL(target.baseUrl).host,
        baseUrl: target.baseUrl,
        ...(target.implementation && { implementation: target.implementation }),
      },
      catalogue: { digest: catalogueDigest, requirements: [...requirements] },
      selected,
      excluded,
    });
    const found = await preflight(target, client);
    const { organizations } = found;
    const mutations = profile !== 'read-only';
    const plan = {
      runId,
      target,
      journal: `${folder}/${JOURNAL_FILE}`,
      seed,
      strict,
      mutations,
      selected,
      organizations,
      spent: budget.spent,
      ...(deadlineAt !== undefined && { deadlineAt }),
    };
    return { plan, found };
  } catch (error) {
    journal.discard();
    if (error instanceof Interrupted && deadline?.aborted) {
      throw new ConfigurationFault(
        `limits.deadlineMs: ${deadlineMs} ms (--deadline) were over before the target file was proved; allow more`,
      );
    }
    throw error;
  } finally {
    await client.close();
    journal.close();
  }
}
