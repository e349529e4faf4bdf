import { listInvoices, readInvoice } from '../../helpers/api/operations.ts';
import { type ApiResponse, invoiceIn, is2xx, type JsonObject, listItems } from '../../helpers/api/responses.ts';
import { breach } from '../../helpers/assert/expect.ts';
import { notApplicable } from '../../helpers/assert/not-judged.ts';
import { pollUntil } from '../../helpers/assert/poll.ts';
import type { CheckContext } from '../../helpers/context/check.ts';
import { type Check, check, checkInPhase } from '../../helpers/context/check.ts';
import { runActionControl } from '../../helpers/controls/positive-controls.ts';
import { skipUnlessUnchangedUntil } from '../../helpers/controls/spontaneous-change.ts';
import { advanceInvoice } from '../../helpers/idempotency/replay.ts';
import { findInvoice, readingActor } from '../../helpers/invoices/find-invoice.ts';
import { createInvoiceInState, type Invoice, isInvoiceState } from '../../helpers/invoices/invoices.ts';
import { recentInvoicesReader } from '../../helpers/invoices/recent-invoices.ts';
import { expectListedAsRead } from '../../helpers/lists/list-consistency.ts';
import { expectTagsRenewed } from '../../helpers/lists/queries/conditional-requests.ts';
import { invoicesOfEachState } from '../../helpers/lists/state-samples.ts';
import type { InvoiceState } from '../../specs/contract/lifecycle.ts';
import type { ActorName } from '../../specs/target-file/target.ts';

/** The actors other than the seller. The other checks use the seller's view. */
function otherViewers(ctx: CheckContext): ActorName[] {
  const names = ctx.availableActors('buyer', 'readOnly');
  return names.length > 0
    ? names
    : notApplicable('the target file has no actor buyer or readOnly that could see an invoice');
}

/** The first field of a record that differs from the invoice, with its value. A field that the record lacks does not differ. */
function describeDifference({ state, body }: Invoice, record: JsonObject): string | undefined {
  const { amount, dueDate } = body;
  const known = Object.entries({ status: state, amount, dueDate });
  const wrong = known.find(([field, value]) => {
    const shown = record[field as keyof JsonObject];
    // The contract does not specify the response to a read: it may give a field as an object.
    return field in record && typeof shown !== 'object' && shown !== value;
  });
  return wrong && `${wrong[0]} ${JSON.stringify(record[wrong[0] as keyof JsonObject])}`;
}

/** Throws a Breach for a view that differs from the seller's current view. */
async function expectSameAsSeller(
  ctx: CheckContext,
  name: ActorName,
  invoice: Invoice,
  seen: { response: ApiResponse; shown: string },
): Promise<void> {
  const { record } = await findInvoice(ctx, invoice.id, 'seller');
  // A spontaneous change, which every view shows.
  if (!record || describeDifference(invoice, record)) return;
  await skipUnlessUnchangedUntil(ctx, invoice, performance.now());
  const { id, state, body } = invoice;
  const expected = `invoice ${id} with status ${state}, amount ${body.amount} and dueDate ${body.dueDate}`;
  throw breach(ctx, seen.response, expected, `the ${name} key sees the invoice with ${seen.shown}`);
}

/** The invoice record in the response to a read, if there is one. */
function shownRecord(response: ApiResponse, { id }: Invoice): JsonObject | undefined {
  const record = is2xx(response) ? invoiceIn(response) : undefined;
  return record && String(record.id) === id ? record : undefined;
}

/** Expects a key to read the invoice as it is. Returns false when the key cannot see it. */
async function expectReadConsistent(ctx: CheckContext, name: ActorName, invoice: Invoice): Promise<boolean> {
  const wrong = (response: ApiResponse) => {
    const record = shownRecord(response, invoice);
    return record && describeDifference(invoice, record);
  };
  const request = () => readInvoice(ctx, invoice.id, { as: ctx.credentials(name) });
  const response = await pollUntil(ctx, request, (seen) => !wrong(seen), 'reads the current state for another key');
  const shown = wrong(response);
  if (shown) await expectSameAsSeller(ctx, name, invoice, { response, shown });
  return shownRecord(response, invoice) !== undefined;
}

async function expectListConsistent(
  ctx: CheckContext,
  name: ActorName,
  invoices: readonly Invoice[],
): Promise<boolean> {
  const first = await listInvoices(ctx, { page: 0, limit: 1 }, { as: ctx.credentials(name) });
  if (!is2xx(first)) return false;
  const listed = (records: readonly JsonObject[], { id }: Invoice) => records.find((each) => String(each.id) === id);
  const wrong = (records: readonly JsonObject[]) =>
    invoices.flatMap((invoice) => {
      const record = listed(records, invoice);
      const shown = record && describeDifference(invoice, record);
      return shown ? [{ invoice, shown }] : [];
    })[0];
  const { records, response } = await pollUntil(
    ctx,
    recentInvoicesReader(ctx, name),
    (seen) => !wrong(seen.records),
    'lists the current state for another key',
  );
  const found = wrong(records);
  if (found) await expectSameAsSeller(ctx, name, found.invoice, { response, shown: found.shown });
  return invoices.some((invoice) => listed(records, invoice));
}

