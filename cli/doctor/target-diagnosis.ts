import { describeBinding } from '../../engine/diagnosis/operation-binding.ts';
import { Redactor } from '../../engine/evidence/redactor.ts';
import { Client } from '../../engine/http/client.ts';
import { ConfigurationError } from '../../engine/model/configuration-error.ts';
import { is2xx } from '../../engine/model/messages.ts';
import { assertServiceAvailable } from '../../engine/preflight/availability.ts';
import { inspectTarget, type PreflightResult } from '../../engine/preflight/preflight.ts';
import type { Need } from '../../engine/target/capabilities.ts';
import { isLoopback } from '../../engine/target/network/loopback.ts';
import { addTargetSecrets } from '../../engine/target/target-secrets.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { OPERATION_NAMES, type Target } from '../../specs/target-file/target.ts';
import { estimateProfileCosts } from '../run/cost-estimate.ts';
import type { ActorDiagnosis, Diagnosis, OperationDiagnosis } from './diagnosis.ts';
import { knownBindingProblems, rejectedActors, remainingChecks } from './needs.ts';
import { type OperationProbeResult, probeOperations } from './operation-probe.ts';
import { probeRead } from './read-probe.ts';

export interface DoctorRequest {
  target: Target;
  checks: readonly CheckId[];
  profile: string;
  /** Whether every bound operation is called once. */
  probe: boolean;
  stop: AbortSignal;
}

/** Inspects a target without judging it; without a probe, sends only reads. Rejects with a ConfigurationError without a response. */
export async function diagnoseTarget({ target, checks, profile, probe, stop }: DoctorRequest): Promise<Diagnosis> {
  const durations: number[] = [];
  const { found, read } = await runPreflight(target, durations, stop);
  const known = knownBindingProblems(target);
  if (read?.problem) known.set('read', read.problem);
  const walk = probe && found.problems.length === 0 ? await tryOperationProbe(target, checks, stop) : null;
  const problems = [...found.problems, ...(walk && 'problems' in walk ? walk.problems : [])];
  const walked = walk && 'operations' in walk ? walk : null;
  for (const { operation, problem } of walked?.operations ?? []) {
    const name = OPERATION_NAMES.find((each) => each === operation);
    if (name && problem !== null) known.set(name, problem);
  }
  const remaining = remainingChecks(
    target,
    found.organizations,
    checks,
    new Map<Need, string>([...known, ...rejectedActors(found.actors)]),
  );
  const wrongWalk = walked?.operations.some(({ problem }) => problem !== null) ?? false;
  const incomplete = wrongWalk || remaining.blocked.some(({ required }) => required > 0);
  return {
    target: { name: target.name ?? null, baseUrl: target.baseUrl },
    tls: target.baseUrl.startsWith('https:') ? 'trusted' : isLoopback(target.baseUrl) ? 'loopback' : 'none',
    clockSkewMs: found.clockSkewMs,
    latencyMs: median(durations),
    productionWrites: target.allow.productionWrites,
    actors: found.actors.map(
      ({ actor, status, organization, source }): ActorDiagnosis => ({
        actor,
        status,
        asExpected: actor === 'revoked' ? status === 401 : status !== null && is2xx({ status }),
        organization,
        source,
      }),
    ),
    operations: walked?.operations ?? bindingRows(target, known, read),
    problems,
    notices: found.notices,
    ...remaining,
    profile,
    costs: estimateProfileCosts(target, median(durations)),
    leftovers: walked?.leftovers ?? null,
    exitCode: problems.length > 0 ? 2 : incomplete ? 3 : 0,
  };
}

type ReadProbe = Pick<OperationDiagnosis, 'as' | 'status' | 'problem'> | null;

async function runPreflight(
  target: Target,
  durations: number[],
  stop: AbortSignal,
): Promise<{ found: PreflightResult; read: ReadProbe }> {
  const redactor = new Redactor();
  addTargetSecrets(target, redactor);
  const write = (record: { kind: string; durationMs?: number }) => {
    if (record.kind === 'exchange' && record.durationMs !== undefined) durations.push(record.durationMs);
  };
  const client = new Client({
    target,
    journal: { maxBodyLength: 0, write },
    redactor,
    signal: stop,
    onResponse: () => {},
    idPrefix: 'd',
    mayMutate: false,
    outageTimeoutMs: 0,
  });
  try {
    const found = await inspectTarget(target, client);
    assertServiceAvailable(target, found.actors);
    return { found, read: found.problems.length > 0 ? null : await probeRead(target, client) };
  } finally {
    await client.close();
  }
}

async function tryOperationProbe(
  target: Target,
  checks: readonly CheckId[],
  stop: AbortSignal,
): Promise<OperationProbeResult | { problems: readonly string[] }> {
  try {
    return await probeOperations(target, checks, stop);
  } catch (error) {
    if (error instanceof ConfigurationError) return { problems: error.problems };
    throw error;
  }
}

function bindingRows(target: Target, known: ReadonlyMap<string, string>, read: ReadProbe): OperationDiagnosis[] {
  return OPERATION_NAMES.map((name) => {
    const template = target.operations[name];
    const declared = template ? 'bound' : target.notOffered.includes(name) ? 'not-offered' : 'not bound';
    const tried = name === 'read' && read ? read : { as: null, status: null, problem: known.get(name) ?? null };
    return { operation: name, request: template ? describeBinding(template) : null, declared, ...tried };
  });
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
