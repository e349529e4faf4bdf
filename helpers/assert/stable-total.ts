import { setTimeout as pause } from 'node:timers/promises';
import type { CheckContext } from '../context/check.ts';
import { disturbedByOthers } from './not-judged.ts';

const DEFAULT_SAMPLES = 4;
/** For the last attempt: longer than the two seconds between the creations of a busy sandbox. */
export const FINAL_SAMPLES = 7;
const SAMPLE_INTERVAL_MS = 400;

/** The control of an unexpected total. Throws DisturbedByOthers if the total changes without a request of the kit. */
export async function skipUnlessTotalStable(
  ctx: CheckContext,
  total: () => Promise<number>,
  sampleCount = DEFAULT_SAMPLES,
): Promise<void> {
  const seen = await sampleTotals(total, (sampleCount - 1) * SAMPLE_INTERVAL_MS);
  if (seen.size > 1) skipForUnstableTotal(ctx, `it was ${[...seen].join(', ')}`);
}

/** The samples of `sampleCount` that remain after the total was observed for some milliseconds. */
export function remainingSamples(sampleCount: number, watchedMs: number): number {
  return Math.max(1, sampleCount - Math.floor(watchedMs / SAMPLE_INTERVAL_MS));
}

/** The different totals within a period in milliseconds. Stops at the second one. */
export async function sampleTotals(total: () => Promise<number>, forMs: number): Promise<ReadonlySet<number>> {
  const seen = new Set([await total()]);
  const sampleCount = Math.floor(forMs / SAMPLE_INTERVAL_MS);
  for (let sample = 0; sample < sampleCount && seen.size < 2; sample += 1) {
    await pause(SAMPLE_INTERVAL_MS);
    seen.add(await total());
  }
  return seen;
}

/** Throws DisturbedByOthers, because a total that others change, or that a replica shows late, proves nothing. */
export function skipForUnstableTotal(ctx: CheckContext, how: string): never {
  ctx.observe('spontaneous-change', 'the number of invoices');
  return disturbedByOthers(
    `the total changes while the kit changes no invoice (${how}): other users of the sandbox create or delete invoices, or some responses show changes late`,
  );
}
