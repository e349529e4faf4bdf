import { setTimeout as pause } from 'node:timers/promises';
import { Breach } from '../engine/outcome.ts';
import { utcMilliseconds } from '../engine/time-forms.ts';
import { afterCreations } from './gathering.ts';
import { freshInvoice, type Invoice } from './invoices.ts';
import type { Lab } from './lab.ts';
import { expectInFront, newest } from './look.ts';
import { notApplicable } from './not-judged.ts';
import type { ListQuery } from './operations.ts';
import { MOST_PAGES, walkPages } from './page-walk.ts';
import { whileQuiet } from './quietly.ts';

/** A clock of seconds, the coarsest that timestamps are written with, ticks in between. */
const APART_MS = 1100;

/**
 * The newest invoices are met, each once, on the first pages. In which order invoices of one moment stand, and whether they
 * keep it from page to page, is not shown: where the ones to be met share theirs, others are made, one after the other,
 * before anything is said.
 */
export async function expectWalk(lab: Lab, query: ListQuery & { limit: number }): Promise<void> {
  let shared = false;
  try {
    await afterCreations(lab, async (made) => {
      try {
        await walkPages(lab, query, made);
      } catch (error) {
        const { records } = await newest(lab);
        for (const invoice of made) {
          if (!records.some((each) => String(each.id) === invoice.id)) await expectInFront(lab, invoice, records);
        }
        // Those of the future stand in front of whatever is made.
        const deepest = Math.max(...made.map(({ id }) => records.findIndex((each) => String(each.id) === id)));
        if (deepest >= MOST_PAGES * query.limit)
          return await walkPages(lab, query, made, Math.ceil(deepest / query.limit) + 1);
        shared = await shareMoments(lab, made);
        throw error;
      }
    });
  } catch (error) {
    if (!(error instanceof Breach) || !shared) throw error;
    await whileQuiet(lab, async () => {
      const made = await madeApart(lab, 2 * query.limit + 1);
      if (await shareMoments(lab, made)) notApplicable('the clock of this server stands still');
      await walkPages(lab, query, made);
    });
  }
}

async function shareMoments(lab: Lab, made: readonly Invoice[]): Promise<boolean> {
  const { records } = await newest(lab);
  const moments = records
    .filter(({ id }) => made.some((each) => each.id === String(id)))
    .map(({ createdAt }) => utcMilliseconds(createdAt));
  return new Set(moments).size < moments.length;
}

async function madeApart(lab: Lab, count: number): Promise<Invoice[]> {
  const made: Invoice[] = [];
  for (let one = 0; one < count; one += 1) {
    await pause(APART_MS);
    made.push(await freshInvoice(lab));
  }
  return made;
}
