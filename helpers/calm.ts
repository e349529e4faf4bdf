import { setTimeout as pause } from 'node:timers/promises';
import type { Lab } from './lab.ts';
import { notApplicable } from './not-judged.ts';

const LOOKS = 4;
/** Before the last word: who creates something every other second is hardly still for so long. */
export const MANY_LOOKS = 16;
const BETWEEN_LOOKS_MS = 400;

/** The control of totals that are not what they should be: throws NotApplicable where they change without the kit, too. */
export async function expectCalm(lab: Lab, total: () => Promise<number>, looks = LOOKS): Promise<void> {
  const seen = new Set<number>();
  for (let look = 0; look < looks && seen.size < 2; look += 1) {
    if (look > 0) await pause(BETWEEN_LOOKS_MS);
    seen.add(await total());
  }
  if (seen.size === 1) return;
  lab.observe('moves-by-itself', 'the number of invoices');
  notApplicable(`others create or delete invoices all the time: the total was ${[...seen].join(', ')}`);
}
