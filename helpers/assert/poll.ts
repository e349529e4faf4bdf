import { setTimeout as pause } from 'node:timers/promises';
import { runState } from '../../engine/ledger/run-ledger.ts';
import { Blocked } from '../../engine/model/outcomes.ts';
import type { RunContext } from '../../engine/run/run-context.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/contract/lifecycle.ts';
import type { CheckContext } from '../context/check.ts';

const MIN_WAIT_MS = 20;
const MAX_WAIT_MS = 250;
/** After several seconds without an effect, a broken server would otherwise get most of the requests of a run. */
const MAX_LATE_WAIT_MS = 1000;
/** A late effect is noticed at most this much later, relative to the time that it took. */
const LATE_SHARE = 1 / 5;

/** A lookup found nothing and cannot say that there is nothing. A later one may find it: `pollUntil` repeats it. */
export class NotSeenYet extends Blocked {}

/**
 * Repeats a request until `holds` returns true or the time is over. `limit`: the kind of an accepted change, which may take
 * `limits.settleWithinMs`, or less if one of this kind has been missing before in this run; or a number of milliseconds. The last
 * request starts after that time; `request` gets true for it.
 */
export async function pollUntil<T>(
  ctx: CheckContext,
  request: (last: boolean) => Promise<T>,
  holds: (response: T) => boolean,
  limit: EffectKind | number,
): Promise<T> {
  const since = performance.now();
  const kind = typeof limit === 'number' ? undefined : limit;
  const limitMs = typeof limit === 'number' ? limit : ctx.target.limits.settleWithinMs;
  // Meanwhile, another wait for the same kind may end without success.
  const timeLeft = () => since + (kind ? effectWaitMs(ctx.run, kind, limitMs) : limitMs) - performance.now();
  const record = (isMet: boolean) => {
    if (kind) recordEffectWait(ctx.run, kind, { tookMs: performance.now() - since, isMet, limitMs });
  };
  for (let wait = MIN_WAIT_MS; ; wait = nextWaitMs(wait, performance.now() - since)) {
    const last = timeLeft() <= 0;
    const seen = await attempt(() => request(last));
    if ('value' in seen && holds(seen.value)) {
      record(true);
      return seen.value;
    }
    if (last) {
      record(false);
      if ('error' in seen) throw seen.error;
      if (kind)
        ctx.execution.missedEffects.push({ startedAt: since, hasAppeared: async () => holds(await request(true)) });
      return seen.value;
    }
    await pause(Math.min(wait, Math.max(1, timeLeft())));
  }
}

/** The next pause, in milliseconds: twice as long up to a quarter of a second, and longer after a second of polling. */
export function nextWaitMs(last: number, elapsedMs: number): number {
  const late = Math.min(elapsedMs * LATE_SHARE, MAX_LATE_WAIT_MS);
  return Math.min(last * 2, Math.max(MAX_WAIT_MS, late));
}

/** The result of a request, or the reason why it found nothing. */
async function attempt<T>(request: () => Promise<T>): Promise<{ value: T } | { error: NotSeenYet }> {
  try {
    return { value: await request() };
  } catch (error) {
    if (error instanceof NotSeenYet) return { error };
    throw error;
  }
}

/** Effects that show about equally late, so that one of them says how long to wait for the next. */
export type EffectKind =
  | `shows ${InvoiceState | 'no more'}`
  | `leaves ${InvoiceState} by ${InvoiceAction}`
  /** A read shows an invoice as it was before. */
  | 'keeps its state'
  | 'shows an action to another key'
  | 'ends concurrent actions'
  | 'lists a new invoice'
  | 'lists new invoices first'
  | 'lists the invoice of the control'
  | 'lists a new invoice for the buyer'
  | 'lists a new invoice for another key'
  | 'lists the current state for another key'
  | 'lists the current state'
  | 'lists an unchanged state'
  | 'lists what was sent'
  | 'no longer lists a deleted draft'
  | 'counts a deletion'
  | 'reads a new invoice'
  | 'reads an old invoice'
  | 'reads a new invoice for the buyer'
  | 'reads a new invoice with X-Environment'
  | 'reads the current state for another key'
  | 'reads what was sent'
  | 'no longer reads a deleted draft'
  | 'ends a deleted draft'
  | 'reads and lists the same'
  | 'shows a production invoice'
  | 'lists a production invoice'
  | 'serves production'
  | 'lowers a balance'
  | 'ends keys by a reset'
  | 'removes invoices by a reset';

/** How changes of one kind have shown in this run. */
interface ObservedDelay {
  /** The longest time after which one showed, in milliseconds. Undefined until one has shown. */
  slowestMs: number | undefined;
  /** Whether one did not show within the whole limit. */
  isMissing: boolean;
}

/** A later change of the kind may take this many times as long as the slowest one that showed. */
const MARGIN_FACTOR = 3;
const MIN_EFFECT_WAIT_MS = 500;

const delaysOf = runState(() => new Map<EffectKind, ObservedDelay>());

/**
 * How long to wait for a change of a kind, such as `shows CANCELLED`, in milliseconds: the limit until one has been missing for the
 * whole limit, then three times the longest delay of any change. So one missing change does not cost the limit in every check, and a
 * slow server gets its time.
 */
export function effectWaitMs(run: RunContext, kind: EffectKind, limitMs: number): number {
  if (!delayOf(run, kind).isMissing) return limitMs;
  const slowestMs = Math.max(0, ...[...delaysOf(run).values()].map((delay) => delay.slowestMs ?? 0));
  return Math.min(limitMs, Math.max(MIN_EFFECT_WAIT_MS, MARGIN_FACTOR * slowestMs));
}

/**
 * How long to wait where a change may be hidden and nothing shows that it is complete, in milliseconds: three times the longest delay
 * of this kind in this run. The limit if none has shown, or if one was missing for the whole limit.
 */
export function hiddenEffectWaitMs(run: RunContext, kind: EffectKind, limitMs: number): number {
  const { slowestMs, isMissing } = delayOf(run, kind);
  return isMissing || slowestMs === undefined ? limitMs : Math.min(limitMs, MARGIN_FACTOR * slowestMs);
}

/** The longest delay after which a change of a kind has shown in this run, in milliseconds; 0 if none has. */
export function slowestEffectMs(run: RunContext, kind: EffectKind): number {
  return delayOf(run, kind).slowestMs ?? 0;
}

/** Records how a wait for a change ended. */
export function recordEffectWait(
  run: RunContext,
  kind: EffectKind,
  { tookMs, isMet, limitMs }: { tookMs: number; isMet: boolean; limitMs: number },
): void {
  const delay = delayOf(run, kind);
  if (isMet) delay.slowestMs = Math.max(delay.slowestMs ?? 0, tookMs);
  else if (tookMs >= limitMs) delay.isMissing = true;
}

function delayOf(run: RunContext, kind: EffectKind): ObservedDelay {
  const delays = delaysOf(run);
  const delay = delays.get(kind) ?? { slowestMs: undefined, isMissing: false };
  delays.set(kind, delay);
  return delay;
}
