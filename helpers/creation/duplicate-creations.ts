import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../engine/records/invoice-records.ts';
import { blockUnlessNeedsMet } from '../../engine/target/capabilities.ts';
import { lifecycle } from '../../specs/contract/lifecycle.ts';
import { breach } from '../assert/expect.ts';
import { disturbedByOthers, notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check.ts';
import { hasMark, isPreexisting, isSentOnce, shownDescription } from '../context/invoice-history.ts';
import { sharedResult } from '../context/shared-result.ts';
import type { InvoiceBody } from '../data/invoice-body.ts';
import { candidatesFor, originOf } from '../invoices/candidate-invoices.ts';
import { findCreatedInvoice } from '../invoices/find-invoice.ts';
import { createInvoice } from '../invoices/invoices.ts';
import { recentInvoicesReader } from '../invoices/recent-invoices.ts';

/** An intermediary may resend one creation whose response was lost, so a single duplicate proves nothing. */
const MIN_DUPLICATED_CREATIONS = 2;
/** A disputed or cancelled invoice may have a successor with the same description. */
const STATES_WITH_SUCCESSOR: readonly unknown[] = ['DISPUTED', 'CANCELLED'];

/**
 * Groups of invoices with the same amount, due date and description for which the kit sent only one creation with that
 * description.
 */
export function duplicatesAmong(
  records: readonly JsonObject[],
  sentOnce: (description: unknown) => boolean,
): string[][] {
  const alike = new Map<string, JsonObject[]>();
  for (const record of records) {
    const { amount, dueDate } = record;
    const description = shownDescription(record);
    if (!sentOnce(description)) continue;
    const key = JSON.stringify([description, amount, dueDate]);
    alike.set(key, [...(alike.get(key) ?? []), record]);
  }
  return [...alike.values()]
    .filter((group) => !group.some(({ status }) => STATES_WITH_SUCCESSOR.includes(status)))
    .map((group) => [...new Set(group.map(({ id }) => String(id)))])
    .filter((ids) => ids.length > 1);
}

function skipUnlessDescribed(records: readonly JsonObject[], sentOnce: (description: unknown) => boolean): void {
  if (!records.some((record) => sentOnce(shownDescription(record))))
    notApplicable('the lists do not show the descriptions that the kit sent');
}

/** "The response carries the created invoice": one creation makes one invoice. Throws a Breach for duplicates. */
export async function expectNoDuplicates(ctx: CheckContext): Promise<void> {
  const { records, response } = await recentInvoicesReader(ctx)();
  const sentOnce = (description: unknown) => isSentOnce(ctx, description);
  skipUnlessDescribed(records, sentOnce);
  const doubles = duplicatesAmong(records, sentOnce);
  if (doubles.length < MIN_DUPLICATED_CREATIONS) return;
  // An action that is bound to a wrong request, such as one that copies an invoice, may have made the duplicates.
  const misbound = lifecycle.actions.filter((action) => ctx.run.disabledReasons.has(action));
  blockUnlessNeedsMet(misbound, ctx.run);
  const because = `among ${records.length} listed invoices, ${doubles.length} creations created more than one invoice each, for example ${doubles[0]?.join(' and ')}`;
  throw breach(ctx, response, 'one invoice for each creation', because);
}

/** Invoices that appear later than this, in milliseconds, come from another user of the sandbox. */
const DUPLICATE_OBSERVATION_MS = 1200;

/**
 * The ids of `candidatesFor`. Throws NotApplicable if there are several, no description tells the owner, and foreign
 * invoices have the same amounts and due dates as the kit's own.
 */
export async function ownDuplicatesOf(
  ctx: CheckContext,
  records: readonly JsonObject[],
  body: InvoiceBody,
): Promise<Set<string>> {
  const copies = await candidatesFor(ctx, records, body);
  if (copies.size < 2 || hasMarkedDescription(records)) return copies;
  // A server that creates duplicates does so for almost every creation.
  const { once, copied } = countSingleCreations(ctx, records);
  const ofSome = copied >= MIN_DUPLICATED_SINGLES && 2 * copied < once;
  if (ofSome || (await doOthersDuplicate(ctx)))
    disturbedByOthers(
      'other users of the sandbox create invoices with the same amounts and due dates, and the lists show no description',
    );
  return copies;
}

const doOthersDuplicate = sharedResult((ctx) => othersCreateDuplicates(ctx));

const hasMarkedDescription = (records: readonly JsonObject[]) =>
  records.some((record) => hasMark(shownDescription(record)));

/** One match may be a coincidence. */
const MIN_DUPLICATED_SINGLES = 2;

/**
 * `ownDuplicatesOf` for a replayed creation. Also throws DisturbedByOthers if creations that were sent once have copies as well.
 */
export async function replayDuplicatesOf(
  ctx: CheckContext,
  records: readonly JsonObject[],
  body: InvoiceBody,
): Promise<Set<string>> {
  const copies = await ownDuplicatesOf(ctx, records, body);
  if (
    copies.size > 1 &&
    !hasMarkedDescription(records) &&
    countSingleCreations(ctx, records).copied >= MIN_DUPLICATED_SINGLES
  )
    disturbedByOthers(
      'for creations that the kit sent once, the list also shows other invoices with the same amount and due date',
    );
  return copies;
}

/**
 * How many invoices of the run were created by one request, and how many of them share amount and due date with other invoices.
 */
function countSingleCreations(ctx: CheckContext, records: readonly JsonObject[]): { once: number; copied: number } {
  const whatIs = ({ amount, dueDate, currency }: JsonObject) => JSON.stringify([amount, dueDate, currency]);
  const strangers = records.filter((each) => originOf(ctx, each) === undefined && !isPreexisting(ctx, each));
  const strange = new Set(strangers.map(whatIs));
  const once = records.filter((each) => isSentOnce(ctx, originOf(ctx, each)));
  return { once: once.length, copied: once.filter((each) => strange.has(whatIs(each))).length };
}

/** Whether the number of invoices that match a single creation keeps growing. */
async function othersCreateDuplicates(ctx: CheckContext): Promise<boolean> {
  const { body } = await createInvoice(ctx);
  await findCreatedInvoice(ctx, body);
  const count = async () => (await candidatesFor(ctx, (await recentInvoicesReader(ctx)()).records, body)).size;
  const before = await count();
  await pause(DUPLICATE_OBSERVATION_MS);
  return (await count()) > before;
}
