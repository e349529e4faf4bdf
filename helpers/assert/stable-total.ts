import { setTimeout as pause } from 'node:timers/promises';
import type { CheckContext } from '../context/check-context.ts';
import { notApplicable } from './not-judged.ts';

const DEFAULT_SAMPLES = 4;
/** Before the last word: longer than the two seconds between what a busy sandbox creates. */
export const FINAL_SAMPLES = 7;
const SAMPLE_INTERVAL_MS = 400;

/** The control of totals that are not what they should be: throws NotApplicable where they change without the kit, too. */
export async function skipUnlessTotalStable(
  ctx: CheckContext,
  total: () => Promise<number>,
  looks = DEFAULT_SAMPLES,
): Promise<void> {
  const seen = await sampleTotals(total, (looks - 1) * SAMPLE_INTERVAL_MS);
  if (seen.size > 1) skipForUnstableTotal(ctx, `it was ${[...seen].join(', ')}`);
}

/** Of so many looks, those that are left once the total was watched for some milliseconds. */
export function remainingSamples(looks: number, watchedMs: number): number {
  return Math.max(1, looks - Math.floor(watchedMs / SAMPLE_INTERVAL_MS));
}

/** The totals that were seen within some time; no further look once there were two. */
export async function sampleTotals(total: () => Promise<number>, forMs: number): Promise<ReadonlySet<number>> {
  const seen = new Set([await total()]);
  const looks = Math.floor(forMs / SAMPLE_INTERVAL_MS);
  for (let look = 0; look < looks && seen.size < 2; look += 1) {
    await pause(SAMPLE_INTERVAL_MS);
    seen.add(await total());
  }
  return seen;
}

/** Nothing can be told from totals that others move. */
export function skipForUnstableTotal(ctx: CheckContext, how: string): never {
  ctx.observe('moves-by-itself', 'the number of invoices');
  return notApplicable(`others create or delete invoices all the time: of the total, ${how}`);
}
