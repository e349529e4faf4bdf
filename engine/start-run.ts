import { randomUUID } from 'node:crypto';
import { catalogueDigest, requirements } from '../specs/catalogue.ts';
import type { CheckId } from '../specs/generated/ids.ts';
import { SCHEMA_VERSION } from '../specs/journal.ts';
import { withoutForbidden } from '../specs/selection.ts';
import type { Target } from '../specs/target.ts';
import { Client } from './client.ts';
import { JOURNAL_FILE, Journal } from './journal.ts';
import { kit } from './kit.ts';
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

/** Proves the target, begins the journal, and says what the run consists of. Throws a ConfigurationFault. */
export async function startRun(request: RunRequest): Promise<{ plan: Plan; found: Preflight }> {
  const { target, folder, profile, filtered, seed, strict } = request;
  const redactor = new Redactor();
  concealTarget(target, redactor);
  const { selected, excluded } = withoutForbidden(request.checks, target.allow);
  const runId = randomUUID();
  const journal = Journal.create(folder, redactor);
  journal.write({
    kind: 'header',
    schemaVersion: SCHEMA_VERSION,
    kit,
    run: { id: runId, startedAt: new Date().toISOString(), seed, profile, filtered, strict },
    target: {
      name: target.name ?? new URL(target.baseUrl).host,
      baseUrl: target.baseUrl,
      ...(target.implementation && { implementation: target.implementation }),
    },
    catalogue: { digest: catalogueDigest, requirements: [...requirements] },
    selected,
    excluded,
  });
  const client = new Client({
    target,
    journal,
    redactor,
    stop: request.stop,
    onAnswer: () => {},
    idPrefix: 'p',
    mutations: false,
    patienceMs: 0,
  });
  try {
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
    };
    return { plan, found };
  } catch (error) {
    journal.discard();
    throw error;
  } finally {
    await client.close();
    journal.close();
  }
}
