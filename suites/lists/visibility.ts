import { probeActionEffect } from '../../helpers/adaptation/action-effect.ts';
import { sandboxHeader } from '../../helpers/api/environment-header.ts';
import { type ListQuery, listInvoices } from '../../helpers/api/operations.ts';
import type { RequestOptions } from '../../helpers/api/requests.ts';
import { is2xx, isSuccess, type JsonObject } from '../../helpers/api/responses.ts';
import { expectThat } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import { skipUnlessTotalStable } from '../../helpers/assert/stable-total.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { rejectedActionsOn } from '../../helpers/context/invoice-history.ts';
import { skipUnlessUnchangedUntil } from '../../helpers/controls/spontaneous-change.ts';
import { performAction } from '../../helpers/invoices/acting-party.ts';
import { findInList, waitForArrival } from '../../helpers/invoices/find-invoice.ts';
import {
  createInvoice,
  createInvoiceInState,
  type Invoice,
  needsToReach,
  recordInvoiceState,
} from '../../helpers/invoices/invoices.ts';
import { blockIfPageNotFull, type ListPage, parsePage } from '../../helpers/invoices/list-page.ts';
import { recentInvoicesReader, skipUnlessListedFirst } from '../../helpers/invoices/recent-invoices.ts';
import { isForeignInvoice } from '../../helpers/lists/foreign-invoices.ts';
import { expectListedAsRead, expectSameStatesByAmount } from '../../helpers/lists/list-consistency.ts';
import { expectNoListDefect } from '../../helpers/lists/list-control.ts';
import { variantsListedCheck } from '../../helpers/lists/listed-variants.ts';
import { NEWEST_SORT } from '../../helpers/lists/order-checks.ts';
import { expectSeparateLists } from '../../helpers/lists/queries/equal-requests.ts';
import { expectOrganizationsIgnored, expectSelectionsIgnored } from '../../helpers/lists/queries/widened-lists.ts';
import { aroundCreations, whileUnchanged } from '../../helpers/lists/snapshot.ts';
import { invoicesOfEachState } from '../../helpers/lists/state-samples.ts';

/** Control for an invoice with a rejected action: throws NotApplicable when the list shows a new invoice of its state correctly. */
async function skipIfNewInvoiceListed(ctx: CheckContext, { id, state }: Invoice): Promise<void> {
  const other = await createInvoiceInState(ctx, state);
  const shows = ({ records }: { records: JsonObject[] }) =>
    records.some((record) => String(record.id) === other.id && record.status === state);
  if (shows(await pollUntil(ctx, recentInvoicesReader(ctx), shows, ctx.target.limits.settleWithinMs)))
    notApplicable(
      `the server rejected an action on invoice ${id}, and the list shows a new ${state} invoice correctly`,
      { judgedBy: 'LIFE-02.unchanged-in-list' },
    );
}

/** In milliseconds. An invoice that the buyer does not see by then counts as hidden. */
const BUYER_VISIBILITY_MS = 1500;

/** The buyer's key may not be allowed to list, which another check judges. */
function ignoreBlocked(error: unknown): null {
  if (error instanceof Error && error.name === 'Blocked') return null;
  throw error;
}

async function readOutsiderPage(
  ctx: CheckContext,
  order: Pick<ListQuery, 'sortBy' | 'sortOrder'> = NEWEST_SORT,
  extra: RequestOptions = {},
): Promise<ListPage> {
  const options = { as: ctx.credentials('outsider'), ...extra };
  return parsePage(await listInvoices(ctx, { page: 0, limit: 100, ...order }, options));
}

/** Another order may use another database query, and a request with X-Environment another path through the gateway. */
const OUTSIDER_SORT_FIELDS = [
  ...['dueDate', 'amount', 'status', 'invoiceNumber'],
  ...['currency', 'sellerOrganizationId', 'buyerOrganizationId'],
];

async function readOtherOutsiderPages(ctx: CheckContext): Promise<ListPage[]> {
  // The new invoices have the latest due dates.
  const orders = OUTSIDER_SORT_FIELDS.map((sortBy) => readOutsiderPage(ctx, { sortBy, sortOrder: 'desc' }));
  const named = await readOutsiderPage(ctx, NEWEST_SORT, { headers: sandboxHeader });
  return [named, ...(await Promise.all(orders))];
}

function expectHiddenFromOutsider(ctx: CheckContext, { response, records }: ListPage, made: readonly Invoice[]): void {
  const own = ctx.run.plan.organizations.outsider;
  const known = made.map(({ id }) => id);
  const shown = records.find((record) => known.includes(String(record.id)) || (own && isForeignInvoice(record, own)));
  const because = `the list shows the foreign invoice ${String(shown?.id)}`;
  expectThat(ctx, !shown, response, "no invoice of other organizations in the outsider's list", because);
}

async function expectOutsiderTotalKept(ctx: CheckContext, before: ListPage, after: ListPage): Promise<void> {
  const kept = after.total === before.total;
  if (!kept) await skipUnlessTotalStable(ctx, async () => (await readOutsiderPage(ctx)).total);
  const expected = `total ${before.total}, as before the seller's creations`;
  expectThat(ctx, kept, after.response, expected, `total is ${after.total}`);
}

