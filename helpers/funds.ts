import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from '../engine/answer.ts';
import type { Lab } from './lab.ts';
import { treasury } from './operations.ts';

const MONEY = /^-?\d+(\.\d+)?$/;
const LOOK_EVERY_MS = 50;

/** Every number of a balance answer by its place, in cents: the contract shows no field of it. */
export function amountsOf(answer: Answer): Map<string, number> {
  const found = new Map<string, number>();
  const visit = (value: unknown, place: string): void => {
    if (typeof value === 'number' || (typeof value === 'string' && MONEY.test(value))) {
      found.set(place, Math.round(Number(value) * 100));
    } else if (value !== null && typeof value === 'object') {
      for (const [name, inner] of Object.entries(value)) visit(inner, `${place}/${name}`);
    }
  };
  visit(answer.json, '');
  return found;
}

/** The place of the number that is lower than before by exactly so many cents, waited for; null when there is none. */
export async function placeLoweredBy(
  lab: Lab,
  before: ReadonlyMap<string, number>,
  cents: number,
  withinMs: number,
): Promise<{ place: string; answer: Answer } | null> {
  const end = performance.now() + withinMs;
  for (;;) {
    const answer = await treasury(lab, 'treasuryBalance');
    const lowered = [...amountsOf(answer)].find(([place, now]) => before.get(place) === now + cents);
    if (lowered) return { place: lowered[0], answer };
    if (performance.now() >= end) return null;
    await pause(LOOK_EVERY_MS);
  }
}
