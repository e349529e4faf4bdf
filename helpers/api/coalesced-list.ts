import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { Run } from '../../engine/run/run-context.ts';
import type { ActorName } from '../../specs/target.ts';
import type { Lab } from '../context/check-context.ts';
import { type ListQuery, list } from './operations.ts';

/** Those who ask for one page of one actor's list: whose request is under way, and who waits for the next. */
interface Turn {
  underWay: Promise<unknown> | null;
  waiting: Promise<ApiResponse> | null;
}

const turnsOf = new WeakMap<Run, Map<string, Turn>>();

/**
 * A page of an actor's list, as it is after the moment of asking. All who ask for the same page while another such request is
 * under way get one answer, that of the next: a run looks for what should not be there after some hundred refusals, many of them
 * at the same time, and a page of a hundred invoices is by far the longest of all answers.
 */
export async function sharedLook(lab: Lab, query: ListQuery, as: ActorName): Promise<ApiResponse> {
  const { run } = lab;
  // Others may be waiting for its end: it does not join those who wait themselves.
  if (run.isWithin(lab.asking.id)) return await list(lab, query, { as: lab.who(as) });
  const turn = turnOf(run, JSON.stringify([as, query]));
  if (turn.waiting) {
    const answer = await turn.waiting;
    lab.shares([answer]);
    return answer;
  }
  const ask = () =>
    list(lab, query, {
      as: lab.who(as),
      onDeparture: () => {
        turn.waiting = null;
        turn.underWay = own;
      },
    });
  const own: Promise<ApiResponse> = ended(turn.underWay).then(ask);
  turn.waiting = own;
  return await own.finally(() => {
    if (turn.waiting === own) turn.waiting = null;
    if (turn.underWay === own) turn.underWay = null;
  });
}

function turnOf(run: Run, key: string): Turn {
  const turns = turnsOf.get(run) ?? new Map<string, Turn>();
  turnsOf.set(run, turns);
  const turn = turns.get(key) ?? { underWay: null, waiting: null };
  turns.set(key, turn);
  return turn;
}

/** Over a slow wire it is the waiting that costs, not the page. */
const LONGEST_WAIT_MS = 25;

/** Until the look under way has ended; what became of it is for the check that asked to say. */
async function ended(look: Promise<unknown> | null): Promise<void> {
  if (look) await Promise.race([look, pause(LONGEST_WAIT_MS)]).catch(() => {});
}
