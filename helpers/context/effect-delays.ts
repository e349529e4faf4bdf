import type { RunContext } from '../../engine/run/run-context.ts';
import { runState } from './run-state.ts';

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

const delaysOf = runState(() => new Map<string, ObservedDelay>());

/**
 * How long to wait for a change of a kind, such as `shows CANCELLED`, in milliseconds: the limit until one has been missing for the
 * whole limit, then three times the longest delay. So one missing change does not cost the limit in every check.
 */
export function effectWaitMs(run: RunContext, kind: string, limitMs: number): number {
  const { slowestMs = 0, isMissing } = delayOf(run, kind);
  return isMissing ? Math.min(limitMs, Math.max(MIN_WAIT_MS, MARGIN_FACTOR * slowestMs)) : limitMs;
}

/**
 * How long to wait where a change may be hidden and nothing shows that it is complete, in milliseconds: three times the longest delay
 * of this kind in this run. The limit if none has shown, or if one was missing for the whole limit.
 */
export function hiddenEffectWaitMs(run: RunContext, kind: string, limitMs: number): number {
  const { slowestMs, isMissing } = delayOf(run, kind);
  return isMissing || slowestMs === undefined ? limitMs : Math.min(limitMs, MARGIN_FACTOR * slowestMs);
}

/** Records how a wait for a change ended. */
export function recordEffectWait(
  run: RunContext,
  kind: string,
  { tookMs, isMet, limitMs }: { tookMs: number; isMet: boolean; limitMs: number },
): void {
  const delay = delayOf(run, kind);
  if (isMet) delay.slowestMs = Math.max(delay.slowestMs ?? 0, tookMs);
  else if (tookMs >= limitMs) delay.isMissing = true;
}

function delayOf(run: RunContext, kind: string): ObservedDelay {
  const delays = delaysOf(run);
  const delay = delays.get(kind) ?? { slowestMs: undefined, isMissing: false };
  delays.set(kind, delay);
  return delay;
}
