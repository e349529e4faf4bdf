import { setTimeout as pause } from 'node:timers/promises';
import type { Lab } from '../context/check-context.ts';
import { notApplicable } from './not-judged.ts';

const LOOKS = 4;
/** Before the last word: longer than the two seconds between what a busy sandbox creates. */
export const LAST_LOOKS = 7;
const BETWEEN_LOOKS_MS = 400;

/** The control of totals that are not what they should be: throws NotApplicable where they change without the kit, too. */
export async function expectCalm(lab: Lab, total: () => Promise<number>, looks = LOOKS): Promise<void> {
  const seen = await watchTotal(total, (looks - 1) * BETWEEN_LOOKS_MS);
  if (seen.size > 1) movesByItself(lab, `it was ${[...seen].join(', ')}`);
}

/** Of so many looks, those that are left once the total was watched for some milliseconds. */
export function looksLeft(looks: number, watchedMs: number): number {
  return Math.max(1, looks - Math.floor(watchedMs / BETWEEN_LOOKS_MS));
}

/** The totals that were seen within some time; no further look once there were two. */
export async function watchTotal(total: () => Promise<number>, forMs: number): Promise<ReadonlySet<number>> {
  const seen = new Set([await total()]);
  const looks = Math.floor(forMs / BETWEEN_LOOKS_MS);
  for (let look = 0; look < looks && seen.size < 2; look += 1) {
    await pause(BETWEEN_LOOKS_MS);
    seen.add(await total());
  }
  return seen;
}

/** Nothing can be told from totals that others move. */
export function movesByItself(lab: Lab, how: string): never {
  lab.observe('moves-by-itself', 'the number of invoices');
  return notApplicable(`others create or delete invoices all the time: of the total, ${how}`);
}
