import { randomUUID } from 'node:crypto';
import { catalogueDigest, requirements } from '../../specs/catalogue/catalogue.ts';
import { LEFT_OUT_BY_SHARD } from '../../specs/catalogue/selection.ts';
import { type Certification, certificationUserAgent } from '../../specs/certification/certification.ts';
import type { CustomArea } from '../../specs/formats/custom-area.ts';
import { type GateSettings, type PreviousRun, SCHEMA_VERSION, type Shard } from '../../specs/formats/journal.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { type Target, targetName } from '../../specs/target-file/target.ts';
import type { RequestLimit } from '../../specs/verdicts.ts';
import { JOURNAL_FILE, Journal } from '../evidence/journal.ts';
import { Redactor } from '../evidence/redactor.ts';
import { Client } from '../http/client.ts';
import { ConfigurationError } from '../model/configuration-error.ts';
import { is2xx } from '../model/messages.ts';
import { Interrupted } from '../model/outcomes.ts';
import { type PreflightResult, runPreflight } from '../preflight/preflight.ts';
import { kit } from '../runtime/package-info.ts';
import { RequestBudget } from '../scheduling/request-budget.ts';
import type { Need } from '../target/capabilities.ts';
import { targetDigest } from '../target/target-digest.ts';
import { addTargetSecrets } from '../target/target-secrets.ts';
import { type CheckNeeds, needsOf } from './check-definition.ts';
import { companionsOf } from './rule-sources.ts';
import type { RunPlan } from './run-plan.ts';
import { allowedChecks, assertAnyOffered, type SelectionLabels } from './select-checks.ts';

export interface RunOptions {
  target: Target;
  /** The checks selected by profile and filter. */
  checks: readonly CheckId[];
  /** All checks that send requests. */
  definitions: readonly CheckNeeds[];
  profile: string;
  filtered: readonly string[];
  /** The previous run in the same folder, if it judged the same target. */
  previous?: PreviousRun | null;
  /** The number of requests for which the checks were chosen. */
  budget?: number | undefined;
  /** What limits the requests; the target file by default. */
  requestLimit?: RequestLimit | undefined;
  /** The part of the checks that this run judges. */
  shard?: Shard | undefined;
  /** Checks that the target file allows, but no shard may run. */
  withoutShard?: readonly CheckId[];
  /** Of a run that certifies. */
  certification?: Certification | undefined;
  /** The custom checks of the run. */
  custom?: readonly CustomArea[];
  /** What the target file must contain for them. */
  customNeeds?: readonly Need[];
  /** What decides the exit code, if not the verdict alone. */
  gate?: GateSettings | null;
  /** The names of the options or variables for profile and filter; the options of the command by default. */
  names?: SelectionLabels;
  seed: number;
  strict: boolean;
  folder: string;
  signal: AbortSignal;
}

const OPTION_NAMES: SelectionLabels = { profile: '--profile', only: '--only' };

/**
 * Runs the preflight, starts the journal, and returns the plan of the run.
 * Throws a ConfigurationError, or Interrupted if it is stopped.
 */
export async function prepareRun(request: RunOptions): Promise<{ plan: RunPlan; found: PreflightResult }> {
  const { target, folder, profile, filtered, seed, strict } = request;
  const redactor = new Redactor();
  addTargetSecrets(target, redactor);
  const mutations = profile !== 'read-only';
  const { names = OPTION_NAMES } = request;
  const choice = { profile, only: filtered };
  const { selected, excluded } = allowedChecks(request.checks, choice, target, names);
  assertAnyOffered(request.definitions, selected, choice, target, names);
  const companions = filtered.length > 0 ? companionsOf(profile, selected) : [];
  // A check without a definition is an exchange rule, which sends no requests.
  const sendsNothing = selected.every((id) => !request.definitions.some((definition) => definition.id === id));
  const needs = new Set([
    ...needsOf(request.definitions, sendsNothing ? companions : selected),
    ...(request.customNeeds ?? []),
  ]);
  const runId = randomUUID();
  const { maxRequests, deadlineMs } = target.limits;
  const startedAt = new Date();
  const deadlineAt = deadlineMs === 'none' ? undefined : startedAt.getTime() + deadlineMs;
  const deadline = deadlineMs === 'none' ? null : AbortSignal.timeout(deadlineMs);
  const budget = new RequestBudget(maxRequests, { limitedBy: request.requestLimit });
  const journal = Journal.create(folder, redactor);
  const userAgent = request.certification && certificationUserAgent(kit, request.certification);
  const client = new Client({
    target,
    journal,
    redactor,
    signal: deadline ? AbortSignal.any([request.signal, deadline]) : request.signal,
    budget,
    onResponse: () => {},
    userAgent,
    idPrefix: 'p',
    mayMutate: mutations,
    outageTimeoutMs: 0,
  });
  try {
    journal.write({
      kind: 'header',
      schemaVersion: SCHEMA_VERSION,
      kit,
      run: {
        id: runId,
        startedAt: startedAt.toISOString(),
        seed,
        profile,
        filtered: [...filtered],
        ...(request.budget !== undefined && { budget: request.budget }),
        ...(request.shard && { shard: request.shard }),
        strict,
        limits: target.limits,
      },
      target: {
        name: targetName(target),
        baseUrl: target.baseUrl,
        ...(target.implementation && { implementation: target.implementation }),
        allow: target.allow,
        digest: targetDigest(target),
        notOffered: target.notOffered,
        simulatesWithdrawals: target.simulatesWithdrawals,
        ...(target.secretVariables && { secretVariables: { ...target.secretVariables } }),
      },
      catalogue: { digest: catalogueDigest, requirements: [...requirements] },
      ...(request.certification && { certification: request.certification }),
      ...(request.custom && { custom: [...request.custom] }),
      ...(request.gate && { gate: request.gate }),
      ...(request.previous && { previous: request.previous }),
      selected,
      excluded: excluded.map((each) =>
        request.withoutShard?.includes(each.check) ? { ...each, reason: LEFT_OUT_BY_SHARD } : each,
      ),
    });
    const found = await runPreflight(target, client, {
      createsInvoices: mutations && needs.has('connection'),
      needsCounterparties: needs.has('unconnected') && needs.has('suspended'),
      runMark: runId.slice(0, 8),
    });
    const { organizations, trialInvoices } = found;
    const plan: RunPlan = {
      runId,
      target,
      journalPath: `${folder}/${JOURNAL_FILE}`,
      seed,
      strict,
      mayMutate: mutations,
      selected,
      companions,
      organizations,
      trialInvoices,
      rejectedActors: found.actors.filter(({ status }) => status === 401).map(({ actor }) => actor),
      acceptedActors: found.actors
        .filter(({ status }) => status !== null && is2xx({ status }))
        .map(({ actor }) => actor),
      ...(request.budget !== undefined && { budget: request.budget }),
      ...(request.requestLimit !== undefined && { requestLimit: request.requestLimit }),
      requestsSpent: budget.spent,
      ...(found.unavailable && { unavailable: found.unavailable }),
      ...(request.shard && { shard: request.shard }),
      ...(userAgent !== undefined && { userAgent }),
      ...(deadlineAt !== undefined && { deadlineAt }),
    };
    return { plan, found };
  } catch (error) {
    journal.discard();
    if (error instanceof Interrupted && deadline?.aborted) {
      throw new ConfigurationError(
        `limits.deadlineMs: ${deadlineMs} ms (--deadline) passed before the target file was verified; increase it`,
      );
    }
    throw error;
  } finally {
    await client.close();
    journal.close();
  }
}
