import type { ServerExamination } from './judge-server.ts';
import type { ServerOutcome } from './worker-pool.ts';

/** The verdicts on one of the servers. Throws if the kit could not judge it. */
export function findVerdicts(outcomes: readonly ServerOutcome[], kind: string, id: string) {
  return findExamination(outcomes, kind, id).judged;
}

/** The verdicts on one of the servers, and their cost. Throws if the kit could not judge it. */
export function findExamination(outcomes: readonly ServerOutcome[], kind: string, id: string): ServerExamination {
  const found = outcomes.find(({ name }) => name.kind === kind && name.id === id);
  if (!found || 'broken' in found) throw new Error(`${kind} ${id} could not be judged: ${found?.broken}`);
  return found;
}
