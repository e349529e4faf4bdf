import type { Examined } from './judge-server.ts';
import type { Outcome } from './spread.ts';

/** The verdicts on one of the servers. */
export function judgedOf(outcomes: readonly Outcome[], kind: string, id: string) {
  return examinedOf(outcomes, kind, id).judged;
}

/** What was found of one of the servers. Throws where the kit could not judge it. */
export function examinedOf(outcomes: readonly Outcome[], kind: string, id: string): Examined {
  const found = outcomes.find(({ name }) => name.kind === kind && name.id === id);
  if (!found || 'broken' in found) throw new Error(`${kind} ${id} could not be judged: ${found?.broken}`);
  return found;
}
