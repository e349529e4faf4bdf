import { setTimeout as pause } from 'node:timers/promises';
import type { ApiResponse } from '../../engine/model/messages.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { ActorName } from '../../specs/target.ts';
import type { CheckContext } from '../context/check-context.ts';
import { type ListQuery, listInvoices } from './operations.ts';

/** Those who ask for one page of one actor's list: whose request is under way, and who waits for the next. */
interface ListQueue {
  inFlight: Promise<unknown> | null;
  queued: Promise<ApiResponse> | null;
}

const queuesByRun = new WeakMap<RunContext, Map<string, ListQueue>>();

/**
 * A page of an actor's list, as it is after the moment of asking. All who ask for the same page while another such request is
 * under way get one answer, that of the next: a run looks for what should not be there after some hundred refusals, many of them
 * at the same time, and a page of a hundred invoices is by far the longest of all answers.
 */
export async function coalescedList(ctx: CheckContext, query: ListQuery, as: ActorName): Promise<ApiResponse> {
  const { run } = ctx;
  // Others may be waiting for its end: it does not join those who wait themselves.
  if (run.holdsExclusiveLock(ctx.execution.id)) return await listInvoices(ctx, query, { as: ctx.credentials(as) });
  const turn = queueFor(run, JSON.stringify([as, query]));
  if (turn.queued) {
    const response = await turn.queued;
    ctx.addEvidence([response]);
    return response;
  }
  const ask = () =>
    listInvoices(ctx, query, {
      as: ctx.credentials(as),
      onSent: () => {
        turn.queued = null;
        turn.inFlight = own;
      },
    });
  const own: Promise<ApiResponse> = waitForInFlight(turn.inFlight).then(ask);
  turn.queued = own;
  return await own.finally(() => {
    if (turn.queued === own) turn.queued = null;
    if (turn.inFlight === own) turn.inFlight = null;
  });
}

function queueFor(run: RunContext, key: string): ListQueue {
  const turns = queuesByRun.get(run) ?? new Map<string, ListQueue>();
  queuesByRun.set(run, turns);
  const turn = turns.get(key) ?? { inFlight: null, queued: null };
  turns.set(key, turn);
  return turn;
}

/** Over a slow wire it is the waiting that costs, not the page. */
const MAX_COALESCING_WAIT_MS = 25;

/** Until the look under way has ended; what became of it is for the check that asked to say. */
async function waitForInFlight(look: Promise<unknown> | null): Promise<void> {
  if (look) await Promise.race([look, pause(MAX_COALESCING_WAIT_MS)]).catch(() => {});
}
