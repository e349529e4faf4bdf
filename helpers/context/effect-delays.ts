import type { RunContext } from '../../engine/run/run-context.ts';
import type { InvoiceAction, InvoiceState } from '../../specs/contract/lifecycle.ts';
import { runState } from './run-state.ts';

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
  | 'lists a deleted draft no longer'
  | 'counts a deletion'
  | 'reads a new invoice'
  | 'reads an old invoice'
  | 'reads a new invoice for the buyer'
  | 'reads a new invoice with X-Environment'
  | 'reads the current state for another key'
  | 'reads what was sent'
  | 'reads a deleted draft no longer'
  | 'ends a deleted draft'
  | 'reads and lists the same'
  | 'shows a production invoice'
  | 'lists a production invoice'
  | 'serves production'
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
const MIN_WAIT_MS = 500;

const delaysOf = runState(() => new Map<EffectKind, ObservedDelay>());

/**
 * How long to wait for a change of a kind, such as `shows CANCELLED`, in milliseconds: the limit until one has been missing for the
 * whole limit, then three times the longest delay of any change. So one missing change does not cost the limit in every check, and a
 * slow server gets its time.
 */
export function effectWaitMs(run: RunContext, kind: EffectKind, limitMs: number): number {
  if (!delayOf(run, kind).isMissing) return limitMs;
  const slowestMs = Math.max(0, ...[...delaysOf(run).values()].map((delay) => delay.slowestMs ?? 0));
  return Math.min(limitMs, Math.max(MIN_WAIT_MS, MARGIN_FACTOR * slowestMs));
}

/**
 * How long to wait where a change may be hidden and nothing shows that it is complete, in milliseconds: three times the longest delay
 * of this kind in this run. The limit if none has shown, or if one was missing for the whole limit.
 */
export function hiddenEffectWaitMs(run: RunContext, kind: EffectKind, limitMs: number): number {
  const { slowestMs, isMissing } = delayOf(run, kind);
  return isMissing || slowestMs === undefined ? limitMs : Math.min(limitMs, MARGIN_FACTOR * slowestMs);
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
