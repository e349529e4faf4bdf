import { bindingInWords } from '../../engine/diagnosis/operation-binding.ts';
import { Redactor } from '../../engine/evidence/redactor.ts';
import { Client } from '../../engine/http/client.ts';
import { ConfigurationFault } from '../../engine/model/configuration-error.ts';
import { isShown } from '../../engine/model/messages.ts';
import { examine, type Preflight } from '../../engine/preflight/preflight.ts';
import { isLoopback } from '../../engine/target/loopback.ts';
import { concealTarget } from '../../engine/target/target-secrets.ts';
import type { CheckId } from '../../specs/generated/ids.ts';
import { OPERATION_NAMES, type Target } from '../../specs/target.ts';
import { profileCosts } from './costs.ts';
import type { ActorDiagnosis, Diagnosis, OperationDiagnosis } from './diagnosis.ts';
import { checksThatRemain, knownBindingProblems } from './needs.ts';
import { readProof } from './read-proof.ts';
import { type Walk, walkOperations } from './walk.ts';

export interface DoctorRequest {
  target: Target;
  checks: readonly CheckId[];
  profile: string;
  /** Whether every bound operation is performed once. */
  probe: boolean;
  stop: AbortSignal;
}

/** Finds out what a run would meet. Judges nothing; without a probe it only reads. Throws a ConfigurationFault without an answer. */
export async function examineTarget({ target, checks, profile, probe, stop }: DoctorRequest): Promise<Diagnosis> {
  const durations: number[] = [];
  const { found, read } = await readOnly(target, durations, stop);
  const known = knownBindingProblems(target);
  if (read?.problem) known.set('read', read.problem);
  const walk = probe && found.problems.length === 0 ? await walkOf(target, checks, stop) : null;
  const problems = [...found.problems, ...(walk && 'problems' in walk ? walk.problems : [])];
  const walked = walk && 'operations' in walk ? walk : null;
  for (const { operation, problem } of walked?.operations ?? []) {
    const name = OPERATION_NAMES.find((each) => each === operation);
    if (name && problem !== null) known.set(name, problem);
  }
  const remaining = checksThatRemain(target, found.organizations, checks, known);
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
        asExpected: actor === 'revoked' ? status === 401 : status !== null && isShown({ status }),
        organization,
        source,
      }),
    ),
    operations: walked?.operations ?? bindings(target, known, read),
    problems,
    ...remaining,
    profile,
    costs: profileCosts(target, median(durations)),
    leftBehind: walked?.leftBehind ?? null,
    exitCode: problems.length > 0 ? 2 : incomplete ? 3 : 0,
  };
}

type Read = Pick<OperationDiagnosis, 'as' | 'status' | 'problem'> | null;

async function readOnly(
  target: Target,
  durations: number[],
  stop: AbortSignal,
): Promise<{ found: Preflight; read: Read }> {
  const redactor = new Redactor();
  concealTarget(target, redactor);
  const write = (record: { kind: string; durationMs?: number }) => {
    if (record.kind === 'exchange' && record.durationMs !== undefined) durations.push(record.durationMs);
  };
  const client = new Client({
    target,
    journal: { longestBody: 0, write },
    redactor,
    stop,
    onAnswer: () => {},
    idPrefix: 'd',
    mutations: false,
    patienceMs: 0,
  });
  try {
    const found = await examine(target, client);
    return { found, read: found.problems.length > 0 ? null : await readProof(target, client) };
  } finally {
    await client.close();
  }
}

async function walkOf(
  target: Target,
  checks: readonly CheckId[],
  stop: AbortSignal,
): Promise<Walk | { problems: readonly string[] }> {
  try {
    return await walkOperations(target, checks, stop);
  } catch (error) {
    if (error instanceof ConfigurationFault) return { problems: error.problems };
    throw error;
  }
}

function bindings(target: Target, known: ReadonlyMap<string, string>, read: Read): OperationDiagnosis[] {
  return OPERATION_NAMES.map((name) => {
    const template = target.operations[name];
    const declared = template ? 'bound' : target.notOffered.includes(name) ? 'not-offered' : 'not bound';
    const tried = name === 'read' && read ? read : { as: null, status: null, problem: known.get(name) ?? null };
    return { operation: name, request: template ? bindingInWords(template) : null, declared, ...tried };
  });
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
