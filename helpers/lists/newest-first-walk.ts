import { setTimeout as pause } from 'node:timers/promises';
import { Breach } from '../../engine/model/outcomes.ts';
import { utcEpochMs } from '../../engine/records/iso-8601.ts';
import type { ListQuery } from '../api/operations.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { confirmBreachExclusively } from '../invoices/exclusive-section.ts';
import { newestInvoices } from '../invoices/find-invoice.ts';
import { createInvoice, type Invoice } from '../invoices/invoices.ts';
import { skipUnlessListedFirst } from '../invoices/recent-invoices.ts';
import { expectInvoicesOnPages, MAX_WALKED_PAGES } from './page-walk.ts';
import { afterCreations } from './snapshot.ts';

/** Longer than one tick of a clock with whole seconds, the coarsest timestamp format. */
const SECONDS_CLOCK_TICK_MS = 1100;
/** Longer than one tick of a clock with fractions of a second. */
const FRACTIONAL_CLOCK_TICK_MS = 110;
/** Enough to fill three of the smaller pages. */
const WALKED_INVOICES = 7;

/**
 * The first pages show each of the newest invoices once. The contract leaves the order of invoices with the same createdAt
 * open, so a failure among those is repeated with invoices at different times.
 */
export async function expectNewestListedOnce(ctx: CheckContext, query: ListQuery & { limit: number }): Promise<void> {
  let shared = false;
  try {
    await afterCreations(ctx, async (made) => {
      try {
        await expectInvoicesOnPages(ctx, query, made);
      } catch (error) {
        const { records } = await newestInvoices(ctx);
        for (const invoice of made) {
          if (!records.some((each) => String(each.id) === invoice.id))
            await skipUnlessListedFirst(ctx, invoice, records);
        }
        // Foreign invoices with a future date precede every new invoice.
        const deepest = Math.max(...made.map(({ id }) => records.findIndex((each) => String(each.id) === id)));
        if (deepest >= MAX_WALKED_PAGES * query.limit)
          return await expectInvoicesOnPages(ctx, query, made, Math.ceil(deepest / query.limit) + 1);
        shared = await hasSharedCreationTime(ctx, made);
        throw error;
      }
    });
  } catch (error) {
    if (!(error instanceof Breach) || !shared) throw error;
    await confirmBreachExclusively(ctx, async (ctx) => {
      let made = await createSpacedInvoices(ctx, await clockTickMs(ctx));
      if (await hasSharedCreationTime(ctx, made)) made = await createSpacedInvoices(ctx, SECONDS_CLOCK_TICK_MS);
      await skipIfCreationTimeShared(ctx, made);
      await expectInvoicesOnPages(ctx, query, made);
    });
  }
}

/** Creates an invoice with a later createdAt than every other one. Call it in an exclusive section. */
export async function createAfterClockTick(ctx: CheckContext): Promise<Invoice> {
  await pause(await clockTickMs(ctx));
  return await createInvoice(ctx);
}

async function skipIfCreationTimeShared(ctx: CheckContext, made: readonly Invoice[]): Promise<void> {
  if (await hasSharedCreationTime(ctx, made))
    notApplicable('createdAt does not advance: invoices created at different times have the same value');
}

async function hasSharedCreationTime(ctx: CheckContext, made: readonly Invoice[]): Promise<boolean> {
  const { records } = await newestInvoices(ctx);
  const moments = records
    .filter(({ id }) => made.some((each) => each.id === String(id)))
    .map(({ createdAt }) => utcEpochMs(createdAt));
  return new Set(moments).size < moments.length;
}

/** The wait, in milliseconds, until createdAt shows a later value. */
async function clockTickMs(ctx: CheckContext): Promise<number> {
  const { records } = await newestInvoices(ctx);
  const isFraction = records.some(({ createdAt }) => utcEpochMs(createdAt) % 100 > 0);
  return isFraction ? FRACTIONAL_CLOCK_TICK_MS : SECONDS_CLOCK_TICK_MS;
}

async function createSpacedInvoices(ctx: CheckContext, apartMs: number): Promise<Invoice[]> {
  const made: Invoice[] = [];
  for (let one = 0; one < WALKED_INVOICES; one += 1) {
    await pause(apartMs);
    made.push(await createInvoice(ctx));
  }
  return made;
}
