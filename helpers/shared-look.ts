import type { Answer } from '../engine/answer.ts';
import type { Run } from '../engine/run.ts';
import type { ActorName } from '../specs/target.ts';
import type { Lab } from './lab.ts';
import { type ListQuery, list } from './operations.ts';

/** The looks of a run that have not left yet, by what they ask. */
const waitingOf = new WeakMap<Run, Map<string, Promise<Answer>>>();

/**
 * A page of an actor's list, as it is after the moment of asking. All who ask for the same page before the request leaves get
 * one answer: a run looks for what should not be there after some hundred refusals, many of them at the same time.
 */
export async function sharedLook(lab: Lab, query: ListQuery, as: ActorName): Promise<Answer> {
  const { run } = lab;
  // Others may be waiting for its end: it does not join those who wait themselves.
  if (run.invoices.within || run.funds.within) return await list(lab, query, { as: lab.who(as) });
  const waiting = waitingOf.get(run) ?? new Map<string, Promise<Answer>>();
  waitingOf.set(run, waiting);
  const key = JSON.stringify([as, query]);
  const company = waiting.get(key);
  if (company) {
    const answer = await company;
    lab.shares([answer]);
    return answer;
  }
  const own = list(lab, query, { as: lab.who(as), onDeparture: () => waiting.delete(key) });
  waiting.set(key, own);
  return await own.finally(() => {
    if (waiting.get(key) === own) waiting.delete(key);
  });
}