function skipUnlessAnySeen(seen: readonly boolean[]): void {
  if (!seen.includes(true)) notApplicable('no other key sees any of these invoices');
}

/** How long the check waits until a key sees a new invoice, in milliseconds. */
const INITIAL_VISIBILITY_MS = 500;

/** No other check sends this query, so a cached response to it belongs to this check. */
const UNSHARED_QUERY = { page: 0, limit: 93, sortBy: 'createdAt', sortOrder: 'desc' } as const;

/** Expects each key to see the new state after the submission of a draft, not a cached one. */
async function expectTransitionSeen(ctx: CheckContext, invoice: Invoice): Promise<void> {
  const { read } = ctx.target.operations;
  const views = otherViewers(ctx).flatMap((name) => {
    const as = ctx.credentials(name);
    const inList = async () => {
      const response = await listInvoices(ctx, UNSHARED_QUERY, { as });
      return { response, record: listItems(response).find(({ id }) => String(id) === invoice.id) };
    };
    const byRead = async () => {
      const response = await readInvoice(ctx, invoice.id, { as });
      return { response, record: shownRecord(response, invoice) };
    };
    return [{ name, view: inList }, ...(read ? [{ name, view: byRead }] : [])];
  });
  const first = await Promise.all(
    views.map(({ view }) => pollUntil(ctx, view, ({ record }) => !!record, INITIAL_VISIBILITY_MS)),
  );
  const status = await advanceInvoice(ctx, invoice, ['submit']);
  skipUnlessFound(status);
  const moved = { ...invoice, state: status };
  const seen = await Promise.all(
    views.map(async ({ name, view }, at) => {
      // A view that never showed the draft cannot show an old state of it.
      if (!first[at]?.record) return false;
      const { response, record } = await pollUntil(
        ctx,
        view,
        (now) => !now.record || !describeDifference(moved, now.record),
        'shows an action to another key',
      );
      const shown = record && describeDifference(moved, record);
      if (shown) await expectSameAsSeller(ctx, name, moved, { response, shown });
      return true;
    }),
  );
  skipUnlessAnySeen(seen);
}

function skipUnlessFound(status: string | null): asserts status is InvoiceState {
  if (!isInvoiceState(status)) notApplicable('the kit no longer finds the submitted invoice');
}

const SAMPLES_PER_STATUS = 3;

/**
 * Expects reads to show the same as the list, for some invoices of each listed status. False if no listed invoice
 * can be read.
 */
async function expectReadsMatchList(ctx: CheckContext): Promise<boolean> {
  const { records, response } = await recentInvoicesReader(ctx, readingActor(ctx))();
  const statuses = [...new Set(records.map(({ status }) => status))];
  const some = statuses.flatMap((each) => records.filter(({ status }) => status === each).slice(0, SAMPLES_PER_STATUS));
  const read = await Promise.all(
    some.map(async ({ id, status }) => {
      const { record } = await findInvoice(ctx, String(id));
      // Other checks judge whether an invoice can be read at all.
      if (!record) return false;
      if (record.status !== status) await expectListedAsRead(ctx, String(id), response);
      return true;
    }),
  );
  return read.includes(true);
}

export const consistentReadsChecks: readonly Check[] = [
  check('REC-15.after-transition', ['connection', 'submit'], async (ctx) => {
    if (!(await runActionControl(ctx, 'submit'))) notApplicable('a new invoice is never a DRAFT on this server');
    await expectTransitionSeen(ctx, await createInvoiceInState(ctx, 'DRAFT'));
  }),

  checkInPhase('late', 'REC-15.conditional', ['connection', 'submit'], async (ctx) => {
    if (!(await runActionControl(ctx, 'submit'))) notApplicable('a new invoice is never a DRAFT on this server');
    await expectTagsRenewed(ctx, await createInvoiceInState(ctx, 'DRAFT'));
  }),

  checkInPhase('late', 'REC-15.read', ['connection', 'read'], async (ctx) => {
    const { invoices } = await invoicesOfEachState(ctx);
    const viewers = otherViewers(ctx);
    const requests = viewers.flatMap((name) => invoices.map((invoice) => expectReadConsistent(ctx, name, invoice)));
    skipUnlessAnySeen(await Promise.all(requests));
  }),

  checkInPhase('late', 'REC-15.listed', ['connection'], async (ctx) => {
    const { invoices } = await invoicesOfEachState(ctx);
    skipUnlessAnySeen(await Promise.all(otherViewers(ctx).map((name) => expectListConsistent(ctx, name, invoices))));
  }),

  checkInPhase('late', 'REC-15.read-as-listed', ['seller', 'read'], async (ctx) => {
    if (!(await expectReadsMatchList(ctx))) notApplicable('the read operation returns none of the listed invoices');
  }),
];
