import { setTimeout as pause } from 'node:timers/promises';
import { runState } from '../../engine/ledger/run-ledger.ts';
import { unansweredRequests } from '../../engine/ledger/unanswered-requests.ts';
import type { ApiResponse } from '../../engine/model/messages.ts';
import { Blocked, NoResponse } from '../../engine/model/outcomes.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { ActorName } from '../../specs/target-file/target.ts';
import type { CheckContext } from '../context/check.ts';
import { type ListQuery, listInvoices } from './operations.ts';

/**
 * The callers that want one page of one actor's list: the request in progress, and the callers that wait for the next
 * one.
 */
interface ListQueue {
  inFlight: Promise<unknown> | null;
  queued: Promise<ApiResponse> | null;
}

const queuesOf = runState(() => new Map<string, ListQueue>());

/**
 * A page of an actor's list, requested after the call. Callers of the same page share the next response while another
 * request is in progress, because a page of a hundred invoices is the largest response of a run and is needed after
 * every rejection.
 */
export async function coalescedList(ctx: CheckContext, query: ListQuery, as: ActorName): Promise<ApiResponse> {
  try {
    return await nextResponse(ctx, query, as);
  } catch (error) {
    const failed = error instanceof NoResponse ? unansweredRequests(ctx.run).get(error.requestLine) : undefined;
    if (failed === undefined || failed === ctx.execution.id) throw error;
    // One check fails by the missing response. The others cannot be judged.
    throw new Blocked(failed, (error as NoResponse).message);
  }
}

async function nextResponse(ctx: CheckContext, query: ListQuery, as: ActorName): Promise<ApiResponse> {
  const { run } = ctx;
  // Other callers may be waiting for the end of this exclusive section, so it must not wait with them.
  if (ctx.isExclusive) return await listInvoices(ctx, query, { as: ctx.credentials(as) });
  const turn = queueFor(run, JSON.stringify([as, query]));
  if (turn.queued) {
    const response = await turn.queued;
    ctx.addEvidence([response]);
    return response;
  }
  const request = () =>
    listInvoices(ctx, query, {
      as: ctx.credentials(as),
      onSent: () => {
        turn.queued = null;
        turn.inFlight = own;
      },
    });
  const own: Promise<ApiResponse> = waitForInFlight(turn.inFlight).then(request);
  turn.queued = own;
  return await own.finally(() => {
    if (turn.queued === own) turn.queued = null;
    if (turn.inFlight === own) turn.inFlight = null;
  });
}

function queueFor(run: RunContext, key: string): ListQueue {
  const turns = queuesOf(run);
  const turn = turns.get(key) ?? { inFlight: null, queued: null };
  turns.set(key, turn);
  return turn;
}

/** On a fast connection few callers would share a response without it. */
const MIN_COALESCING_WAIT_MS = 15;
/** On a slow connection the wait costs more than the page. */
const MAX_COALESCING_WAIT_MS = 25;

/** Waits until the request in progress has ended. Its own caller handles its outcome. */
async function waitForInFlight(inFlight: Promise<unknown> | null): Promise<void> {
  if (!inFlight) return;
  const ended = Promise.all([inFlight, pause(MIN_COALESCING_WAIT_MS)]);
  await Promise.race([ended, pause(MAX_COALESCING_WAIT_MS)]).catch(() => {});
}