export const visibilityChecks: readonly Check[] = [
  check('LIST-09.own-invoice-listed', ['connection'], async (ctx) => {
    await expectNoListDefect(ctx, 'LIST-09.own-invoice-listed');
    const invoice = await createInvoice(ctx);
    const request = () => findInList(ctx, invoice.id);
    const { record, response } = await pollUntil(ctx, request, (seen) => seen.record !== null, 'lists a new invoice');
    if (!record) blockIfPageNotFull(response);
    const expected = `invoice ${invoice.id} in the list of the organization that created it`;
    expectThat(ctx, record !== null, response, expected, 'the list does not contain the invoice');
    if (!ctx.target.actors.buyer) return;
    const shows = ({ records }: { records: readonly JsonObject[] }) => records.some(({ id }) => id === invoice.id);
    const seen = await pollUntil(ctx, recentInvoicesReader(ctx, 'buyer'), shows, BUYER_VISIBILITY_MS).catch(
      ignoreBlocked,
    );
    if (seen) ctx.observe(invoice.state === 'DRAFT' ? 'buyer-sees-draft' : 'buyer-lists-invoice', shows(seen));
  }),

  // Late, when there are invoices to see.
  checkInPhase('late', 'LIST-09.organization-parameters', ['seller', 'outsider'], expectOrganizationsIgnored),

  checkInPhase('late', 'LIST-09.record-parameters', ['seller', 'outsider'], expectSelectionsIgnored),

  checkInPhase('late', 'LIST-09.equal-requests', ['seller', 'outsider'], (ctx) =>
    whileUnchanged(ctx, () => expectSeparateLists(ctx)),
  ),

  checkInPhase('late', 'LIST-09.third-organization', ['connection', 'outsider'], (ctx) =>
    aroundCreations(ctx, {
      before: async () => {
        const before = await readOutsiderPage(ctx);
        if (!is2xx(before.response))
          notApplicable(`the outsider's key may not list invoices (${before.response.status})`);
        return before;
      },
      after: async (made, before) => {
        const after = await readOutsiderPage(ctx);
        for (const page of [after, ...(await readOtherOutsiderPages(ctx))]) expectHiddenFromOutsider(ctx, page, made);
        await expectOutsiderTotalKept(ctx, before, after);
      },
    }),
  ),

  // Late, because earlier the run creates so many invoices that these would not stay on the first page.
  checkInPhase('late', 'LIST-09.every-state', ['connection', 'seller'], async (ctx) => {
    const { invoices } = await invoicesOfEachState(ctx);
    const listed = (records: JsonObject[], id: string) => records.find((record) => String(record.id) === id);
    const wrong = (records: JsonObject[]) => invoices.find(({ id, state }) => listed(records, id)?.status !== state);
    const { records, response } = await pollUntil(
      ctx,
      recentInvoicesReader(ctx),
      (seen) => !wrong(seen.records),
      'lists the current state',
    );
    const found = wrong(records);
    if (found && rejectedActionsOn(ctx.run, found.id).length > 0) await skipIfNewInvoiceListed(ctx, found);
    if (found && listed(records, found.id)) await skipUnlessUnchangedUntil(ctx, found, performance.now());
    else if (found) await skipUnlessListedFirst(ctx, found, records);
    const shown = found && listed(records, found.id);
    const because = `the list ${shown ? `shows status ${String(shown.status)} for` : 'does not contain'} the ${found?.state} invoice ${found?.id}`;
    expectThat(ctx, !found, response, "every invoice of the caller's organization, with its current state", because);
    await expectSameStatesByAmount(ctx);
  }),

  variantsListedCheck('LIST-09.every-variant', 'seller'),

  check('LIST-09.resolved', ['connection', 'read', ...needsToReach('DISPUTED'), 'resolve'], async (ctx) => {
    const { to } = await probeActionEffect(ctx, 'resolve');
    if (!to || to === 'DISPUTED') return notApplicable('a resolution does not lead out of DISPUTED on this server');
    const invoice = await createInvoiceInState(ctx, 'DISPUTED');
    const resolved = await performAction(ctx, 'resolve', invoice.id);
    if (!isSuccess(resolved))
      notApplicable('the server rejects the resolve action', { judgedBy: 'LIFE-01.disputed-resolve' });
    const read = await waitForArrival(ctx, invoice.id, to);
    if (!read.isMet) notApplicable(`this resolution did not lead to ${to}`);
    recordInvoiceState(ctx, { id: invoice.id, state: to });
    await expectListedAsRead(ctx, invoice.id, resolved);
  }),

  check('LIST-09.other-key', ['connection', 'readOnly'], async (ctx) => {
    const invoice = await createInvoice(ctx);
    const first = await listInvoices(ctx, { page: 0, limit: 1 }, { as: ctx.credentials('readOnly') });
    if (!is2xx(first)) notApplicable(`the read-only key may not list invoices (${first.status})`);
    const shows = (records: readonly JsonObject[]) => records.some(({ id }) => String(id) === invoice.id);
    const { records, response } = await pollUntil(
      ctx,
      recentInvoicesReader(ctx, 'readOnly'),
      (seen) => shows(seen.records),
      'lists a new invoice for another key',
    );
    if (!shows(records)) await skipUnlessListedFirst(ctx, invoice, records);
    const expected = `invoice ${invoice.id} of the organization, regardless of the key that created it`;
    expectThat(ctx, shows(records), response, expected, 'the list does not contain the invoice');
  }),
];
