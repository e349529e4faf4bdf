import { setTimeout as pause } from 'node:timers/promises';
import { Breach } from '../../engine/model/outcomes.ts';
import { utcMilliseconds } from '../../engine/records/iso-8601.ts';
import type { ListQuery } from '../api/operations.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { Lab } from '../context/check-context.ts';
import { whileQuiet } from '../invoices/exclusively.ts';
import { expectInFront, newest } from '../invoices/find-invoice.ts';
import { freshInvoice, type Invoice } from '../invoices/invoices.ts';
import { MOST_PAGES, walkPages } from './page-walk.ts';
import { afterCreations } from './snapshot.ts';

/** A clock of seconds, the coarsest that timestamps are written with, ticks in between. */
const SECONDS_APART_MS = 1100;
/** A clock that tells fractions of a second ticks in between. */
const FRACTIONS_APART_MS = 110;
/** So many that they stand on three of the smaller pages. */
const MADE = 7;

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
      let made = await madeApart(lab, await tickOf(lab));
      if (await shareMoments(lab, made)) made = await madeApart(lab, SECONDS_APART_MS);
      if (await shareMoments(lab, made)) notApplicable('the clock of this server stands still');
      await walkPages(lab, query, made);
    });
  }
}

/** Creates an invoice whose createdAt is later than that of every other one. To be called in a quiet stretch. */
export async function createLater(lab: Lab): Promise<Invoice> {
  await pause(await tickOf(lab));
  return await freshInvoice(lab);
}

async function shareMoments(lab: Lab, made: readonly Invoice[]): Promise<boolean> {
  const { records } = await newest(lab);
  const moments = records
    .filter(({ id }) => made.some((each) => each.id === String(id)))
    .map(({ createdAt }) => utcMilliseconds(createdAt));
  return new Set(moments).size < moments.length;
}

/** How long to wait for the next moment that createdAt can tell, in milliseconds. */
async function tickOf(lab: Lab): Promise<number> {
  const { records } = await newest(lab);
  const isFraction = records.some(({ createdAt }) => utcMilliseconds(createdAt) % 100 > 0);
  return isFraction ? FRACTIONS_APART_MS : SECONDS_APART_MS;
}

async function madeApart(lab: Lab, apartMs: number): Promise<Invoice[]> {
  const made: Invoice[] = [];
  for (let one = 0; one < MADE; one += 1) {
    await pause(apartMs);
    made.push(await freshInvoice(lab));
  }
  return made;
}
