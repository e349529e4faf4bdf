import type { JsonObject } from '../../engine/records/invoice-records.ts';
import { blockUnlessNeedsMet } from '../../engine/target/capabilities.ts';
import { lifecycle } from '../../specs/contract/lifecycle.ts';
import { breach } from '../assert/expect.ts';
import { notApplicable } from '../assert/not-judged.ts';
import type { CheckContext } from '../context/check-context.ts';
import { isSentOnce } from '../context/creation-history.ts';
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
    const { description, amount, dueDate } = record;
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
  if (!records.some(({ description }) => sentOnce(description)))
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
